package fake

import (
	"encoding/json"
	"slices"
	"strconv"
)

// pages answers for the first page of a listing like first, and for all further pages
// with an empty last one. Other methods are answered like first.
func pages(first operation) operation {
	return func(s *Service, c *call) ([]byte, *refusal) {
		body, refused := first(s, c)
		page, further, ascending := place(c.params)
		switch {
		case refused != nil:
			return nil, refused
		case further:
			return emptied(body, page), nil
		case ascending:
			return reversed(body), nil
		}
		return body, nil
	}
}

// place reports whether params ask for a page after the first one, the number of that
// page, which is 0 in a listing by cursor, and whether they ask for the oldest items
// first.
func place(params json.RawMessage) (page int, further, ascending bool) {
	var positional []json.RawMessage
	if json.Unmarshal(params, &positional) != nil {
		positional = []json.RawMessage{params}
	}
	for _, param := range positional {
		var options struct {
			Before          string `json:"before"`
			Cursor          string `json:"cursor"`
			PaginationKey   string `json:"paginationKey"`
			PaginationToken string `json:"paginationToken"`
			SortOrder       string `json:"sortOrder"`
			Page            int    `json:"page"`
		}
		if _, isObject := object(param); isObject && json.Unmarshal(param, &options) == nil {
			ranges := len(positional) == 1 // before is the end of a range there
			further = further || options.Cursor+options.PaginationKey+options.PaginationToken != "" ||
				options.Page > 1 || options.Before != "" && !ranges
			page = max(page, options.Page)
			ascending = ascending || options.SortOrder == "asc"
		}
	}
	return page, further, ascending
}

// reversed returns a page whose member data has the other order.
func reversed(body []byte) []byte {
	members, _ := object(body)
	var items []json.RawMessage
	if json.Unmarshal(members["data"], &items) != nil {
		return body
	}
	slices.Reverse(items)
	members["data"] = encode(items)
	return encode(members)
}

// emptied returns a page without items, which no other page follows.
func emptied(body []byte, page int) []byte {
	members, isObject := object(body)
	if !isObject {
		return []byte("[]")
	}
	for name, value := range members {
		switch {
		case name == "page":
			members[name] = json.RawMessage(strconv.Itoa(page))
		case name == "cursor" || name == "paginationKey" || name == "paginationToken":
			members[name] = json.RawMessage("null")
		case name == "value":
			members[name] = emptied(value, page)
		case len(value) > 0 && value[0] == '[':
			members[name] = json.RawMessage("[]")
		}
	}
	return encode(members)
}
