package das_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// The examples run against made-up data. A program of yours has a key here:
// types.Config{APIKey: types.Key(key)}.
var cfg = fake.Config()

// client is a Client of cfg.
var client, _ = das.New(cfg)

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
	collection := types.Address("2LjPbyLqqdnwqyL64MEL4GgAuS6n2xtnm4fBBhN88bRx")
	page, err := client.AssetsByGroup(context.Background(), das.GroupCollection, collection, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 3}}).Page()
	if err != nil {
		log.Fatal(err)
	}
	for _, asset := range page.Items {
		switch {
		case asset.Problem != "":
			fmt.Println(asset.ID, "cannot be shown:", asset.Problem)
		case asset.Content.Image() != "":
			fmt.Printf("%q has the image %q\n", asset.Content.Name(), asset.Content.Image())
		}
	}
	// Output:
	// "Harbor Lights #3855" has the image "https://nfts.solwire.test/GuvFYnn3jhTwHmXZfzSwiFDA7PG1nxhFThSZFtjDhGX5.png"
	// "Harbor Lights #7885" has the image "https://nfts.solwire.test/GqMWmKngL4gQa5Djsrtj5nAkPYkmRj9q4HHALCPyXdpo.png"
	// "Harbor Lights #3951" has the image "https://nfts.solwire.test/G7NnW4A5YKhio2twNAc1EGDBd5b7YBHfqvcAe7ccxaDp.png"
}

func ExampleClient_Asset() {
	asset, err := client.Asset(context.Background(), "FwtKx6Z3xmGvaPMKh5zAjqU4cH2RGBqTWkftkBXNr78j", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q of %s, %s\n", asset.Content.Name(), asset.Ownership.Owner, asset.Interface)
	for _, attribute := range asset.Content.Attributes() {
		fmt.Printf("%q: %q\n", attribute.Key, attribute.Text())
	}
	// Output:
	// "Night Owls #3439" of 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY, V1_NFT
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
	ids := []types.Address{"FwtKx6Z3xmGvaPMKh5zAjqU4cH2RGBqTWkftkBXNr78j", "6bjqrFWxDPLMj8kFqELSZUxCqEJYNA61hXpZmQfGzhMH"}
	assets, err := client.Assets(context.Background(), ids, nil)
	if err != nil {
		log.Fatal(err)
	}
	for i, asset := range assets {
		if asset == nil {
			fmt.Println(ids[i], "does not exist")
			continue
		}
		fmt.Println(asset.ID, "is of", asset.Ownership.Owner)
	}
	// Output:
	// FwtKx6Z3xmGvaPMKh5zAjqU4cH2RGBqTWkftkBXNr78j is of 86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY
	// 6bjqrFWxDPLMj8kFqELSZUxCqEJYNA61hXpZmQfGzhMH does not exist
}

func ExampleClient_AssetsByOwner_page() {
	opts := &das.AssetsOptions{ShowFungible: true, ShowNativeBalance: true, ShowGrandTotal: true}
	page, err := client.AssetsByOwner(context.Background(), fake.CollectorAddress, opts).Page()
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
	// 121 assets and 2541110145 lamports
	// 120.5 USDC at 0.99985 USDC
}

func ExampleClient_AssetsByOwner() {
	broken, interfaces := 0, map[das.Interface]int{}
	for asset, err := range client.AssetsByOwner(context.Background(), fake.WalletAddress, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		if asset.Problem != "" {
			broken++
			continue
		}
		interfaces[asset.Interface]++
	}
	fmt.Println(interfaces, broken, "cannot be shown")
	// Output:
	// map[V1_NFT:12] 0 cannot be shown
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
	assets, err := client.AssetsByAuthority(context.Background(), fake.ExchangeAddress, nil).Collect(3)
	if err != nil {
		log.Fatal(err)
	}
	for _, asset := range assets {
		fmt.Printf("%q, mutable: %t\n", asset.Content.Name(), asset.Mutable)
	}
	// Output:
	// "", mutable: true
	// "Paper Boats #3569", mutable: true
	// "Night Owls #3917", mutable: true
}

func ExampleClient_AssetsByCreator() {
	opts := &das.AssetsOptions{HideUnverified: true, PageOptions: types.PageOptions{Limit: 2}}
	page, err := client.AssetsByCreator(context.Background(), fake.ExchangeAddress, opts).Page()
	if err != nil {
		log.Fatal(err)
	}
	for _, asset := range page.Items {
		fmt.Printf("%q pays %d basis points\n", asset.Content.Name(), asset.Royalty.BasisPoints)
	}
	// Output:
	// "Paper Boats #3569" pays 500 basis points
	// "Night Owls #3917" pays 500 basis points
}

// The first thousand assets of a collection.
func ExampleClient_AssetsByGroup() {
	collection := types.Address("2LjPbyLqqdnwqyL64MEL4GgAuS6n2xtnm4fBBhN88bRx")
	assets, err := client.AssetsByGroup(context.Background(), das.GroupCollection, collection, &das.AssetsOptions{PageOptions: types.PageOptions{Prefetch: true}}).Collect(1000)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(assets), "assets")
	// Output:
	// 32 assets
}

// Four ranges of IDs at the same time. The assets come in no particular order.
func ExampleClient_AssetsByGroup_concurrency() {
	client, err := das.New(types.Config{APIKey: types.Key("a-key"), HTTPClient: over(newWorld(10_000))})
	if err != nil {
		log.Fatal(err)
	}
	collection := types.Address("2LjPbyLqqdnwqyL64MEL4GgAuS6n2xtnm4fBBhN88bRx")
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
	filter := das.SearchFilter{Owner: fake.WalletAddress, Compressed: das.FlagYes}
	for asset, err := range client.SearchAssets(context.Background(), filter, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q is leaf %d of %s\n", asset.Content.Name(), asset.Compression.LeafID, asset.Compression.Tree)
	}
	// Output:
	// "Harbor Lights #8043" is leaf 2 of GCMimsW1WW2p8rqHaHGF4HP7DEVrWgVVSnrew56Mgewz
	// "Harbor Lights #5504" is leaf 0 of GCMimsW1WW2p8rqHaHGF4HP7DEVrWgVVSnrew56Mgewz
	// "Harbor Lights #863" is leaf 3 of GCMimsW1WW2p8rqHaHGF4HP7DEVrWgVVSnrew56Mgewz
	// "" is leaf 1 of GCMimsW1WW2p8rqHaHGF4HP7DEVrWgVVSnrew56Mgewz
}

// Agents are Core assets with a wallet of their own.
func ExampleClient_SearchAssets_agents() {
	service := fake.New(&fake.Options{World: &fake.World{NFTs: []fake.NFT{
		{Owner: fake.WalletAddress, Name: "Trader", Interface: string(das.InterfaceMplCoreAsset), AgentSigner: fake.DelegateAddress},
		{Owner: fake.WalletAddress, Name: "Picture"},
	}}})
	client, err := das.New(service.Config())
	if err != nil {
		log.Fatal(err)
	}
	for asset, err := range client.SearchAssets(context.Background(), das.SearchFilter{Agent: das.FlagYes}, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q signs with %s\n", asset.Content.Name(), asset.AgentSigner)
	}
	// Output:
	// "Trader" signs with 4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T
}

func ExampleClient_SearchAssets_page() {
	filter := das.SearchFilter{Grouping: das.InCollection("2LjPbyLqqdnwqyL64MEL4GgAuS6n2xtnm4fBBhN88bRx"), Burnt: das.FlagNo}
	page, err := client.SearchAssets(context.Background(), filter, &das.AssetsOptions{PageOptions: types.PageOptions{Limit: 2}}).Page()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items), "assets, more:", page.HasMore)
	// Output:
	// 2 assets, more: true
}

func ExampleClient_Proof() {
	proof, err := client.Proof(context.Background(), "DAS6vxmpcaU73LiYXeTs9corRppwWx8J7YFYFM3o1thF")
	if err != nil {
		log.Fatal(err)
	}
	if err := proof.Verify(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(proof.Leaf, "is in", proof.Tree)
	// Output:
	// 7Bn4xWVzDRbbJs2pJwJgMdQkNDuWzEHUJ1dcucMwsurN is in GCMimsW1WW2p8rqHaHGF4HP7DEVrWgVVSnrew56Mgewz
}

// A proof does not verify if any of its nodes is wrong.
func ExampleProof_Verify() {
	proof, err := client.Proof(context.Background(), "DAS6vxmpcaU73LiYXeTs9corRppwWx8J7YFYFM3o1thF")
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
	ids := []types.Address{"DAS6vxmpcaU73LiYXeTs9corRppwWx8J7YFYFM3o1thF", "FwtKx6Z3xmGvaPMKh5zAjqU4cH2RGBqTWkftkBXNr78j"}
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
	// DAS6vxmpcaU73LiYXeTs9corRppwWx8J7YFYFM3o1thF is in a tree of depth 6
	// FwtKx6Z3xmGvaPMKh5zAjqU4cH2RGBqTWkftkBXNr78j has no proof
}

func ExampleClient_Signatures() {
	for s, err := range client.Signatures(context.Background(), "DAS6vxmpcaU73LiYXeTs9corRppwWx8J7YFYFM3o1thF", nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(s.Operation, s.Signature)
	}
	// Output:
	// MintToCollectionV1 5KAyYJ6HhPbWw4RuMegM6ctKM8kVQQR1CKnBiqujtYkAdhsntrxDhFV9jsaaTmZPU5jEbTKQZ3aaTvHfKXksWrZq
}

// prints returns a client of a fake with a master and two of its prints.
func prints() *das.Client {
	const master = "E6yahn3PYHBg8FJJJYAujot2XYeQMiTGgAoG1nvYXXJX"
	service := fake.New(&fake.Options{World: &fake.World{NFTs: []fake.NFT{
		{ID: master, Owner: fake.ExchangeAddress, Name: "Poster", MaxSupply: 100},
		{ID: "A4bWLH6TK1f5rTfgMhzg6UhExvf6KXmTCJLGDBnox5AK", Owner: fake.WalletAddress, MasterEdition: master, Edition: 1},
		{ID: "CiU6AZbiq17zMY2aYR7YfFpswF7GWFKzHrmgGEuQ1e9q", Owner: fake.CollectorAddress, MasterEdition: master, Edition: 2},
	}}})
	c, _ := das.New(service.Config())
	return c
}

func ExampleClient_Editions_page() {
	page, err := prints().Editions(context.Background(), "E6yahn3PYHBg8FJJJYAujot2XYeQMiTGgAoG1nvYXXJX", nil).Page()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Supply, "printed of at most", *page.MaxSupply)
	for _, edition := range page.Items {
		fmt.Println("number", edition.Number, "is", edition.Mint)
	}
	// Output:
	// 2 printed of at most 100
	// number 1 is A4bWLH6TK1f5rTfgMhzg6UhExvf6KXmTCJLGDBnox5AK
	// number 2 is CiU6AZbiq17zMY2aYR7YfFpswF7GWFKzHrmgGEuQ1e9q
}

// Editions and signatures are paged by number. Only an empty page is the last one.
func ExampleClient_Editions() {
	for page, err := range prints().Editions(context.Background(), "E6yahn3PYHBg8FJJJYAujot2XYeQMiTGgAoG1nvYXXJX", nil).Pages() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "editions, more:", page.HasMore)
	}
	// Output:
	// 2 editions, more: true
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
	for account, err := range client.TokenAccounts(context.Background(), das.TokenAccountsFilter{Owner: fake.WalletAddress, Mint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"}, nil).All() {
		if err != nil {
			log.Fatal(err)
		}
		if account.Problem != "" {
			fmt.Println(account.Address, "cannot be shown:", account.Problem)
			continue
		}
		fmt.Println(account.RawAmount, "of", account.Mint)
	}
	// Output:
	// 25310123456 of EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v
}
