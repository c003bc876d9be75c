package das_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// A reply is a Transport that responds to every request with the same members.
type reply string

func (r reply) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Request: req, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(`{"jsonrpc":"2.0",` + string(r) + `}`)),
	}, nil
}

func replying(t *testing.T, members string) *das.Client {
	t.Helper()
	c, err := das.New(types.Config{APIKey: types.Key("a-key"), HTTPClient: &http.Client{Transport: reply(members)}})
	require.NoError(t, err)
	return c
}

func TestNewRefusesInvalidConfig(t *testing.T) {
	t.Parallel()
	c, err := das.New(types.Config{})
	require.Nil(t, c)
	require.ErrorIs(t, err, types.ErrInvalid)
}

// asked returns n IDs in which each occurs twice, half of them unknown to w.
func asked(w *world, n int) []types.Address {
	unknown := newWorld(len(w.assets) + n).assets
	var ids []types.Address
	for i := range n / 2 {
		id := w.assets[i%len(w.assets)].id
		if i%2 == 1 {
			id = unknown[i].id
		}
		ids = append(ids, id, id)
	}
	return ids
}

func TestBatchesAreInTheOrderOfTheirIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(2600)
	ids := asked(w, 5000)
	got, err := w.client(t).Assets(t.Context(), ids, nil)
	require.NoError(t, err)
	require.Len(t, got, len(ids))
	known := map[types.Address]bool{}
	for _, e := range w.assets {
		known[e.id] = true
	}
	for i, a := range got {
		require.Equal(t, known[ids[i]], a != nil)
		require.True(t, a == nil || a.ID == ids[i])
	}
	require.Len(t, w.requests, 3, "each ID is sent once")
	for _, p := range w.requests {
		require.LessOrEqual(t, len(p.IDs), 1000)
	}
}

func TestUnknownRoyaltyPercentStaysUnknown(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(das.Royalty{BasisPoints: 500})
	require.NoError(t, err)
	require.NotContains(t, string(text), "percent")
}

func TestAccountsByCursorAndByPage(t *testing.T) {
	t.Parallel()
	w := newWorld(30)
	accounts, err := w.client(t).TokenAccounts(t.Context(), das.TokenAccountsFilter{Mint: owner}, &das.TokenAccountsOptions{PageOptions: types.PageOptions{Limit: 10}}).Collect(100)
	require.NoError(t, err)
	require.Len(t, accounts, 30)
	require.Len(t, w.requests, 4, "the last page is empty")

	const page = `"result":{"token_accounts":[{"address":"a","amount":0},{"address":"b","amount":1}],"cursor":"%s"}`
	c := replying(t, fmt.Sprintf(page, "c"))
	accounts, err = c.TokenAccounts(t.Context(), das.TokenAccountsFilter{Owner: owner}, nil).Collect(100)
	require.ErrorIs(t, err, types.ErrIncomplete, "the cursor does not move")
	require.Len(t, accounts, 2, "the items before the error")
}

func TestBrokenAccountsReachTheCaller(t *testing.T) {
	t.Parallel()
	c := replying(t, `"result":{"token_accounts":[],"errors":[{"id":"x","error":"why"},{"id":"y"}]}`)
	page, err := c.TokenAccounts(t.Context(), das.TokenAccountsFilter{Mint: owner}, nil).Page()
	require.NoError(t, err)
	require.Equal(t, []das.TokenAccount{{Address: "x", Problem: "why"}, {Address: "y", Problem: "unknown"}}, page.Items)
	require.True(t, page.HasMore)
}

func TestNativeBalanceBesideANestedList(t *testing.T) {
	t.Parallel()
	c := replying(t, `"result":{"assets":{"items":[{"id":"x"}],"grand_total":"many"},"nativeBalance":{"lamports":18446744073709551615,"price_per_sol":0.1}}`)
	page, err := c.SearchAssets(t.Context(), das.SearchFilter{}, nil).Page()
	require.NoError(t, err)
	require.Equal(t, uint64(18446744073709551615), page.NativeBalance.Lamports)
	require.Equal(t, "0.1", page.NativeBalance.PricePerSOL.Decimal.String())
	require.False(t, page.NativeBalance.TotalPrice.Valid)
	require.Zero(t, page.Total, "an invalid total does not lose the page")
	require.Len(t, page.Items, 1)

	_, err = replying(t, `"result":{"items":[{"id":"x"}],"nativeBalance":{"price_per_sol":0.1}}`).AssetsByOwner(t.Context(), owner, nil).Page()
	require.ErrorContains(t, err, "the response has no lamports")
}

func TestAmountsMayBeText(t *testing.T) {
	t.Parallel()
	const asset = `{"id":"` + owner + `","token_info":{"balance":"18446744073709551615","supply":"9007199254740993","decimals":9}}`
	want := &das.TokenInfo{RawAmount: 18446744073709551615, RawSupply: 9007199254740993, Decimals: 9}
	page, err := replying(t, `"result":{"items":[`+asset+`],"nativeBalance":{"lamports":"18446744073709551615"}}`).AssetsByOwner(t.Context(), owner, nil).Page()
	require.NoError(t, err)
	require.Equal(t, want, page.Items[0].TokenInfo)
	require.Equal(t, uint64(18446744073709551615), page.NativeBalance.Lamports)
	single, err := replying(t, `"result":`+asset).Asset(t.Context(), owner, nil)
	require.NoError(t, err)
	require.Equal(t, want, single.TokenInfo)
	accounts, err := replying(t, `"result":{"token_accounts":[{"address":"a","amount":"18446744073709551615","delegated_amount":"7"}]}`).
		TokenAccounts(t.Context(), das.TokenAccountsFilter{Mint: owner}, nil).Page()
	require.NoError(t, err)
	require.Equal(t, []das.TokenAccount{{Address: "a", RawAmount: 18446744073709551615, RawDelegatedAmount: 7}}, accounts.Items)
}

func TestInexactAmountsAreErrors(t *testing.T) {
	t.Parallel()
	for _, amount := range []string{`1.5`, `"1.5"`, `-1`, `18446744073709561616`} {
		_, err := replying(t, `"result":{"id":"x","token_info":{"balance":`+amount+`}}`).Asset(t.Context(), owner, nil)
		require.ErrorContains(t, err, "is not a whole number of 64 bits", amount)
	}
}

func TestCollectionIsTheGroupOfAnAsset(t *testing.T) {
	t.Parallel()
	const collection = "D8TVAJ5qTR2guyFn2havVUfNN3VAiaoC5e14xBbRwFA4"
	const groups = `[{"group_key":"series","group_value":"1"},{"group_key":"collection","group_value":"` + collection + `","verified":true}]`
	a, err := replying(t, `"result":{"id":"`+owner+`","grouping":`+groups+`}`).Asset(t.Context(), owner, nil)
	require.NoError(t, err)
	require.Equal(t, &das.Group{Key: das.GroupCollection, Value: collection, Verified: true}, a.Collection())
	require.Nil(t, new(das.Asset).Collection())
}

func TestNullMembersOfAnyShapeAreNil(t *testing.T) {
	t.Parallel()
	a, err := replying(t, `"result":{"id":"`+owner+`","grouping":[{"group_key":"collection","collection_metadata":null}],"plugins":{"p":{"data":null}},`+
		`"content":{"files":[{"uri":"u","quality":null,"contexts":null}],"metadata":{"attributes":[{"trait_type":"t","value":null}]}}}`).Asset(t.Context(), owner, nil)
	require.NoError(t, err)
	require.Equal(t, []das.Group{{Key: das.GroupCollection}}, a.Grouping)
	require.Equal(t, []das.File{{URI: "u"}}, a.Content.Files())
	require.Equal(t, []das.Attribute{{Key: "t"}}, a.Content.Attributes())
	require.Empty(t, a.Content.Attributes()[0].Text())
	p, err := a.Plugin("p")
	require.NoError(t, err)
	require.Nil(t, p.Data)
}

func TestOptionsAreCopied(t *testing.T) {
	t.Parallel()
	w := newWorld(20)
	opts := &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 5}}
	group := das.InCollection(owner)
	all := w.client(t).SearchAssets(t.Context(), das.SearchFilter{Grouping: group}, opts).All()
	*opts, *group = das.AssetsOptions{PageOptions: types.PageOptions{Limit: -1}}, das.Grouping{}
	got, err := walked(all)
	require.NoError(t, err)
	require.Len(t, got, 20)
}

// The documents do not exclude it, so the service decides.
func TestSearchByTokenTypeAndInterface(t *testing.T) {
	t.Parallel()
	w := newWorld(1)
	filter := das.SearchFilter{Owner: owner, TokenType: das.TokenTypeAll, Interface: das.InterfaceCustom, OwnerType: das.OwnershipModelSingle}
	_, err := w.client(t).SearchAssets(t.Context(), filter, nil).Page()
	require.NoError(t, err)
	require.Len(t, w.requests, 1)
}
