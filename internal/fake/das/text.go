package das

import (
	"cmp"
	"encoding/json"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

type sentAsset struct {
	Interface   string          `json:"interface"`
	ID          string          `json:"id"`
	Content     content         `json:"content"`
	Authorities []authority     `json:"authorities"`
	Compression compression     `json:"compression"`
	Grouping    []group         `json:"grouping"`
	Royalty     royalty         `json:"royalty"`
	Creators    []world.Creator `json:"creators"`
	Ownership   ownership       `json:"ownership"`
	Supply      *editionSupply  `json:"supply"`
	Mutable     bool            `json:"mutable"`
	Burnt       bool            `json:"burnt"`
	Token       *tokenInfo      `json:"token_info,omitempty"`
}

type content struct {
	Schema   string            `json:"$schema"`
	URI      string            `json:"json_uri"`
	Files    []file            `json:"files"`
	Metadata metadata          `json:"metadata"`
	Links    map[string]string `json:"links"`
}

type file struct {
	URI  string `json:"uri"`
	Mime string `json:"mime"`
}

type metadata struct {
	Attributes  json.RawMessage `json:"attributes,omitempty"`
	Description string          `json:"description,omitempty"`
	Name        string          `json:"name"`
	Symbol      string          `json:"symbol"`
	Standard    string          `json:"token_standard"`
}

type authority struct {
	Address string   `json:"address"`
	Scopes  []string `json:"scopes"`
}

type compression struct {
	Eligible    bool   `json:"eligible"`
	Compressed  bool   `json:"compressed"`
	DataHash    string `json:"data_hash"`
	CreatorHash string `json:"creator_hash"`
	AssetHash   string `json:"asset_hash"`
	Tree        string `json:"tree"`
	Seq         int    `json:"seq"`
	Leaf        int    `json:"leaf_id"`
}

type group struct {
	Key      string         `json:"group_key"`
	Value    string         `json:"group_value"`
	Verified *bool          `json:"verified,omitempty"`
	Metadata map[string]any `json:"collection_metadata,omitempty"`
}

type royalty struct {
	Model       string          `json:"royalty_model"`
	Target      *string         `json:"target"`
	Percent     json.RawMessage `json:"percent"`
	BasisPoints int             `json:"basis_points"`
	PrimarySale bool            `json:"primary_sale_happened"`
	Locked      bool            `json:"locked"`
}

type ownership struct {
	Frozen    bool    `json:"frozen"`
	Delegated bool    `json:"delegated"`
	Delegate  *string `json:"delegate"`
	Model     string  `json:"ownership_model"`
	Owner     string  `json:"owner"`
}

type editionSupply struct {
	Max     uint64 `json:"print_max_supply"`
	Current int    `json:"print_current_supply"`
	Nonce   *int   `json:"edition_nonce"`
}

type tokenInfo struct {
	Symbol   string  `json:"symbol,omitempty"`
	Balance  *uint64 `json:"balance,omitempty"`
	Supply   uint64  `json:"supply"`
	Decimals int     `json:"decimals"`
	Program  string  `json:"token_program"`
	Account  string  `json:"associated_token_address,omitempty"`
	Price    *price  `json:"price_info,omitempty"`
}

type price struct {
	Each     json.RawMessage `json:"price_per_token"`
	Total    json.RawMessage `json:"total_price,omitempty"`
	Currency string          `json:"currency"`
}

const schema = "https://schema.metaplex.com/nft1.0.json"

// text returns an asset or a token as it is sent.
func text(w *world.World, e entry, show showOptions) *sentAsset {
	if e.asset == nil {
		return fungible(w, e)
	}
	a := e.asset
	creators := a.Creators
	if creators == nil {
		creators = []world.Creator{}
	}
	s := &sentAsset{
		Interface: a.Interface, ID: a.ID, Authorities: []authority{}, Grouping: []group{}, Creators: creators, Mutable: !a.Immutable, Burnt: a.Burnt,
		Content: content{Schema: schema, URI: a.URI, Files: []file{}, Links: map[string]string{}, Metadata: metadata{
			a.Attributes, a.Description, a.Name, a.Symbol, "NonFungible",
		}},
		Royalty:   royalty{Model: "creators", Percent: json.RawMessage(world.Number(world.Units(uint64(a.BasisPoints), 4))), BasisPoints: a.BasisPoints},
		Ownership: ownership{a.Frozen, a.Delegate != "", wire.OrNull(a.Delegate), "single", a.Owner},
		Supply:    &editionSupply{Max: a.MaxSupply, Current: len(w.Assets.Sorted(world.OfMaster + a.ID))},
	}
	if a.Image != "" {
		s.Content.Files, s.Content.Links["image"] = []file{{a.Image, "image/png"}}, a.Image
	}
	if a.Authority != "" {
		s.Authorities = []authority{{a.Authority, []string{"full"}}}
	}
	if a.Collection != "" {
		s.Grouping = []group{groupOf(w, a, show)}
	}
	if a.Compressed {
		data, creators := a.DataHash(), a.CreatorHash()
		s.Compression = compression{
			Compressed: true, DataHash: world.Text32(data), CreatorHash: world.Text32(creators), AssetHash: world.Text32(a.Hash()),
			Tree: a.Tree.Address, Seq: a.Leaf + 1, Leaf: a.Leaf,
		}
	} else if t := e.token; t != nil {
		nonce := 255
		s.Supply.Nonce = &nonce
		s.Token = &tokenInfo{Supply: t.Supply(), Decimals: t.Decimals, Program: t.Program()}
		if h := w.Wallet(a.Owner).Holding(t.Mint); h != nil {
			s.Token.Balance, s.Token.Account = &h.Raw, w.AccountOf(a.Owner, t.Mint)
		}
	}
	return s
}

// groupOf returns the collection of an asset.
func groupOf(w *world.World, a *world.Asset, show showOptions) group {
	g := group{Key: "collection", Value: a.Collection}
	if show.on("showUnverifiedCollections") {
		verified := true
		g.Verified = &verified
	}
	if of := w.Assets.Find(a.Collection); of != nil && show.on("showCollectionMetadata") {
		g.Metadata = map[string]any{"name": of.Name, "symbol": of.Symbol, "image": of.Image, "description": of.Description, "external_url": ""}
	}
	return g
}

// fungible returns a token as it is sent.
func fungible(w *world.World, e entry) *sentAsset {
	t := e.token
	s := &sentAsset{
		Interface: "FungibleToken", ID: t.Mint, Authorities: []authority{}, Grouping: []group{}, Creators: []world.Creator{}, Mutable: true,
		Content:   content{Schema: schema, Files: []file{}, Links: map[string]string{}, Metadata: metadata{Name: cmp.Or(t.Name, t.Symbol), Symbol: t.Symbol, Standard: "Fungible"}},
		Royalty:   royalty{Model: "creators", Percent: json.RawMessage("0.0")},
		Ownership: ownership{Model: "token"},
		Token:     &tokenInfo{Symbol: t.Symbol, Supply: t.Supply(), Decimals: t.Decimals, Program: t.Program()},
	}
	if each := t.PriceUSD(); each != nil {
		s.Token.Price = &price{Each: json.RawMessage(world.Number(each)), Currency: "USDC"}
	}
	if h := e.holding; h != nil {
		s.Ownership.Owner, s.Token.Balance, s.Token.Account = h.Owner, &h.Raw, w.AccountOf(h.Owner, t.Mint)
		if s.Token.Price != nil {
			s.Token.Price.Total = json.RawMessage(world.Number(h.Value()))
		}
	}
	return s
}
