package das_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

const good = `{"id":"DAkT1sn9kfZfSH8FQNwYCTHdnEzbEVGhiHtSLq32eSzD","interface":"V1_NFT"}`

func TestUnreadableAssetLeavesTheOthers(t *testing.T) {
	t.Parallel()
	for path, odd := range map[string]string{
		"token_info.supply":  `"token_info":{"decimals":6,"supply":-1}`,
		"token_info.balance": `"token_info":{"balance":5000.5}`,
		"creators[1].share":  `"creators":[{"address":"a","share":66},{"address":"b","share":33.3}]`,
		"interface":          `"interface":7`,
	} {
		c := replying(t, `"result":{"items":[`+good+`,{"id":"D8TVAJ5qTR2guyFn2havVUfNN3VAiaoC5e14xBbRwFA4",`+odd+`},`+good+`]}`)
		page, err := c.AssetsByOwner(t.Context(), owner, nil).Page()
		var item *types.ItemError
		require.ErrorAs(t, err, &item)
		require.Equal(t, path, item.Path)
		require.Equal(t, "D8TVAJ5qTR2guyFn2havVUfNN3VAiaoC5e14xBbRwFA4", item.ID)
		require.Len(t, page.Items, 2)
	}
}

func TestTokenAccountWithoutAnAmountIsUnreadable(t *testing.T) {
	t.Parallel()
	c := replying(t, `"result":{"token_accounts":[{"address":"a","amount":0},{"address":"b"},{"address":"c","amount":null}]}`)
	page, err := c.TokenAccounts(t.Context(), das.TokenAccountsFilter{Owner: owner}, nil).Page()
	var item *types.ItemError
	require.ErrorAs(t, err, &item)
	require.Equal(t, "amount", item.Path)
	require.Equal(t, "b", item.ID)
	require.Len(t, item.More, 1)
	require.Len(t, page.Items, 1)
}

func TestRoundedSupplyIsTheMaximum(t *testing.T) {
	t.Parallel()
	for _, supply := range []string{"18446744073709552000", "1.8446744073709552e19", `"18446744073709552000"`, "18446744073709551615"} {
		c := replying(t, `"result":{"id":"`+owner+`","token_info":{"supply":`+supply+`,"decimals":5.0}}`)
		asset, err := c.Asset(t.Context(), owner, nil)
		require.NoError(t, err)
		require.Equal(t, uint64(1<<64-1), asset.TokenInfo.RawSupply)
		require.Equal(t, uint8(5), asset.TokenInfo.Decimals)
	}
}

func TestEmptyProofIsNone(t *testing.T) {
	t.Parallel()
	for _, none := range []string{"null", "{}"} {
		got, err := replying(t, `"result":{"`+owner+`":`+none+`}`).Proofs(t.Context(), []types.Address{owner})
		require.NoError(t, err)
		require.Equal(t, []*das.Proof{nil}, got)
		_, err = replying(t, `"result":`+none).Proof(t.Context(), owner)
		require.ErrorIs(t, err, types.ErrNotFound)
	}
}

func TestProofWithoutARootIsUnreadable(t *testing.T) {
	t.Parallel()
	_, err := replying(t, `"result":{"`+owner+`":{"proof":[],"leaf":"x"}}`).Proofs(t.Context(), []types.Address{owner})
	var item *types.ItemError
	require.ErrorAs(t, err, &item)
	require.Equal(t, "root", item.Path)
	require.Equal(t, owner, item.ID)
	_, err = replying(t, `"result":{"leaf":"x"}`).Proof(t.Context(), owner)
	require.ErrorContains(t, err, "the response has no root")
}

// The indexer sends later pages in another order.
func TestResumedWalkSeesRepeatedItems(t *testing.T) {
	t.Parallel()
	w := newWorld(60)
	w.unordered = true
	c := w.client(t)
	page := types.PageOptions{Limit: 10}
	for name, list := range map[string]func() (string, bool, error){
		"token accounts": func() (string, bool, error) {
			p, err := c.TokenAccounts(t.Context(), das.TokenAccountsFilter{Owner: owner}, &das.TokenAccountsOptions{PageOptions: page}).Page()
			if err != nil {
				return "", false, err
			}
			return p.Cursor, p.HasMore, nil
		},
		"assets in no order": func() (string, bool, error) {
			p, err := c.AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: page, SortBy: das.SortByNone}).Page()
			if err != nil {
				return "", false, err
			}
			return p.Cursor, p.HasMore, nil
		},
	} {
		page.Cursor = ""
		var err error
		for more := true; more && err == nil; {
			page.Cursor, more, err = list()
			require.Less(t, len(page.Cursor), 4096)
		}
		require.ErrorIs(t, err, types.ErrIncomplete, name)
	}
}

// The indexer hides the assets with the lowest IDs, so only a descending listing has the
// others.
func TestConcurrencyKeepsTheDirection(t *testing.T) {
	t.Parallel()
	w := newWorld(200)
	for i := range w.assets[:160] {
		w.assets[i].hidden = true
	}
	for _, concurrency := range []int{0, 2, 3, 8} {
		all, err := w.client(t).AssetsByOwner(t.Context(), owner, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 20}, Concurrency: concurrency}).Collect(1000)
		require.NoError(t, err)
		require.Len(t, all, 40)
	}
}
