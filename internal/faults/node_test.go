package faults_test

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/types"
)

// A nodeCall is a call of a listing of forty items, which the fake of the service
// does not page.
type nodeCall struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// A nodeWindow is the part of a listing that a call asks for.
type nodeWindow struct {
	Limit  int    `json:"limit"`
	Before string `json:"before"`
	Token  string `json:"paginationToken"`
	Cursor string `json:"cursor"`
	Page   int    `json:"page"`
	SortBy struct {
		Direction string `json:"sortDirection"`
	} `json:"sortBy"`
}

// signatures are the newest first, two in each slot.
var signatures = sync.OnceValue(func() []string {
	var all []string
	for i := range 40 {
		sum := sha512.Sum512([]byte{byte(i)})
		all = append(all, base58.Encode(sum[:]))
	}
	return all
})

// assetIDs descend.
var assetIDs = sync.OnceValue(func() []string {
	var all []string
	for i := range 40 {
		sum := sha256.Sum256([]byte{byte(i)})
		sum[0] = byte(240 - i)
		all = append(all, string(types.AddressOf(sum)))
	}
	return all
})

// nodeResult returns the result of a call, false if it is not for a node.
func nodeResult(body []byte) (result string, found bool) {
	var c nodeCall
	var w nodeWindow
	if json.Unmarshal(body, &c) != nil {
		return "", false
	}
	params := c.Params
	if list := []json.RawMessage(nil); json.Unmarshal(params, &list) == nil && len(list) == 2 {
		params = list[1]
	}
	if json.Unmarshal(params, &w) != nil {
		return "", false
	}
	switch c.Method {
	case "getSignaturesForAddress":
		items, _ := w.signatures(slices.Index(signatures(), w.Before) + 1)
		return items, true
	case "getTransactionsForAddress":
		start, _ := strconv.Atoi(w.Token)
		items, end := w.signatures(start)
		token := "null"
		if end < len(signatures()) {
			token = strconv.Quote(strconv.Itoa(end))
		}
		return fmt.Sprintf(`{"data":%s,"paginationToken":%s}`, items, token), true
	case "getAssetsByOwner":
		return w.assets(), true
	}
	return "", false
}

// signatures returns the items at start, and where the next ones start.
func (w nodeWindow) signatures(start int) (list string, end int) {
	end = min(start+w.Limit, len(signatures()))
	var items []string
	for i, s := range signatures()[start:end] {
		i += start
		items = append(items, fmt.Sprintf(`{"signature":%q,"slot":%d,"transactionIndex":%d,"err":null}`, s, 1000-i/2, 2-i%2))
	}
	return "[" + strings.Join(items, ",") + "]", end
}

// assets returns a page by page number, or one after the cursor. A page of nothing has
// no cursor.
func (w nodeWindow) assets() string {
	ids := slices.Clone(assetIDs())
	if w.SortBy.Direction == "asc" {
		slices.Reverse(ids)
	}
	start := slices.Index(ids, w.Cursor) + 1
	if w.Page > 0 {
		start = min((w.Page-1)*w.Limit, len(ids))
	}
	ids = ids[start:min(start+w.Limit, len(ids))]
	var items []string
	for _, id := range ids {
		items = append(items, fmt.Sprintf(`{"interface":"V1_NFT","id":%q}`, id))
	}
	where := ""
	switch {
	case w.Page > 0:
		where = fmt.Sprintf(`"page":%d,`, w.Page)
	case len(ids) > 0:
		where = fmt.Sprintf(`"cursor":%q,`, ids[len(ids)-1])
	}
	return fmt.Sprintf(`{"limit":%d,%s"items":[%s]}`, w.Limit, where, strings.Join(items, ","))
}
