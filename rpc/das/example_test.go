package das_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// The examples run against made-up data. A program of yours has a key here:
// types.Config{APIKey: types.Key(key)}.
var cfg = captured(fake.Config())

// client is a Client of cfg.
var client, _ = das.New(cfg)

// captured returns cfg with captured answers for what the fake does not have.
func captured(cfg types.Config) types.Config {
	cfg.HTTPClient = golden.Behind(cfg.HTTPClient)
	return cfg
}

// results returns a client with these results of the next requests, in their order.
func results(all ...string) *das.Client {
	service := fake.New(nil)
	for i, result := range all {
		service.Fail("", i+1, fake.Fault{Body: `{"jsonrpc":"2.0","id":null,"result":` + result + `}`})
	}
	c, _ := das.New(service.Config())
	return c
}

func Example() {
	collection := types.Address("D8TVAJ5qTR2guyFn2havVUfNN3VAiaoC5e14xBbRwFA4")
	for asset, err := range client.AssetsByGroup(context.Background(), das.GroupCollection, collection, nil).All() {
		switch {
		case err != nil:
			log.Fatal(err)
		case asset.Err != "":
			fmt.Println(asset.ID, "cannot be shown:", asset.Err)
		case asset.Content.Image() != "":
			fmt.Printf("%q has the image %q\n", asset.Content.Name(), asset.Content.Image())
		}
	}
	// Output:
	// "Kit #2290" has the image "https://img.example/x.png"
	// "Kit #2302" has the image "https://img.example/a.mp4"
	// "Kit #2323" has the image "https://img.example/2323.png"
	// 7U4JsLfmWWPT6aUCXAddTQv94Cb9RzUXti6prZtNyqTJ cannot be shown: Custom Error: interface not found
}

func ExampleClient_Asset() {
	asset, err := client.Asset(context.Background(), "E21SDWegRqQE8mt24jq62GZAh4hNaMbgcQhQM36uf5zT", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q of %s, %s\n", asset.Content.Name(), asset.Ownership.Owner, asset.Interface)
	for _, attribute := range asset.Content.Attributes() {
		fmt.Printf("%q: %q\n", attribute.Key, attribute.Text())
	}
	// Output:
	// "Kit #4" of 7PRLRM1SzzQKnEwmdta8QeTQd94G4up6LkJwAw1UNhZw, V1_NFT
	// "Background": "Red"
	// "Level": "4"
}

func ExampleClient_Asset_notFound() {
	client := results(`null`)
	_, err := client.Asset(context.Background(), "E21SDWegRqQE8mt24jq62GZAh4hNaMbgcQhQM36uf5zT", nil)
	fmt.Println(errors.Is(err, types.ErrNotFound), err)
	// Output:
	// true getAsset of E21SDWegRqQE8mt24jq62GZAh4hNaMbgcQhQM36uf5zT: not found
}

// Third parties write the metadata, so its values may have any type.
func ExampleContent() {
	content := das.Content{RawMessage: []byte(`{"metadata": {
		"name": 7, "symbol": {"x": 1},
		"attributes": [{"trait_type": "Level", "value": 3}, "odd"]
	}}`)}
	fmt.Printf("%q %q\n", content.Name(), content.Symbol())
	for _, attribute := range content.Attributes() {
		fmt.Printf("%q %q\n", attribute.Key, attribute.Text())
	}
	// Output:
	// "7" ""
	// "Level" "3"
	// "" "odd"
}

func ExampleClient_Assets() {
	ids := []types.Address{"8Xz32bDBekPQZq1TQpKGjUGJ7Q66N7HMWm77wEqQs38C", "6bjqrFWxDPLMj8kFqELSZUxCqEJYNA61hXpZmQfGzhMH"}
	assets, err := client.Assets(context.Background(), ids, nil)
	if err != nil {
		log.Fatal(err)
	}
	for i, asset := range assets {
		if asset == nil {
			fmt.Println(ids[i], "does not exist")
			continue
		}
		fees, err := asset.TransferFees()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(asset.ID, "takes", fees.Newer.BasisPoints, "basis points of a transfer")
	}
	// Output:
	// 8Xz32bDBekPQZq1TQpKGjUGJ7Q66N7HMWm77wEqQs38C takes 690 basis points of a transfer
	// 6bjqrFWxDPLMj8kFqELSZUxCqEJYNA61hXpZmQfGzhMH does not exist
}

func ExampleClient_AssetsByOwner_page() {
	opts := &das.AssetsOptions{ShowFungible: true, ShowNativeBalance: true, ShowGrandTotal: true}
	page, err := client.AssetsByOwner(context.Background(), "7PRLRM1SzzQKnEwmdta8QeTQd94G4up6LkJwAw1UNhZw", opts).Page()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Total, "assets and", page.NativeBalance.Lamports, "lamports")
	for _, asset := range page.Items {
		if t := asset.TokenInfo; t != nil && t.Price != nil {
			fmt.Println(t.Amount(), t.Symbol, "at", t.Price.PricePerToken.Decimal, t.Price.Currency)
		}
	}
	// Output:
	// 2383 assets and 18446744073709551615 lamports
	// 18446744073.709551615 MUP at 0.00000000000123 USDC
}

func ExampleClient_AssetsByOwner() {
	broken := 0
	for asset, err := range client.AssetsByOwner(context.Background(), "7PRLRM1SzzQKnEwmdta8QeTQd94G4up6LkJwAw1UNhZw", nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		if asset.Err != "" {
			broken++
			continue
		}
		fmt.Printf("%s %q\n", asset.Interface, asset.Content.Name())
	}
	fmt.Println(broken, "cannot be shown")
	// Output:
	// V1_NFT "Kit #1453"
	// FungibleToken "Token 4"
	// V1_NFT "Kit #13"
	// 1 cannot be shown
}

// Some options exclude each other.
func ExampleAssetsOptions() {
	opts := &das.AssetsOptions{SortBy: das.SortByCreated, Concurrency: 4}
	for _, err := range client.AssetsByOwner(context.Background(), fake.WalletAddress, opts).All() {
		fmt.Println(err)
	}
	// Output:
	// das.Client.AssetsByOwner: SortBy "created" does not go with Concurrency; use SortByID: invalid argument
}

func ExampleClient_AssetsByAuthority() {
	for asset, err := range client.AssetsByAuthority(context.Background(), "FChWuLD7CW22XWFQyVtamtFmVfyN5TddThywza8k6Y9L", nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q, mutable: %t\n", asset.Content.Name(), asset.Mutable)
	}
	// Output:
	// "Kit #1453", mutable: true
	// "Kit #2238", mutable: true
}

func ExampleClient_AssetsByCreator() {
	opts := &das.AssetsOptions{HideUnverified: true}
	for asset, err := range client.AssetsByCreator(context.Background(), "8jgUWNmKK756Hkcz9mCGNmBwMdBizuF42rmbQqbJ2J4U", opts).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q pays %d basis points\n", asset.Content.Name(), asset.Royalty.BasisPoints)
	}
	// Output:
	// "Kit #2238" pays 1000 basis points
	// "Kit #1368" pays 333 basis points
}

// The first thousand assets of a collection.
func ExampleClient_AssetsByGroup() {
	collection := types.Address("D8TVAJ5qTR2guyFn2havVUfNN3VAiaoC5e14xBbRwFA4")
	assets, err := client.AssetsByGroup(context.Background(), das.GroupCollection, collection, &das.AssetsOptions{Prefetch: true}).Collect(1000)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(assets), "assets")
	// Output:
	// 11 assets
}

// Four ranges of IDs at the same time. The assets come in no particular order.
func ExampleClient_AssetsByGroup_concurrency() {
	client, err := das.New(types.Config{APIKey: types.Key("a-key"), HTTPClient: over(newWorld(10_000))})
	if err != nil {
		log.Fatal(err)
	}
	collection := types.Address("D8TVAJ5qTR2guyFn2havVUfNN3VAiaoC5e14xBbRwFA4")
	opts := &das.AssetsOptions{Concurrency: 4} // set a Limiter in the Config, too
	assets := 0
	for _, err := range client.AssetsByGroup(context.Background(), das.GroupCollection, collection, opts).All() {
		if err != nil {
			log.Fatal(err)
		}
		assets++
	}
	fmt.Println(assets, "assets")
	// Output:
	// 10000 assets
}

func ExampleClient_SearchAssets() {
	filter := das.SearchFilter{Owner: "7PRLRM1SzzQKnEwmdta8QeTQd94G4up6LkJwAw1UNhZw", Compressed: das.FlagYes}
	for asset, err := range client.SearchAssets(context.Background(), filter, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q is leaf %d of %s\n", asset.Content.Name(), asset.Compression.LeafID, asset.Compression.Tree)
	}
	// Output:
	// "Kit #2067" is leaf 1 of 8vjCr25LU9KfXLp5zfGCNVf4V4oYW61qjpPS5Eiccjco
	// "Kit #1271" is leaf 5 of 7oD433qeJ9K5oW9CJ2o9o7tC2BbSGodvugbY4tgDhNH2
}

func ExampleClient_SearchAssets_page() {
	filter := das.SearchFilter{Grouping: das.InCollection("D8TVAJ5qTR2guyFn2havVUfNN3VAiaoC5e14xBbRwFA4"), Burnt: das.FlagNo}
	page, err := client.SearchAssets(context.Background(), filter, &das.AssetsOptions{Limit: 2}).Page()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items), "assets, more:", page.HasMore)
	// Output:
	// 2 assets, more: true
}

func ExampleClient_Proof() {
	proof, err := client.Proof(context.Background(), "57dn66hHStSk6VE6Xo87zCuAjcDKneZJAYHfsHEHazF")
	if err != nil {
		log.Fatal(err)
	}
	if err := proof.Verify(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(proof.Leaf, "is in", proof.Tree)
	// Output:
	// DKcFciUo5wRCNxB8WBwRvWyoDgg66St9t1USS5zr1JKG is in 8vjCr25LU9KfXLp5zfGCNVf4V4oYW61qjpPS5Eiccjco
}

// A proof does not verify if any of its nodes is wrong.
func ExampleProof_Verify() {
	proof, err := client.Proof(context.Background(), "57dn66hHStSk6VE6Xo87zCuAjcDKneZJAYHfsHEHazF")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(proof.Verify())
	proof.Path[0] = proof.Leaf
	fmt.Println(proof.Verify())
	// Output:
	// <nil>
	// proof: the path does not lead to the root
}

func ExampleClient_Proofs() {
	ids := []types.Address{"Hpqg7WBgo3L7T6uXgnkhQauurBcNtUWEg2oAvbCcnY1s", "DkNW9t9QrRWSG5Wkns8GBiJKyWn6qMeYhuc9ZhJUm77U"}
	proofs, err := client.Proofs(context.Background(), ids)
	if err != nil {
		log.Fatal(err)
	}
	for i, proof := range proofs {
		if proof == nil {
			fmt.Println(ids[i], "has no proof")
		} else {
			fmt.Println(ids[i], "is in a tree of depth", len(proof.Path))
		}
	}
	// Output:
	// Hpqg7WBgo3L7T6uXgnkhQauurBcNtUWEg2oAvbCcnY1s is in a tree of depth 10
	// DkNW9t9QrRWSG5Wkns8GBiJKyWn6qMeYhuc9ZhJUm77U has no proof
}

func ExampleClient_Signatures() {
	for s, err := range client.Signatures(context.Background(), "GFqX8XFtTWtnAGFF1jCV9YqxWijn3majMDwrBh8fYwBH", nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(s.Operation, s.Signature)
	}
	// Output:
	// Burn FXLCFT2omjp5s5vm5WvhMVvMpDALFgCR5ThbU2UPhTRQ7gBAFWsC3zJ6gZRQxQVo69jtGA9kQNYJDY1id2Jhf6P
	// MintToCollectionV1 2gLDmtRkRNXHfeqtNSXnx2ioNhBDXSHF6GkWEFJ57YALF8UJ7j5sMB3SwiFqyF7Grmf5oqbJdYamYS2sP3kVPdno
}

func ExampleClient_Editions_page() {
	page, err := client.Editions(context.Background(), "E6yahn3PYHBg8FJJJYAujot2XYeQMiTGgAoG1nvYXXJX", nil).Page()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Supply, "printed of at most", *page.MaxSupply)
	for _, edition := range page.Items {
		fmt.Println("number", edition.Number, "is", edition.Mint)
	}
	// Output:
	// 30 printed of at most 100
	// number 24 is A4bWLH6TK1f5rTfgMhzg6UhExvf6KXmTCJLGDBnox5AK
	// number 3 is CiU6AZbiq17zMY2aYR7YfFpswF7GWFKzHrmgGEuQ1e9q
	// number 4 is 5tvFkB9WcRACot3s5i7TkHcxzGhiZ1FwtX7XZ45wcoLj
}

// Editions and signatures are paged by number. Only an empty page is the last one.
func ExampleClient_Editions() {
	for page, err := range client.Editions(context.Background(), "E6yahn3PYHBg8FJJJYAujot2XYeQMiTGgAoG1nvYXXJX", nil).Pages() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "editions, more:", page.HasMore)
	}
	// Output:
	// 3 editions, more: true
	// 0 editions, more: false
}

// An owner may have several accounts of a token.
func ExampleClient_TokenAccounts_holders() {
	client := results(`{"token_accounts":[
		{"address":"GG5aSuQszHXUqC1q44A5sEL7ZckDqoJ1ft5A6cYotc1","owner":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","amount":70},
		{"address":"2VScuowXzticjh3GktmsooXzkjCftLrE3AUu2YvNA5aP","owner":"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY","amount":5}
	]}`, `{"token_accounts":[]}`)
	amounts := map[types.Address]uint64{}
	for account, err := range client.TokenAccounts(context.Background(), das.TokenAccountsFilter{Mint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"}, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		amounts[account.Owner] += account.RawAmount
	}
	fmt.Println(amounts)
	// Output:
	// map[86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY:75]
}

func ExampleClient_TokenAccounts() {
	for account, err := range client.TokenAccounts(context.Background(), das.TokenAccountsFilter{Owner: "7PRLRM1SzzQKnEwmdta8QeTQd94G4up6LkJwAw1UNhZw"}, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		if account.Err != "" {
			fmt.Println(account.Address, "cannot be shown:", account.Err)
			continue
		}
		fmt.Println(account.RawAmount, "of", account.Mint)
	}
	// Output:
	// 9223372036854775807 of mtDy1W6BxAbH9iBcgPzDiqHB96Ed5bHdZcdwRNkKor4
	// 77 of mtDy1W6BxAbH9iBcgPzDiqHB96Ed5bHdZcdwRNkKor4
	// 1 of 7Z1mECFZdxXn8ZtKBpRJETpGtCrrNZYr3qbcfzAqBPt5
	// 1028 of 5LXZv3dm1JWuGwm9PxePYwZ1W1xPEYWZFSq92FYp6Uvx
	// 7U4JsLfmWWPT6aUCXAddTQv94Cb9RzUXti6prZtNyqTJ cannot be shown: Custom Error: interface not found
}
