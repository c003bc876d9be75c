package fake

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/mr-tron/base58"
)

// slot is the slot of the data, the newest finalized one.
const slot = 344112233

func invalid(message string) *rpcError {
	return &rpcError{code: -32000, message: "Validation Error: " + message}
}

// A filter wants bytes at a place in the data of an account.
type filter struct {
	offset uint64
	bytes  string
}

func (f filter) match(data []byte) bool {
	part := slice{f.offset, uint64(len(f.bytes))}
	return string(part.of(data)) == f.bytes
}

func (p *params) filters() []filter {
	raw, given := p.members["filters"]
	if !given {
		return nil
	}
	var elements []json.RawMessage
	if json.Unmarshal(raw, &elements) != nil || elements == nil {
		p.invalidf("invalid type: %s, expected a sequence", kind(raw))
	}
	var filters []filter
	for _, raw := range elements {
		element := p.inner("filters", raw, "memcmp")
		if element.err == nil && !element.has("memcmp") {
			element.fail(invalid("Filter instance cannot be null"))
		}
		if element.err == nil {
			element = p.inner("memcmp", element.members["memcmp"], "offset", "bytes")
		}
		f := filter{offset: element.integer("offset")}
		text, given := element.text("bytes")
		if !given {
			element.invalidf("missing field `bytes`")
		}
		b, err := unbase58(text)
		if err != nil || text == "" { // nothing at all would match everything
			element.invalidf("invalid value: string %q, expected base58", text)
		}
		f.bytes = string(b)
		p.fail(element.err)
		filters = append(filters, f)
	}
	if len(filters) > 5 {
		p.fail(invalid("Too many filters. The maximum number of filters allowed is 5"))
	}
	return filters
}

func (s *Service) compressedAccountsByOwner(raw json.RawMessage) ([]byte, *rpcError) {
	p := named(raw, "owner", "cursor", "limit", "dataSlice", "filters")
	owner := p.key("owner", true)
	cursor := p.key("cursor", false)
	limit := p.limit()
	part := p.slice()
	filters := p.filters()
	if part != nil && (part.offset >= 1<<31 || part.length >= 1<<31) {
		p.fail(&rpcError{code: -32000, message: "Internal server error"}) // the database's integers end there
	}
	if p.err != nil {
		return nil, p.err
	}

	list := newPage(limit)
	if owner == Owner {
		for i := range s.accounts.after(cursor, s.LeafIndexOrder) {
			if list.full() {
				break
			}
			s.accounts.fill(&list.account, i)
			if list.matches(filters) {
				list.next()
				list.account.data = part.of(list.account.data)
				list.out = list.account.append(list.out)
			}
		}
	}
	return list.finish(list.account.hash), nil
}

func (s *Service) compressedTokenAccountsByDelegate(raw json.RawMessage) ([]byte, *rpcError) {
	p := named(raw, "delegate", "mint", "cursor", "limit")
	delegate := p.key("delegate", true)
	mint := p.key("mint", false)
	limit := p.limit()
	text, given := p.text("cursor")
	cursor, err := unbase58(text)
	if err != nil {
		p.invalidf("invalid value: string %q, expected base58", text)
	}
	if given && len(cursor) != 64 {
		p.fail(invalid(fmt.Sprintf("Invalid cursor length. Expected 64. Received %d.", len(cursor))))
	}
	if p.err != nil {
		return nil, p.err
	}

	list := newPage(limit)
	var last []byte
	if delegate == Delegate {
		for _, g := range delegated() {
			if mint != "" && g.mint != mint {
				continue
			}
			after := ""
			if given && (mint != "" || string(cursor[:32]) == g.mintBytes) {
				after = base58.Encode(cursor[32:])
			} else if given && string(cursor[:32]) > g.mintBytes {
				continue
			}
			for i := range g.accounts.after(after, false) {
				if list.full() {
					break
				}
				g.fill(&list.account, i)
				list.next()
				list.out = g.append(list.out, &list.account, i)
				last = append(last[:0], g.mintBytes...)
			}
		}
	}
	if last != nil {
		hash, _ := base58.Decode(string(list.account.hash))
		last = []byte(base58.Encode(append(last, hash...)))
	}
	return list.finish(last), nil
}

// A page is the answer to a listing while it is being made.
type page struct {
	out     []byte
	limit   int
	items   int
	account account
}

func newPage(limit int) *page {
	p := &page{limit: limit, out: make([]byte, 0, 700*limit+200)}
	p.out = append(p.out, `{"context":{"slot":`...)
	p.out = strconv.AppendUint(p.out, slot, 10)
	p.out = append(p.out, `},"value":{"items":[`...)
	return p
}

func (p *page) full() bool { return p.items == p.limit }

// matches reports whether the account passes all filters. One without data
// passes none.
func (p *page) matches(filters []filter) bool {
	for _, f := range filters {
		if p.account.data == nil || !f.match(p.account.data) {
			return false
		}
	}
	return true
}

// next makes room for one more item.
func (p *page) next() {
	if p.items > 0 {
		p.out = append(p.out, ',')
	}
	p.items++
}

// finish ends the list. A full page has a cursor, that of its last item, even
// if nothing follows.
func (p *page) finish(cursor []byte) []byte {
	p.out = append(p.out, `],"cursor":`...)
	if p.items > 0 && p.full() {
		p.out = append(p.out, '"')
		p.out = append(p.out, cursor...)
		p.out = append(p.out, `"}}`...)
		return p.out
	}
	return append(p.out, `null}}`...)
}
