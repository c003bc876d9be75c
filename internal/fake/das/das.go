// Package das answers the methods of digital assets from the world: NFTs, and the tokens of
// the ledger.
package das

import (
	"encoding/json"
	"slices"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// Methods are the methods of digital assets.
func Methods() map[string]wire.Operation {
	return map[string]wire.Operation{
		"getAsset":              asset,
		"getAssetBatch":         assetBatch,
		"getAssetProof":         assetProof,
		"getAssetProofBatch":    proofBatch,
		"getAssetsByAuthority":  listing("authorityAddress", world.OfAuthority),
		"getAssetsByCreator":    listing("creatorAddress", world.OfCreator, "onlyVerified"),
		"getAssetsByGroup":      assetsByGroup,
		"getAssetsByOwner":      listing("ownerAddress", world.OfOwner),
		"getNftEditions":        editions,
		"getSignaturesForAsset": signaturesForAsset,
		"getTokenAccounts":      tokenAccounts,
		"searchAssets":          search,
	}
}

func failure(message string) *wire.Refusal { return &wire.Refusal{Code: -32000, Message: message} }

func notFound() *wire.Refusal {
	return failure("Database Error: RecordNotFound Error: Asset Not Found")
}

// key reads a required member that is an address.
func key(p *wire.Params, name string) string {
	text, given := p.Text(name)
	switch {
	case !given:
		p.Invalidf("", "missing field `%s`", name)
	case !world.IsAddress(text):
		p.Refuse(failure("Pubkey Validation Err: " + text + " is invalid"))
	}
	return text
}

// optional reads a member that is an address, and may be absent or empty.
func optional(p *wire.Params, name string) string {
	text, given := p.Text(name)
	if given && text != "" && !world.IsAddress(text) {
		p.Refuse(failure("Validation Error: Invalid pubkey " + text))
	}
	return text
}

func flag(p *wire.Params, name string) bool { return string(p.Members[name]) == "true" }

// showOptions are the display options.
type showOptions struct{ *wire.Params }

func showOf(p *wire.Params) showOptions {
	show := showOptions{new(wire.Params)}
	for _, name := range []string{"options", "displayOptions"} {
		if p.Has(name) {
			show.Params = p.Inner(name, p.Members[name], "showUnverifiedCollections", "showCollectionMetadata", "showZeroBalance",
				"showInscription", "showFungible", "showNativeBalance", "showGrandTotal")
			p.Refuse(show.Refused)
		}
	}
	return show
}

func (s showOptions) on(name string) bool { return flag(s.Params, name) }

// An entry is an asset or a token in a listing.
type entry struct {
	asset   *world.Asset
	holding *world.Holding // in lists by owner
	token   *world.Token
}

func (e entry) id() string {
	if e.asset != nil {
		return e.asset.ID
	}
	return e.token.Mint
}

// find returns the asset, or the token, with an ID. It is false if there is none.
func find(w *world.World, id string) (entry, bool) {
	if a := w.Assets.Find(id); a != nil {
		return entry{asset: a, token: w.Token(id)}, true
	}
	t := w.Token(id)
	return entry{token: t}, t != nil && !t.IsNative()
}

func asset(c *wire.Call) ([]byte, *wire.Refusal) {
	p := c.Named("id", "options", "displayOptions")
	id, show := key(p, "id"), showOf(p)
	if p.Refused != nil {
		return nil, p.Refused
	}
	e, found := find(c.World, id)
	switch {
	case !found:
		return nil, notFound()
	case e.asset != nil && e.asset.Burnt && !e.asset.Compressed:
		return nil, failure("Database Error: Custom Error: Asset has no supply")
	}
	return world.Encode(text(c.World, e, show)), nil
}

func ids(c *wire.Call) ([]string, showOptions, *wire.Refusal) {
	p := c.Named("ids", "options", "displayOptions")
	show := showOf(p)
	var all []string
	if p.Refused == nil && json.Unmarshal(p.Members["ids"], &all) != nil {
		p.Invalidf("ids", "invalid type: %s, expected a sequence", wire.Kind(p.Members["ids"]))
	}
	if len(all) > 1000 {
		p.Refuse(failure("Batch Size Error. Batch size should not be greater than 1000."))
	}
	for _, id := range all {
		if !world.IsAddress(id) {
			p.Refuse(failure("Pubkey Validation Err: " + id + " is invalid"))
		}
	}
	return all, show, p.Refused
}

func assetBatch(c *wire.Call) ([]byte, *wire.Refusal) {
	all, show, refused := ids(c)
	if refused != nil {
		return nil, refused
	}
	sent := make([]any, len(all))
	for i, id := range all {
		if e, found := find(c.World, id); found {
			sent[i] = text(c.World, e, show)
		}
	}
	return world.Encode(sent), nil
}

type sentProof struct {
	Root  string   `json:"root"`
	Proof []string `json:"proof"`
	Index uint64   `json:"node_index"`
	Leaf  string   `json:"leaf"`
	Tree  string   `json:"tree_id"`
	Slot  uint64   `json:"last_indexed_slot"`
	Burnt bool     `json:"burnt"`
}

// proofOf returns the proof of a compressed asset, nil for others.
func proofOf(w *world.World, id string) *sentProof {
	a := w.Assets.Find(id)
	if a == nil || !a.Compressed {
		return nil
	}
	s := &sentProof{Leaf: world.Text32(a.Hash()), Tree: a.Tree.Address, Slot: w.Slot(), Burnt: a.Burnt}
	if a.Burnt {
		s.Leaf = world.Text32([32]byte{})
	}
	s.Proof, s.Root, s.Index = a.Tree.Proof(a.Leaf)
	return s
}

func assetProof(c *wire.Call) ([]byte, *wire.Refusal) {
	p := c.Named("id")
	id := key(p, "id")
	if p.Refused != nil {
		return nil, p.Refused
	}
	s := proofOf(c.World, id)
	if s == nil {
		return nil, failure("Database Error: RecordNotFound Error: Asset Proof Not Found")
	}
	return world.Encode(s), nil
}

func proofBatch(c *wire.Call) ([]byte, *wire.Refusal) {
	all, _, refused := ids(c)
	sent := map[string]*sentProof{}
	for _, id := range all {
		sent[id] = proofOf(c.World, id)
	}
	return world.Encode(sent), refused
}

// A sentList is a listing with the members that not all listings have.
type sentList struct {
	Slot   uint64  `json:"last_indexed_slot"`
	Total  int     `json:"total"`
	Limit  int     `json:"limit"`
	Page   int     `json:"page,omitempty"`
	Cursor string  `json:"cursor,omitempty"`
	Before string  `json:"before,omitempty"`
	After  string  `json:"after,omitempty"`
	Grand  *int    `json:"grand_total,omitempty"`
	Items  []any   `json:"items"`
	Native *native `json:"nativeBalance,omitempty"`
}

type native struct {
	Lamports uint64          `json:"lamports"`
	Price    json.RawMessage `json:"price_per_sol"`
	Total    json.RawMessage `json:"total_price"`
}

// members are the members of all listings of assets.
func members(names ...string) []string {
	return append(names, "sortBy", "limit", "page", "before", "after", "cursor", "options", "displayOptions")
}

// listing lists assets that have one member in common.
func listing(name, of string, known ...string) wire.Operation {
	return func(c *wire.Call) ([]byte, *wire.Refusal) {
		p := c.Named(members(append([]string{name}, known...)...)...)
		address := key(p, name)
		owner := ""
		if of == world.OfOwner {
			owner = address
		}
		return list(c, p, owner, showOf(p).on("showFungible"), c.World.Assets.Sorted(of+address), func(a *world.Asset) bool {
			return !flag(p, "onlyVerified") || slices.ContainsFunc(a.Creators, func(c world.Creator) bool { return c.Address == address && c.Verified })
		})
	}
}

func assetsByGroup(c *wire.Call) ([]byte, *wire.Refusal) {
	p := c.Named(members("groupKey", "groupValue")...)
	group, _ := p.Text("groupKey")
	value := key(p, "groupValue")
	if p.Refused == nil && group == "" {
		p.Invalidf("", "missing field `groupKey`")
	}
	if !c.Lenient && group != "collection" {
		p.Invalidf("groupKey", "%q is not collection, the only group of the fake", group)
	}
	var all []*world.Asset
	if group == "collection" {
		all = c.World.Assets.Sorted(world.OfCollection + value)
	}
	return list(c, p, "", false, all, func(*world.Asset) bool { return true })
}

// list answers with one page of those assets, which are sorted by ID, that are selected, and
// of the tokens of an owner.
func list(c *wire.Call, p *wire.Params, owner string, fungible bool, assets []*world.Asset, selected func(*world.Asset) bool) ([]byte, *wire.Refusal) {
	show := showOf(p)
	at := placeOf(p)
	sortBy, descending := sortOf(p, &at)
	if p.Refused != nil {
		return nil, p.Refused
	}
	all := world.View(c.World, selection(p, sortBy, fungible), func() []entry {
		var all []entry
		for _, a := range assets {
			if (!a.Burnt || a.Compressed) && selected(a) {
				all = append(all, entry{asset: a, token: c.World.Token(a.ID)})
			}
		}
		if fungible {
			all = append(all, tokensOf(c.World, owner, show)...)
		}
		sortEntries(all, sortBy)
		return all
	})
	sent := sentList{Slot: c.World.Slot(), Limit: at.limit, Page: at.page, Before: at.before, After: at.after, Items: []any{}}
	if show.on("showGrandTotal") {
		total := len(all)
		sent.Grand = &total
	}
	if show.on("showNativeBalance") && owner != "" {
		sent.Native = nativeOf(c.World, owner)
	}
	for _, e := range at.of(all, descending) {
		sent.Items = append(sent.Items, text(c.World, e, show))
		if at.page == 0 && at.before+at.after == "" {
			sent.Cursor = e.id()
		}
	}
	sent.Total = len(sent.Items)
	return world.Encode(sent), nil
}

func nativeOf(w *world.World, owner string) *native {
	h := w.Wallet(owner).Holding(world.SOL)
	if h == nil {
		h = &world.Holding{Token: w.Native()}
	}
	return &native{h.Raw, json.RawMessage(world.Number(w.Native().PriceUSD())), json.RawMessage(world.Number(h.Value()))}
}

// tokensOf returns the tokens of a wallet.
func tokensOf(w *world.World, owner string, show showOptions) []entry {
	var all []entry
	for _, h := range w.Wallet(owner).Holdings() {
		if !h.Token.IsNative() && !h.Token.IsNFT() && (h.Raw > 0 || show.on("showZeroBalance")) {
			all = append(all, entry{token: h.Token, holding: h})
		}
	}
	return all
}

// search answers searchAssets.
func search(c *wire.Call) ([]byte, *wire.Refusal) {
	p := c.Named(members("ownerAddress", "tokenType", "creatorAddress", "creatorVerified", "authorityAddress", "grouping", "delegate", "frozen",
		"supply", "supplyMint", "compressed", "compressible", "royaltyTargetType", "royaltyTarget", "royaltyAmount", "burnt", "interface", "ownerType",
		"jsonUri", "tree", "negate", "conditionType", "name", "collectionNft")...)
	owner, creator, authority, delegate, tree := optional(p, "ownerAddress"), optional(p, "creatorAddress"), optional(p, "authorityAddress"), optional(p, "delegate"), optional(p, "tree")
	kind, _ := p.Text("tokenType")
	name, _ := p.Text("name")
	uri, _ := p.Text("jsonUri")
	class, _ := p.Text("interface")
	condition, _ := p.Text("conditionType")
	var grouping []string
	if p.Has("grouping") && (json.Unmarshal(p.Members["grouping"], &grouping) != nil || len(grouping) != 2) {
		p.Invalidf("grouping", "invalid type: %s, expected a tuple of size 2", wire.Kind(p.Members["grouping"]))
	}
	p.Refuse(wire.Variant(kind, "fungible", "nonFungible", "regularNft", "compressedNft", "all"))
	if kind != "" && (owner == "" || class != "") {
		p.Refuse(failure("Validation Error: `tokenType` needs `ownerAddress` and excludes `interface`"))
	}
	if p.Refused != nil {
		return nil, p.Refused
	}
	if delegate != "" {
		p.Members["delegate"] = world.Encode(delegate)
	}
	var conditions []func(*world.Asset) bool
	when := func(asked bool, f func(*world.Asset) bool) {
		if asked {
			conditions = append(conditions, f)
		}
	}
	when(creator != "", func(a *world.Asset) bool {
		return slices.ContainsFunc(a.Creators, func(c world.Creator) bool {
			return c.Address == creator && (!p.Has("creatorVerified") || c.Verified == flag(p, "creatorVerified"))
		})
	})
	when(authority != "", func(a *world.Asset) bool { return a.Authority == authority })
	when(delegate != "", func(a *world.Asset) bool { return a.Delegate == delegate })
	when(tree != "", func(a *world.Asset) bool { return a.Tree != nil && a.Tree.Address == tree })
	when(len(grouping) == 2, func(a *world.Asset) bool { return grouping[0] == "collection" && a.Collection == grouping[1] })
	when(p.Has("frozen"), func(a *world.Asset) bool { return a.Frozen == flag(p, "frozen") })
	when(p.Has("compressed"), func(a *world.Asset) bool { return a.Compressed == flag(p, "compressed") })
	when(p.Has("compressible"), func(*world.Asset) bool { return !flag(p, "compressible") })
	when(p.Has("burnt"), func(a *world.Asset) bool { return a.Burnt == flag(p, "burnt") })
	when(class != "", func(a *world.Asset) bool { return a.Interface == class })
	when(uri != "", func(a *world.Asset) bool { return a.URI == uri })
	when(name != "", func(a *world.Asset) bool { return a.Name == name })
	when(p.Has("royaltyAmount"), func(a *world.Asset) bool {
		return string(p.Members["royaltyAmount"]) == string(world.Encode(a.BasisPoints))
	})
	when(p.Has("supplyMint"), func(a *world.Asset) bool { return string(p.Members["supplyMint"]) == string(world.Encode(a.ID)) })
	when(kind == "regularNft", func(a *world.Asset) bool { return !a.Compressed })
	when(kind == "compressedNft", func(a *world.Asset) bool { return a.Compressed })
	when(kind == "fungible", func(*world.Asset) bool { return false })
	source := c.World.Assets.Sorted(world.OfEverybody)
	if owner != "" {
		source = c.World.Assets.Sorted(world.OfOwner + owner)
	}
	return list(c, p, owner, kind == "fungible" || kind == "all", source, func(a *world.Asset) bool {
		met := 0
		for _, holds := range conditions {
			if holds(a) {
				met++
			}
		}
		return (met == len(conditions) || condition == "any" && met > 0) != flag(p, "negate")
	})
}

func editions(c *wire.Call) ([]byte, *wire.Refusal) {
	p := c.Named("mint", "mintAddress", "page", "limit", "before", "after", "cursor")
	name := "mint"
	if p.Has("mintAddress") {
		name = "mintAddress"
	}
	mint, at := key(p, name), placeOf(p)
	if p.Refused != nil {
		return nil, p.Refused
	}
	master := c.World.Assets.Find(mint)
	if master == nil {
		return nil, notFound()
	}
	type edition struct {
		Mint    string `json:"mint"`
		Address string `json:"edition_address"`
		Number  uint64 `json:"edition"`
		Burnt   bool   `json:"burnt"`
	}
	prints := c.World.Assets.Sorted(world.OfMaster + mint)
	sent := struct {
		Slot     uint64    `json:"last_indexed_slot"`
		Total    int       `json:"total"`
		Limit    int       `json:"limit"`
		Page     int       `json:"page,omitempty"`
		Master   string    `json:"master_edition_address"`
		Supply   int       `json:"supply"`
		Max      *uint64   `json:"max_supply"`
		Editions []edition `json:"editions"`
	}{Slot: c.World.Slot(), Limit: at.limit, Page: at.page, Master: world.Derived("master edition", mint), Supply: len(prints), Editions: []edition{}}
	if master.MaxSupply > 0 {
		sent.Max = &master.MaxSupply
	}
	all := world.View(c.World, "editions "+mint, func() []entry {
		var all []entry
		for _, a := range prints {
			all = append(all, entry{asset: a})
		}
		return all
	})
	for _, e := range at.of(all, false) {
		sent.Editions = append(sent.Editions, edition{e.asset.ID, world.Derived("edition", e.asset.ID), e.asset.Edition, e.asset.Burnt})
	}
	sent.Total = len(sent.Editions)
	return world.Encode(sent), nil
}

// signaturesForAsset lists what happened to a compressed asset, newest first.
func signaturesForAsset(c *wire.Call) ([]byte, *wire.Refusal) {
	p := c.Named("id", "page", "limit", "before", "after", "cursor", "sortDirection", "tree", "leafIndex")
	id, at := key(p, "id"), placeOf(p)
	if p.Refused != nil {
		return nil, p.Refused
	}
	sent := struct {
		Slot  uint64      `json:"last_indexed_slot"`
		Total int         `json:"total"`
		Limit int         `json:"limit"`
		Page  int         `json:"page,omitempty"`
		Items [][2]string `json:"items"`
	}{Slot: c.World.Slot(), Limit: at.limit, Page: at.page, Items: [][2]string{}}
	a := c.World.Assets.Find(id)
	if a != nil && !a.Compressed {
		return nil, failure("Database Error: RecordNotFound Error: Tree not found")
	}
	if a != nil {
		events := a.Events()
		slices.Reverse(events)
		first := min(max(at.page-1, 0)*at.limit, len(events))
		for _, e := range events[first:min(first+at.limit, len(events))] {
			sent.Items = append(sent.Items, [2]string{e.Signature, e.Operation})
		}
	}
	sent.Total = len(sent.Items)
	return world.Encode(sent), nil
}
