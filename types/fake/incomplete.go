package fake

import (
	"bytes"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

// incomplete is the Body of the Fault of [Incomplete]. It stands for a page in the shape of the
// operation.
const incomplete = "\x00incomplete"

// brokenCursor is the cursor of an incomplete page. The page after it is incomplete too, and
// has the same cursor.
const brokenCursor = "NoNextPage111111111111111111111111111111111"

// continues reports whether a request is for the page after an incomplete one.
func continues(x *fakeapi.Incoming) bool {
	return bytes.Contains(x.Body, []byte(brokenCursor)) || strings.Contains(x.URL.RawQuery, brokenCursor)
}

// incompletePage returns the incomplete page for a request. It has the members of all
// listings.
func incompletePage(x *fakeapi.Incoming) []byte {
	const (
		lists = `"items":[],"accounts":[],"token_accounts":[],"token_balances":[],"editions":[],"data":[],"balances":[],` +
			`"cursor":"` + brokenCursor + `","paginationKey":"` + brokenCursor + `","paginationToken":"` + brokenCursor + `"`
		page = `{` + lists + `,"page":2147483647,"master_edition_address":"` + string(types.SystemProgram) + `","pagination":{"hasMore":true,"page":0},"scan":{"stoppedOn":"deadline"},` +
			`"context":{"slot":1},"value":{` + lists + `}}`
	)
	result := page
	if slices.Contains(x.Names, "getSignaturesForAddress") || slices.Contains(x.Names, "GET /v0/addresses/{address}/transactions") {
		// These continue after the last signature, which also contains brokenCursor.
		result = `[{"signature":"` + brokenCursor + strings.Repeat("1", 44) + `","slot":1}]`
	}
	if x.URL.Path != "/" {
		return []byte(result)
	}
	return x.Result([]byte(result))
}
