package fake

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
)

// An accountQuery is what params select of the accounts in a golden answer.
type accountQuery struct {
	part     *slice
	encoding string
	filters  []accountFilter
	refused  *refusal
}

// An accountFilter has one member. Account states are not compared, since the golden
// answers with this filter have token accounts only.
type accountFilter struct {
	Size   *uint64 `json:"dataSize"`
	Memcmp *struct {
		Offset   uint64 `json:"offset"`
		Bytes    string `json:"bytes"`
		Encoding string `json:"encoding"`
	} `json:"memcmp"`
}

// narrowed returns the result of a method with the accounts and the data that params
// select.
func (s *Service) narrowed(method string, result, params json.RawMessage) ([]byte, *refusal) {
	p := optionsOf(params)
	p.lenient = s.Lenient
	q := accountQuery{part: p.slice()}
	q.encoding, _ = p.text("encoding")
	if strings.HasPrefix(method, "getProgramAccounts") {
		q.filters = p.accountFilters()
	}
	if p.refused != nil || q.part == nil && q.filters == nil && q.encoding == "" {
		return result, p.refused
	}
	return q.of(result), q.refused
}

// accountFilters returns the member filters, nil if it is absent or empty.
func (p *params) accountFilters() (filters []accountFilter) {
	var list []json.RawMessage
	if !p.has("filters") {
		return nil
	}
	if json.Unmarshal(p.members["filters"], &list) != nil {
		p.refuse(invalidParams("Invalid params: invalid type: %s, expected a sequence.", kind(p.members["filters"])))
	}
	if len(list) > 4 {
		p.refuse(invalidParams("Too many filters provided; max 4"))
	}
	for _, raw := range list {
		var f accountFilter
		if string(raw) == `"tokenAccountState"` {
			continue
		}
		if json.Unmarshal(raw, &f) != nil || (f.Size == nil) == (f.Memcmp == nil) {
			p.refuse(invalidParams("Invalid params: invalid filter %s, expected one of `dataSize`, `memcmp`, `tokenAccountState`.", raw))
			continue
		}
		if b, err := f.bytes(); err != nil {
			p.refuse(invalidParams("Invalid param: %v", err))
		} else if len(b) > 128 {
			p.refuse(invalidParams("Invalid param: DataTooLarge"))
		}
		filters = append(filters, f)
	}
	return filters
}

// matches reports whether an account has the size and the bytes.
func (f accountFilter) matches(space uint64, data []byte) bool {
	if f.Size != nil {
		return *f.Size == space
	}
	want, _ := f.bytes()
	part := slice{f.Memcmp.Offset, uint64(len(want))}
	return bytes.Equal(part.of(data), want)
}

// bytes returns the bytes to compare with, none of a size.
func (f accountFilter) bytes() ([]byte, error) {
	switch {
	case f.Memcmp == nil:
		return nil, nil
	case f.Memcmp.Encoding == "base64":
		return base64.StdEncoding.DecodeString(f.Memcmp.Bytes)
	}
	return unbase58(f.Memcmp.Bytes)
}

// optionsOf returns the last parameter. It has no members if it is not an object.
func optionsOf(all json.RawMessage) *params {
	var positional []json.RawMessage
	if json.Unmarshal(all, &positional) != nil || len(positional) == 0 {
		return &params{}
	}
	members, _ := object(positional[len(positional)-1])
	return &params{doc: all, members: members}
}

// of returns a result, or a part of it, with what q selects, and nil for an account that
// the filters exclude.
func (q *accountQuery) of(raw json.RawMessage) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && list != nil {
		kept := []json.RawMessage{}
		for _, item := range list {
			if item = q.of(item); item != nil {
				kept = append(kept, item)
			}
		}
		return encode(kept)
	}
	members, isObject := object(raw)
	if !isObject {
		return raw
	}
	if members["lamports"] != nil {
		return q.account(members)
	}
	for _, name := range []string{"value", "accounts", "account"} {
		if inner, has := members[name]; has {
			if members[name] = q.of(inner); members[name] == nil {
				return nil
			}
		}
	}
	return encode(members)
}

// account returns an account with the selected data in the requested encoding.
func (q *accountQuery) account(members map[string]json.RawMessage) json.RawMessage {
	space, _ := strconv.ParseUint(string(members["space"]), 10, 64)
	data, encoding := accountData(members, int(space))
	for _, f := range q.filters {
		if data == nil && f.Memcmp != nil {
			q.refused = invalidParams("the fake cannot compare this data with memcmp")
			return nil
		}
		if !f.matches(space, data) {
			return nil
		}
	}
	switch q.encoding {
	case "base58", "base64", "base64+zstd":
		encoding = q.encoding
	}
	if data == nil || encoding == "jsonParsed" {
		return encode(members)
	}
	sent, refused := nodeConfig{encoding: encoding, part: q.part}.encoded(data)
	if refused != nil {
		q.refused = refused
		return nil
	}
	members["data"] = sent
	return encode(members)
}

// accountData returns the data of an account and its encoding. Some golden answers have
// only the first bytes: the others are zeros. The data is nil if it was compressed, or
// parsed and is not a token account without extensions.
func accountData(members map[string]json.RawMessage, space int) (data []byte, encoding string) {
	var pair []string
	if json.Unmarshal(members["data"], &pair) != nil || len(pair) != 2 {
		return unparsed(members["data"]), "jsonParsed"
	}
	var err error
	switch encoding = pair[1]; encoding {
	case "base64":
		data, err = base64.StdEncoding.DecodeString(pair[0])
	case "base58":
		data, err = unbase58(pair[0])
	default:
		return nil, encoding
	}
	if err != nil {
		return nil, encoding
	}
	return append(data, make([]byte, max(0, space-len(data)))...), encoding
}

// unparsed returns the bytes of a token account that a node parsed, nil of anything else
// and if the account has extensions.
func unparsed(parsed json.RawMessage) []byte {
	type amount struct {
		Raw uint64 `json:"amount,string"`
	}
	var sent struct {
		Parsed struct {
			Type string `json:"type"`
			Info struct {
				Mint       string            `json:"mint"`
				Owner      string            `json:"owner"`
				Amount     amount            `json:"tokenAmount"`
				Delegate   string            `json:"delegate"`
				Delegated  amount            `json:"delegatedAmount"`
				State      string            `json:"state"`
				Reserve    amount            `json:"rentExemptReserve"`
				Closer     string            `json:"closeAuthority"`
				Extensions []json.RawMessage `json:"extensions"`
			} `json:"info"`
		} `json:"parsed"`
		Program string `json:"program"`
	}
	err := json.Unmarshal(parsed, &sent)
	info := sent.Parsed.Info
	if err != nil || !strings.HasPrefix(sent.Program, "spl-token") || sent.Parsed.Type != "account" || len(info.Extensions) > 0 {
		return nil
	}
	return delegation{
		mint: info.Mint, owner: info.Owner, amount: info.Amount.Raw, delegate: info.Delegate, delegated: info.Delegated.Raw,
		frozen: info.State == "frozen", reserve: info.Reserve.Raw, closer: info.Closer,
	}.data()
}
