package conformance_test

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

const (
	nftOwner   = "7PRLRM1SzzQKnEwmdta8QeTQd94G4up6LkJwAw1UNhZw"
	nft        = "E21SDWegRqQE8mt24jq62GZAh4hNaMbgcQhQM36uf5zT"
	collection = "D8TVAJ5qTR2guyFn2havVUfNN3VAiaoC5e14xBbRwFA4"
	nftCreator = "8jgUWNmKK756Hkcz9mCGNmBwMdBizuF42rmbQqbJ2J4U"
	authority  = "FChWuLD7CW22XWFQyVtamtFmVfyN5TddThywza8k6Y9L"
	cnft       = "57dn66hHStSk6VE6Xo87zCuAjcDKneZJAYHfsHEHazF"
	oldCNFT    = "gJCXUErFxxpUziegy13G4Ab465LLp4QCeJg5iHMYKyj"
	burntCNFT  = "GFqX8XFtTWtnAGFF1jCV9YqxWijn3majMDwrBh8fYwBH"
	printed    = "E6yahn3PYHBg8FJJJYAujot2XYeQMiTGgAoG1nvYXXJX"
	heldMint   = "mtDy1W6BxAbH9iBcgPzDiqHB96Ed5bHdZcdwRNkKor4"
)

var (
	nftBatch = []types.Address{
		"5ZwuZdyDq5mjz7HJptSgMfZR8k9JigeZkxHBAFDp4Mxd", "6bjqrFWxDPLMj8kFqELSZUxCqEJYNA61hXpZmQfGzhMH", "72EmR9wX3tw8MpQjNjqJubLUYUTh7DCskaFf9icw6aWU",
		"8Xz32bDBekPQZq1TQpKGjUGJ7Q66N7HMWm77wEqQs38C", "CkPnVNrhG17ZzBqqEr9qLSxxD9hv3T2KEyzdKDyrYk8D",
	}
	proofBatch = []types.Address{
		"Hpqg7WBgo3L7T6uXgnkhQauurBcNtUWEg2oAvbCcnY1s", "6bjqrFWxDPLMj8kFqELSZUxCqEJYNA61hXpZmQfGzhMH", "DkNW9t9QrRWSG5Wkns8GBiJKyWn6qMeYhuc9ZhJUm77U",
	}
	agent         = types.Address("8fLB31pvF5Q8oR37mp43jwjHPR1FaDv4x2hwuu4xLEDC")
	assetOptions  = das.AssetOptions{ShowFungible: true, ShowUnverifiedCollections: true, ShowCollectionMetadata: true, ShowInscription: true}
	assetsOptions = das.AssetsOptions{
		PageOptions: types.PageOptions{Cursor: nft, Limit: 4, Prefetch: true}, Concurrency: 4,
		ShowFungible: true, ShowUnverifiedCollections: true, ShowCollectionMetadata: true, ShowInscription: true,
		ShowZeroBalance: true, ShowNativeBalance: true, ShowGrandTotal: true,
	}
	assetsBeside = []string{"total", "limit", "page", "cursor", "after", "before"}
)

func dasRows() []row {
	return slices.Concat(assetRows(), assetListRows(), searchRows(), proofRows(), nftPageRows(), tokenAccountRows())
}

func assetRows() []row {
	found := []string{"result.0.id", "result.2.id", "result.3.id", "result.4.id"}
	one := row{
		method: "das.Client.Asset", wire: "getAsset", minimal: calling("das.Client.Asset", nft), full: calling("das.Client.Asset", nft, &assetOptions),
		needs: []string{"result.id"}, keys: []string{"result.id"}, null: nullIsNotFound,
	}
	return []row{
		one, one.variant("agent", calling("das.Client.Asset", agent)),
		{method: "das.Client.Assets", wire: "getAssetBatch", args: []any{nftBatch}, options: &assetOptions, needs: found, keys: found},
	}
}

// An assetListing is the method and the arguments of one of the listings that share their
// options.
type assetListing []any

func (l assetListing) call(o *das.AssetsOptions) call {
	method, _ := l[0].(string)
	return calling(method, append(slices.Clone(l[1:]), o)...)
}

// refuses returns the refusals of options that are the same for all listings.
func (l assetListing) refuses(more ...refusal) []refusal {
	return append(more,
		refusal{l.call(&das.AssetsOptions{Concurrency: -1}), "Concurrency -1 is negative; 0 means the default"},
		refusal{l.call(&das.AssetsOptions{Concurrency: 257}), "Concurrency 257 is more than 256"},
		refusal{l.call(&das.AssetsOptions{PageOptions: types.PageOptions{Cursor: nft}, SortBy: das.SortByCreated}), "Cursor is not the Cursor of a page of this listing"},
		refusal{l.call(&das.AssetsOptions{AfterID: nft, SortBy: das.SortByUpdated}), `SortBy "updated" does not go with AfterID and BeforeID; use SortByID`},
		refusal{l.call(&das.AssetsOptions{Concurrency: 2, SortBy: das.SortByUpdated}), `SortBy "updated" does not go with Concurrency; use SortByID`},
		refusal{l.call(&das.AssetsOptions{BeforeID: nft, SortDirection: das.SortDirectionDescending}), "SortDirection desc does not go with AfterID and BeforeID; leave it empty"},
	)
}

func hideUnverified(l assetListing) refusal {
	return refusal{l.call(&das.AssetsOptions{HideUnverified: true}), "HideUnverified is for AssetsByCreator only; in a search, use CreatorVerified"}
}

// row returns the row of a listing of assets, with calls without options and with these.
func (l assetListing) row(wire string, full *das.AssetsOptions, refused []refusal) row {
	method, _ := l[0].(string)
	return row{
		method: method, wire: wire, minimal: l.call(nil), full: l.call(full), shape: as(wiredAssets),
		beside: assetsBeside, needs: []string{"result.items"}, refused: refused, list: listOf(`{"id":"%s"}`, `{"items":[%s],"cursor":%s}`, l[1:]...),
	}
}

func assetListRows() []row {
	byOwner := assetListing{"das.Client.AssetsByOwner", nftOwner}
	byAuthority := assetListing{"das.Client.AssetsByAuthority", authority}
	byCreator := assetListing{"das.Client.AssetsByCreator", nftCreator}
	byGroup := assetListing{"das.Client.AssetsByGroup", das.GroupCollection, collection}
	verified := assetsOptions
	verified.HideUnverified = true
	owned := byOwner.row("getAssetsByOwner", &assetsOptions, byOwner.refuses(hideUnverified(byOwner)))
	inRange := owned.variant("range", byOwner.call(&das.AssetsOptions{
		PageOptions: types.PageOptions{Limit: 5}, AfterID: "JCunYJEsw3AeCR7zgHziG3cbDDbEskZbPGoSAtMVznTc", BeforeID: "JDbqSkg9VVDp6rGQyzL1xnoUKJLcVCSS2JyCtk5KRbxw",
	}))
	inRange.keys = []string{"result.items.0.id", "result.items.1.id"}
	return []row{
		owned, inRange,
		owned.variant("numbered", byOwner.call(&das.AssetsOptions{PageOptions: types.PageOptions{Cursor: "/3"}, SortBy: das.SortByCreated, SortDirection: das.SortDirectionDescending})),
		byAuthority.row("getAssetsByAuthority", &assetsOptions, byAuthority.refuses(hideUnverified(byAuthority))),
		byCreator.row("getAssetsByCreator", &verified, byCreator.refuses()),
		byGroup.row("getAssetsByGroup", &assetsOptions,
			byGroup.refuses(hideUnverified(byGroup), refusal{calling("das.Client.AssetsByGroup", "", collection), "key is empty; use GroupCollection"})),
	}
}

func searchRows() []row {
	searching := func(f das.SearchFilter) assetListing { return assetListing{"das.Client.SearchAssets", f} }
	refuses := func(f das.SearchFilter, says string) refusal { return refusal{searching(f).call(nil), says} }
	everything := das.SearchFilter{
		Owner: nftOwner, Creator: nftCreator, CreatorVerified: das.FlagYes, Authority: authority, Grouping: das.InCollection(collection),
		Delegate: "Bnvhu96PgVZESzdPrjVX91vbysMLaTf7dEpD776MKqsP", Frozen: das.FlagNo, Burnt: das.FlagNo, Compressed: das.FlagYes, Compressible: das.FlagNo,
		Tree: "8vjCr25LU9KfXLp5zfGCNVf4V4oYW61qjpPS5Eiccjco", Supply: das.Exactly(0), SupplyMint: "DkNW9t9QrRWSG5Wkns8GBiJKyWn6qMeYhuc9ZhJUm77U",
		RoyaltyModel: das.RoyaltyModelCreators, RoyaltyTarget: "HbZHHPRNvxymMWfJ7KAq7S8zQfpi6AQLrGL3f3Ez23cp", BasisPoints: das.Exactly(333),
		Agent: das.FlagYes, AgentSigner: "DkNW9t9QrRWSG5Wkns8GBiJKyWn6qMeYhuc9ZhJUm77U", AgentToken: "8vjCr25LU9KfXLp5zfGCNVf4V4oYW61qjpPS5Eiccjco",
		Interface: das.InterfaceV1NFT, OwnerType: das.OwnershipModelSingle, JSONURI: "https://meta.example/5.json", Name: "Kit", Negate: true,
		Condition: das.ConditionAny,
	}
	plain := searching(das.SearchFilter{Owner: nftOwner})
	found := plain.row("searchAssets", nil, plain.refuses(
		refuses(das.SearchFilter{Owner: "x"}, `Owner "x": address has length 1, not 32 to 44`),
		refuses(das.SearchFilter{TokenType: das.TokenTypeAll}, "TokenType requires Owner"),
		refuses(das.SearchFilter{TokenType: "Fungible", Owner: nftOwner, Creator: nftCreator}, "TokenType fungible does not go with Creator; set one of them"),
		refuses(das.SearchFilter{Name: "Kit"}, "Name requires Owner"),
		refuses(das.SearchFilter{JSONURI: "a\x00b"}, "Name or JSONURI has a zero byte"),
		refuses(das.SearchFilter{Frozen: "yes"}, `Flag "yes" is not true or false`),
		refuses(das.SearchFilter{Agent: "yes"}, `Flag "yes" is not true or false`),
		refuses(das.SearchFilter{Supply: das.Exactly(1 << 63)}, "Supply 9223372036854775808 is more than the service can compare with, 9223372036854775807"),
		refuses(das.SearchFilter{BasisPoints: das.Exactly(1 << 32)}, "BasisPoints 4294967296 is more than 10000"),
		refuses(das.SearchFilter{Grouping: &das.Grouping{Key: "collection"}}, "Grouping needs both a key and a value; make it with InCollection"),
		hideUnverified(plain),
	))
	found.full = searching(everything).call(&assetsOptions)
	nested := found.variant("nested", searching(das.SearchFilter{Owner: nftOwner, TokenType: das.TokenTypeNonFungible}).call(&das.AssetsOptions{ShowNativeBalance: true}))
	nested.answer, nested.needs = "result.assets", []string{"result.assets", "result.assets.items"}
	nested.shape = as(func(page *das.AssetPage) any {
		page.NativeBalance = nil // is one level higher than the list
		return wiredAssets(page)
	})
	return []row{found, nested}
}

func proofRows() []row {
	return []row{
		{method: "das.Client.Proof", wire: "getAssetProof", args: []any{cnft}, needs: []string{"result.root"}, null: nullIsNotFound},
		{
			method: "das.Client.Proofs", wire: "getAssetProofBatch", args: []any{proofBatch}, shape: as(func(list []*das.Proof) any {
				byID := map[types.Address]*das.Proof{}
				for i, p := range list {
					byID[proofBatch[i]] = p
				}
				return byID
			}),
		},
	}
}

func nftPageRows() []row {
	signatures := func(id types.Address, o *das.ListingOptions) call { return calling("das.Client.Signatures", id, o) }
	editions := func(o *das.ListingOptions) call { return calling("das.Client.Editions", printed, o) }
	signed := row{
		method: "das.Client.Signatures", wire: "getSignaturesForAsset", minimal: signatures(burntCNFT, nil), answer: "result.items",
		refused: []refusal{
			{signatures(burntCNFT, &das.ListingOptions{PageOptions: types.PageOptions{Cursor: "0"}}), "Cursor is not the Cursor of a page of this listing"},
			{signatures(burntCNFT, &das.ListingOptions{PageOptions: types.PageOptions{Cursor: "/x"}}), "Cursor is not the Cursor of a page of this listing"},
		},
		list: numberedList(`["%s","Transfer"]`, `{"page":%[4]d,"items":[%[1]s]}`, burntCNFT),
		shape: as(func(page *types.Page[das.Signature]) any {
			all := [][2]string{}
			for _, s := range page.Items {
				all = append(all, [2]string{string(s.Signature), s.Operation})
			}
			return all
		}),
	}
	documented := row{
		method: "das.Client.Editions", wire: "getNftEditions", shape: as(wiredEditions),
		minimal: editions(nil), beside: assetsBeside, needs: []string{"result.master_edition_address"},
		list: numberedList(`{"edition_address":"%s"}`, `{"master_edition_address":"m","page":%[4]d,"editions":[%[1]s]}`, printed),
	}
	indexed := documented.variant("indexer", editions(&das.ListingOptions{PageOptions: types.PageOptions{Cursor: "/10", Limit: 10, Prefetch: true}}))
	indexed.shape = as(indexedEditions)
	return []row{signed, signed.variant("numbered", signatures(oldCNFT, &das.ListingOptions{PageOptions: types.PageOptions{Cursor: "/5", Prefetch: true}})), documented, indexed}
}

func tokenAccountRows() []row {
	accounts := func(f das.TokenAccountsFilter, o *das.TokenAccountsOptions) call {
		return calling("das.Client.TokenAccounts", f, o)
	}
	held := das.TokenAccountsFilter{Owner: nftOwner}
	r := row{
		method: "das.Client.TokenAccounts", wire: "getTokenAccounts", shape: as(wiredAccounts), minimal: accounts(held, nil),
		full: accounts(das.TokenAccountsFilter{Owner: nftOwner, Mint: heldMint}, &das.TokenAccountsOptions{
			PageOptions: types.PageOptions{Cursor: "DAkT1sn9kfZfSH8FQNwYCTHdnEzbEVGhiHtSLq32eSzD", Limit: 3, Prefetch: true}, ShowZeroBalance: true,
		}),
		beside: assetsBeside, needs: []string{"result.token_accounts"},
		refused: append(badAddress("Mint", func(a types.Address) call { return accounts(das.TokenAccountsFilter{Mint: a}, nil) })[1:],
			refusal{accounts(das.TokenAccountsFilter{}, nil), "filter is empty; set Mint, Owner or both"},
		),
		list: listOf(`{"address":"%s","amount":1}`, `{"token_accounts":[%s],"cursor":%s}`, held),
	}
	inRange := r.variant("range", accounts(das.TokenAccountsFilter{Mint: "3MgFW1ntFBioPtH3WwdKc94hEcLxpARSRowirMsBkc8V"}, &das.TokenAccountsOptions{
		PageOptions: types.PageOptions{Limit: 5}, AfterID: "BXieQULjtRgECxYWFNvag8ZQvf3wDH86911rUji1u2H8", BeforeID: "HzseKREwEm69iDyCmQJWLxcQMAz66zZkLdGmeZiwXJ7a",
	}))
	inRange.keys = []string{"result.token_accounts.0.address", "result.token_accounts.1.address", "result.token_accounts.2.address"}
	return []row{r, inRange}
}

// Results of package das under their wire names.

type wireError struct {
	ID    types.Address `json:"id"`
	Error string        `json:"error"`
}

type wireAssets struct {
	Slot          uint64             `json:"last_indexed_slot"`
	GrandTotal    uint64             `json:"grand_total"`
	NativeBalance *das.NativeBalance `json:"nativeBalance"`
	Items         []das.Asset        `json:"items"`
	Errors        []wireError        `json:"errors"`
}

// withoutErrors splits items into the good ones and the errors of the others, as err reports them.
func withoutErrors[T any](items []T, err func(T) wireError) (good []T, errs []wireError) {
	for _, item := range items {
		if e := err(item); e.Error != "" {
			errs = append(errs, e)
			continue
		}
		good = append(good, item)
	}
	return good, errs
}

func wiredAssets(page *das.AssetPage) any {
	w := &wireAssets{Slot: page.Slot, GrandTotal: page.Total, NativeBalance: page.NativeBalance}
	w.Items, w.Errors = withoutErrors(page.Items, func(a das.Asset) wireError { return wireError{a.ID, a.Problem} })
	return w
}

func wiredAccounts(page *types.Page[das.TokenAccount]) any {
	var w struct {
		Slot     uint64             `json:"last_indexed_slot"`
		Accounts []das.TokenAccount `json:"token_accounts"`
		Errors   []wireError        `json:"errors"`
	}
	w.Slot = page.Slot
	w.Accounts, w.Errors = withoutErrors(page.Items, func(a das.TokenAccount) wireError { return wireError{a.Address, a.Problem} })
	return w
}

type wireEditions struct {
	Slot          uint64            `json:"last_indexed_slot"`
	MasterEdition types.Address     `json:"master_edition_address"`
	Supply        uint64            `json:"supply"`
	MaxSupply     *uint64           `json:"max_supply"`
	Editions      []json.RawMessage `json:"editions"`
}

// wiredEditions uses the names of the documentation.
func wiredEditions(page *das.EditionPage) *wireEditions {
	w := &wireEditions{page.Slot, page.MasterEdition, page.Supply, page.MaxSupply, nil}
	for _, e := range page.Items {
		text, _ := json.Marshal(e) // or the comparison finds it
		w.Editions = append(w.Editions, text)
	}
	return w
}

// indexedEditions uses the names of an indexer.
func indexedEditions(page *das.EditionPage) any {
	w := wiredEditions(page)
	for i, text := range w.Editions {
		w.Editions[i] = []byte(strings.NewReplacer(`"mint"`, `"mint_address"`, `"edition"`, `"edition_number"`).Replace(string(text)))
	}
	return w
}

// numberedList is a listing by page number that ends with an empty page. Its cursors have
// the number of rows before the page.
func numberedList(item, page string, args ...any) *listing {
	return &listing{args: args, item: item, page: page, number: true, untilEmpty: true}
}
