package fake

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/mr-tron/base58"
)

// invalid is a refusal of arguments in the words of the indexer.
func invalid(message string) *refusal {
	return &refusal{code: -32000, message: "Validation Error: " + message}
}

func cursorLength(want, got int) *refusal {
	return invalid(fmt.Sprintf("Invalid cursor length. Expected %d. Received %d.", want, got))
}

// tooFar is an offset that the integers of the indexer's database cannot hold.
const tooFar = 1<<31 - 1

func internalError() *refusal { return &refusal{code: -32000, message: "Internal server error"} }

// A filter compares bytes at an offset in the data of an account.
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
		p.invalidf("filters", "invalid type: %s, expected a sequence", kind(raw))
	}
	var filters []filter
	for _, raw := range elements {
		element := p.inner("filters", raw, "memcmp")
		if element.refused == nil && !element.has("memcmp") {
			element.refuse(invalid("Filter instance cannot be null"))
		}
		if element.refused == nil {
			element = p.inner("memcmp", element.members["memcmp"], "offset", "bytes")
		}
		f := filter{offset: element.integer("offset")}
		text, given := element.text("bytes")
		if !given {
			element.invalidf("", "missing field `bytes`")
		}
		b, err := unbase58(text)
		if err != nil || text == "" && !p.lenient { // empty bytes match everything
			element.invalidf("bytes", "invalid value: string %q, expected base58", text)
		}
		if f.offset >= tooFar {
			element.refuse(internalError())
		}
		f.bytes = string(b)
		p.refuse(element.refused)
		filters = append(filters, f)
	}
	if len(filters) > 5 {
		p.refuse(invalid("Too many filters. The maximum number of filters allowed is 5"))
	}
	return filters
}

func (s *Service) compressedAccountsByOwner(c *call) ([]byte, *refusal) {
	return s.ownedAccounts(c, false)
}

func (s *Service) compressedAccountsByOwnerV2(c *call) ([]byte, *refusal) {
	return s.ownedAccounts(c, true)
}

func (s *Service) ownedAccounts(c *call, v2 bool) ([]byte, *refusal) {
	p := s.named(c.params, "owner", "cursor", "limit", "dataSlice", "filters")
	owner := p.key("owner", true)
	cursor := p.key("cursor", false)
	limit := p.limit()
	part := p.slice()
	filters := p.filters()
	if part != nil && (part.offset >= tooFar || part.length > tooFar) {
		p.refuse(internalError())
	}
	if p.refused != nil {
		return nil, p.refused
	}

	list := s.newPage(limit)
	if owned := s.world.owners[owner]; owned != nil {
		for i := range owned.after(cursor, s.LeafIndexOrder) {
			if list.full() {
				break
			}
			owned.fill(&list.account, i)
			if list.matches(filters) {
				list.next()
				list.account.data = part.of(list.account.data)
				list.out = list.account.append(list.out, v2)
			}
		}
	}
	return list.finish(list.account.hash), nil
}

func (s *Service) compressedTokenAccountsByDelegate(c *call) ([]byte, *refusal) {
	return s.delegatedAccounts(c, false)
}

func (s *Service) compressedTokenAccountsByDelegateV2(c *call) ([]byte, *refusal) {
	return s.delegatedAccounts(c, true)
}

func (s *Service) delegatedAccounts(c *call, v2 bool) ([]byte, *refusal) {
	p := s.named(c.params, "delegate", "mint", "cursor", "limit")
	delegate := p.key("delegate", true)
	mint := p.key("mint", false)
	limit := p.limit()
	cursor := p.cursor(64)
	if p.refused != nil {
		return nil, p.refused
	}

	list := s.newPage(limit)
	var last []byte
	for _, g := range s.world.groups[delegate] {
		if mint != "" && g.mint != mint {
			continue
		}
		after := ""
		if cursor != nil && (mint != "" || string(cursor[:32]) == g.mintBytes) {
			after = base58.Encode(cursor[32:])
		} else if cursor != nil && string(cursor[:32]) > g.mintBytes {
			continue
		}
		for i := range g.accounts.after(after, false) {
			if list.full() {
				break
			}
			list.next()
			list.out = g.append(list.out, &list.account, i, v2)
			last = append(last[:0], g.mintBytes...)
		}
	}
	if last != nil {
		hash, _ := base58.Decode(string(list.account.hash))
		last = []byte(base58.Encode(append(last, hash...)))
	}
	return list.finish(last), nil
}

// A page is the answer to a listing while it is being written.
type page struct {
	out     []byte
	limit   int
	items   int
	account account
}

func (s *Service) newPage(limit int) *page {
	p := &page{limit: limit, out: make([]byte, 0, 700*limit+200)}
	p.out = append(p.out, `{"context":{"slot":`...)
	p.out = strconv.AppendUint(p.out, s.slot(), 10)
	p.out = append(p.out, `},"value":{"items":[`...)
	return p
}

func (p *page) full() bool { return p.items == p.limit }

// matches reports whether the account passes all filters. Accounts without data
// pass none.
func (p *page) matches(filters []filter) bool {
	return !slices.ContainsFunc(filters, func(f filter) bool { return p.account.data == nil || !f.match(p.account.data) })
}

// next prepares for one more item.
func (p *page) next() {
	if p.items > 0 {
		p.out = append(p.out, ',')
	}
	p.items++
}

// finish ends the list. A full page has a cursor, that of its last item, even if
// nothing follows.
func (p *page) finish(cursor []byte) []byte {
	if p.items == 0 || !p.full() {
		cursor = nil
	}
	p.out = append(p.out, `],"cursor":`...)
	p.out = appendText(p.out, cursor)
	return append(p.out, `}}`...)
}
