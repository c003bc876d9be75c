package fake

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
)

// An accountQuery is the part of the account data in a golden answer that is sent.
type accountQuery struct {
	part    *slice
	refused *refusal
}

// narrowed returns the result of a method with the data that params select.
func (s *Service) narrowed(result, params json.RawMessage) ([]byte, *refusal) {
	p := optionsOf(params)
	p.lenient = s.Lenient
	q := accountQuery{part: p.slice()}
	if p.refused != nil || q.part == nil {
		return result, p.refused
	}
	return q.of(result), q.refused
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

// of returns a result, or a part of it, with the selected data.
func (q *accountQuery) of(raw json.RawMessage) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && list != nil {
		for i := range list {
			list[i] = q.of(list[i])
		}
		return encode(list)
	}
	members, isObject := object(raw)
	if !isObject {
		return raw
	}
	if members["lamports"] != nil {
		return q.account(members)
	}
	for _, name := range []string{"value", "accounts", "account"} {
		if members[name] != nil {
			members[name] = q.of(members[name])
		}
	}
	return encode(members)
}

// account returns an account with the selected data. Data that the node parsed or
// compressed stays as it is.
func (q *accountQuery) account(members map[string]json.RawMessage) json.RawMessage {
	if data, encoding := accountData(members); encoding != "" {
		sent, refused := nodeConfig{encoding: encoding, part: q.part}.encoded(data)
		if refused != nil {
			q.refused = refused
			return nil
		}
		members["data"] = sent
	}
	return encode(members)
}

// accountData returns the data of an account and its encoding, which is empty unless it
// is base64 or base58. Some golden answers have only the first bytes: the others are
// zeros.
func accountData(members map[string]json.RawMessage) (data []byte, encoding string) {
	var pair []string
	if json.Unmarshal(members["data"], &pair) != nil || len(pair) != 2 {
		return nil, ""
	}
	var err error
	switch encoding = pair[1]; encoding {
	case "base64":
		data, err = base64.StdEncoding.DecodeString(pair[0])
	case "base58":
		data, err = unbase58(pair[0])
	default:
		return nil, ""
	}
	if err != nil {
		return nil, ""
	}
	space, _ := strconv.Atoi(string(members["space"]))
	return append(data, make([]byte, max(0, space-len(data)))...), encoding
}
