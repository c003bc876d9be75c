package fake

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Incomplete is the Body of a Fault that sends a page of a listing that cannot be
// continued, in the shape of the operation.
const Incomplete = "incomplete"

// brokenCursor is the cursor of an incomplete page. The page after it is incomplete too,
// and has the same cursor.
const brokenCursor = "NoNextPage111111111111111111111111111111111"

// continues reports whether a request is for the page after an incomplete one.
func continues(r *http.Request, body []byte) bool {
	return bytes.Contains(body, []byte(brokenCursor)) || strings.Contains(r.URL.RawQuery, brokenCursor)
}

// incomplete returns the incomplete page for a request. It has the members of all
// listings.
func incomplete(r *http.Request, body []byte) []byte {
	const (
		lists = `"items":[],"accounts":[],"token_accounts":[],"token_balances":[],"editions":[],"data":[],"balances":[],` +
			`"cursor":"` + brokenCursor + `","paginationKey":"` + brokenCursor + `","paginationToken":"` + brokenCursor + `"`
		page = `{` + lists + `,"page":2147483647,"master_edition_address":"` + usdcMint + `","pagination":{"hasMore":true,"page":0},` +
			`"context":{"slot":1},"value":{` + lists + `}}`
	)
	names := operationsOf(r, body)
	result := page
	if slices.Contains(names, "getSignaturesForAddress") || slices.Contains(names, "GET /v0/addresses/{address}/transactions") {
		// These continue after the last signature, which also contains brokenCursor.
		result = `[{"signature":"` + brokenCursor + strings.Repeat("1", 44) + `","slot":1}]`
	}
	if r.URL.Path != "/" {
		return []byte(result)
	}
	id := firstID(body)
	if id == nil {
		id = null()
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","result":%s,"id":%s}`, result, id)
}
