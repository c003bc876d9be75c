// Package assets answers the methods of digital assets from the world: NFTs, and the tokens of
// the ledger.
package assets

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/solwire/solwire-go/internal/facts"
	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// Methods are the methods of digital assets.
func Methods() map[string]wire.Operation {
	all := map[string]wire.Operation{
		"getAsset":              asset,
		"getAssetBatch":         assetBatch,
		"getAssetProof":         assetProof,
		"getAssetProofBatch":    proofBatch,
		"getAssetsByAuthority":  listing(world.OfAuthority, "authorityAddress", "authorityAddress"),
		"getAssetsByCreator":    listing(world.OfCreator, "creatorAddress", "creatorAddress", "onlyVerified"),
		"getAssetsByGroup":      listing(world.OfCollection, "groupValue", "groupKey", "groupValue"),
		"getAssetsByOwner":      listing(world.OfOwner, "ownerAddress", "ownerAddress"),
		"getNftEditions":        editions,
		"getSignaturesForAsset": signaturesForAsset,
		"getTokenAccounts":      tokenAccounts,
		"searchAssets":          search,
	}
	for standard, name := range map[string]string{
		"getAssets": "getAssetBatch", "getAssetProofs": "getAssetProofBatch", "getAssetSignatures": "getSignaturesForAsset",
	} {
		all[standard] = func(c *wire.Call) []byte {
			c.Facts = facts.Of(name)
			return all[name](c)
		}
	}
	return all
}

// failed is the code of all errors of assets.
const failed = -32000

const notFound = "Database Error: RecordNotFound Error: Asset Not Found"

func flag(p *wire.Params, name string) bool { return string(p.Members[name]) == "true" }

// showOf returns the display options.
func showOf(p *wire.Params) *wire.Params {
	show := new(wire.Params)
	for _, name := range []string{"options", "displayOptions"} {
		if p.Has(name) {
			show = p.Inner(name)
		}
	}
	return show
}

// An entry is an asset or a token.
type entry struct {
	asset   *world.Asset
	holding *world.Holding // in lists by owner
	token   *world.Token
}

// id returns the ID of the asset, or the mint of the token.
func (e entry) id() string {
	if e.asset != nil {
		return e.asset.ID
	}
	return e.token.Mint
}

// find returns the asset, or the token, with an ID. It is false if there is none.
func find(w *world.World, id string) (entry, bool) {
	e := entry{asset: w.Assets.Find(id), token: w.Token(id)}
	return e, e.asset != nil || e.token != nil && !e.token.IsNative()
}

func asset(c *wire.Call) []byte {
	p := c.Named("id", "options", "displayOptions")
	id, show := p.Key("id", true), showOf(p)
	e, found := find(c.World, id)
	if !found {
		c.Fail(failed, notFound)
		return nil
	}
	if e.asset != nil && e.asset.Burnt && !e.asset.Compressed {
		c.Fail(failed, "Database Error: Custom Error: Asset has no supply")
	}
	return text(c.World, e, show)
}

func ids(c *wire.Call) ([]string, *wire.Params) {
	p := c.Named("ids", "options", "displayOptions")
	return p.Keys("ids"), showOf(p)
}

func assetBatch(c *wire.Call) []byte {
	all, show := ids(c)
	sent := make([]json.RawMessage, len(all))
	for i, id := range all {
		if e, found := find(c.World, id); found {
			sent[i] = text(c.World, e, show)
		}
	}
	return world.JSON("?", sent)
}

// proofOf returns the proof of a compressed asset, nil for others.
func proofOf(w *world.World, id string) json.RawMessage {
	a := w.Assets.Find(id)
	if a == nil || !a.Compressed {
		return nil
	}
	leaf := a.Hash()
	if a.Burnt {
		clear(leaf[:])
	}
	nodes, root, index := w.Assets.Proof(a)
	return world.JSON(`{"root":?,"proof":?,"node_index":?,"leaf":?,"tree_id":?,"last_indexed_slot":?,"burnt":?}`,
		root, nodes, index, world.Text32(leaf), a.Tree, w.Slot(), a.Burnt)
}

func assetProof(c *wire.Call) []byte {
	proof := proofOf(c.World, c.Named("id").Key("id", true))
	if proof == nil {
		c.Fail(failed, "Database Error: RecordNotFound Error: Asset Proof Not Found")
	}
	return proof
}

func proofBatch(c *wire.Call) []byte {
	all, _ := ids(c)
	sent := map[string]json.RawMessage{}
	for _, id := range all {
		sent[id] = proofOf(c.World, id)
	}
	return world.Encode(sent)
}

// members are the members of all listings of assets.
func members(names ...string) []string {
	return append(names, "sortBy", "limit", "page", "before", "after", "cursor", "options", "displayOptions")
}

// listing lists the assets with an address in a member, which is one of the known ones.
func listing(of, name string, known ...string) wire.Operation {
	return func(c *wire.Call) []byte {
		p := c.Named(members(known...)...)
		address := p.Key(name, true)
		assets, owner := c.World.Assets.Sorted(of+address), ""
		switch group, _ := p.Text("groupKey"); {
		case of == world.OfOwner:
			owner = address
		case of == world.OfCollection && group == "":
			p.Invalid("missing field `groupKey`")
		case of == world.OfCollection && group != "collection":
			assets = nil
		}
		return list(c, p, owner, flag(showOf(p), "showFungible"), assets, func(a *world.Asset) bool {
			return !flag(p, "onlyVerified") || slices.ContainsFunc(a.Creators, func(c world.Creator) bool { return c.Address == address && c.Verified })
		})
	}
}

// list answers with one page of the selected assets and of the tokens of an owner.
func list(c *wire.Call, p *wire.Params, owner string, fungible bool, assets []*world.Asset, selected func(*world.Asset) bool) []byte {
	show := showOf(p)
	at := placeOf(p)
	sortBy, descending := sortOf(p)
	var all []entry
	for _, a := range assets {
		if (!a.Burnt || a.Compressed) && selected(a) {
			all = append(all, entry{asset: a, token: c.World.Token(a.ID)})
		}
	}
	for _, h := range c.World.Indexed(owner) {
		if fungible && !h.Token.IsNative() && !h.Token.IsNFT() && (h.Raw > 0 || flag(show, "showZeroBalance")) {
			all = append(all, entry{holding: h, token: h.Token})
		}
	}
	slices.SortFunc(all, func(a, b entry) int {
		if sortBy != "id" && sortBy != "none" && a.asset != nil && b.asset != nil {
			return cmp.Compare(a.asset.Number, b.asset.Number)
		}
		return world.CompareKeys(a.id(), b.id())
	})
	var native any
	if flag(show, "showNativeBalance") && owner != "" {
		sol := world.Holding{Token: c.World.Token(world.SOL)}
		sol.Raw, _ = c.World.Wallet(owner).Holding(world.SOL).At(world.AfterSlot(c.World.IndexedSlot()))
		native = world.JSON(`{"lamports":?,"price_per_sol":?,"total_price":?}`, sol.Raw, world.Number(*sol.Token.PriceUSD()), world.Number(*sol.Value()))
	}
	var items []json.RawMessage
	cursor := ""
	for _, e := range pageOf(at, all, entry.id, descending) {
		items = append(items, text(c.World, e, show))
		if at.page == 0 && at.before+at.after == "" {
			cursor = e.id()
		}
	}
	return at.sent(c, len(items), `"cursor":~,"before":~,"after":~,"grand_total":~,"items":?,"nativeBalance":~`, cursor, at.before, at.after, world.When(flag(show, "showGrandTotal"), "?", len(all)), items, native)
}

// factsOf returns the facts by which searchAssets finds an asset.
func factsOf(a *world.Asset) map[string]any {
	return map[string]any{
		"authorityAddress": a.Authority, "delegate": a.Delegate, "tree": a.Tree, "frozen": a.Frozen, "compressed": a.Compressed, "compressible": false,
		"burnt": a.Burnt, "interface": a.Interface, "jsonUri": a.URI, "name": a.Name, "royaltyAmount": float64(a.BasisPoints), "supplyMint": a.ID,
		"isAgent": a.AgentSigner != "", "assetSigner": a.AgentSigner, "agentToken": a.AgentToken,
	}
}

// search answers searchAssets.
func search(c *wire.Call) []byte {
	p := c.Named(members("ownerAddress", "tokenType", "creatorAddress", "creatorVerified", "authorityAddress", "grouping", "delegate", "frozen",
		"supply", "supplyMint", "compressed", "compressible", "royaltyTargetType", "royaltyTarget", "royaltyAmount", "burnt", "interface", "ownerType",
		"jsonUri", "isAgent", "assetSigner", "agentToken", "tree", "negate", "conditionType", "name", "collectionNft")...)
	owner, creator := p.Key("ownerAddress", false), p.Key("creatorAddress", false)
	kind, _ := p.Text("tokenType")
	condition, _ := p.Text("conditionType")
	grouping, _ := wire.Member[[]string](p, "grouping", "a tuple of size 2")
	p.OneOf(kind, "fungible", "nonFungible", "regularNft", "compressedNft", "all")
	source := c.World.Assets.Sorted(world.OfEverybody)
	if owner != "" {
		source = c.World.Assets.Sorted(world.OfOwner + owner)
	}
	return list(c, p, owner, kind == "fungible" || kind == "all", source, func(a *world.Asset) bool {
		var met []bool // the conditions
		when := func(asked, holds bool) {
			if asked {
				met = append(met, holds)
			}
		}
		when(creator != "", slices.ContainsFunc(a.Creators, func(c world.Creator) bool {
			return c.Address == creator && (!p.Has("creatorVerified") || c.Verified == flag(p, "creatorVerified"))
		}))
		when(len(grouping) == 2, len(grouping) == 2 && grouping[0] == "collection" && a.Collection == grouping[1])
		for name, fact := range factsOf(a) {
			var asked any
			_ = json.Unmarshal(p.Members[name], &asked) // nothing is asked without it
			when(asked != nil && asked != "", asked == fact)
		}
		when(kind == "regularNft" || kind == "compressedNft", a.Compressed == (kind == "compressedNft"))
		when(kind == "fungible", false)
		return (!slices.Contains(met, false) || condition == "any" && slices.Contains(met, true)) != flag(p, "negate")
	})
}

func editions(c *wire.Call) []byte {
	p := c.Named("mint", "page", "limit", "before", "after", "cursor")
	mint, at := p.Key("mint", true), placeOf(p)
	master := c.World.Assets.Find(mint)
	if master == nil {
		c.Fail(failed, notFound)
		return nil
	}
	prints := c.World.Assets.Sorted(world.OfMaster + mint)
	var items []json.RawMessage
	for _, a := range pageOf(at, prints, func(a *world.Asset) string { return a.ID }, false) {
		items = append(items, world.JSON(`{"mint":?,"edition_address":?,"edition":?,"burnt":?}`, a.ID, world.Derived("edition", a.ID), a.Edition, a.Burnt))
	}
	return at.sent(c, len(items), `"master_edition_address":?,"supply":?,"max_supply":!,"editions":?`, world.Derived("master edition", mint), len(prints), master.MaxSupply, items)
}

// signaturesForAsset lists the transactions of a compressed asset, newest first.
func signaturesForAsset(c *wire.Call) []byte {
	p := c.Named("id", "page", "limit", "before", "after", "cursor", "sortDirection", "tree", "leafIndex")
	id, at := p.Key("id", true), placeOf(p)
	var items []json.RawMessage
	if a := c.World.Assets.Find(id); a != nil && a.Compressed {
		events := a.Events()
		slices.Reverse(events)
		first := min(max(at.page-1, 0)*at.limit, len(events))
		for _, e := range events[first:min(first+at.limit, len(events))] {
			items = append(items, world.JSON(`[?,?]`, e.Signature, e.Operation))
		}
	} else if a != nil {
		c.Fail(failed, "Database Error: RecordNotFound Error: Tree not found")
	}
	return at.sent(c, len(items), `"items":?`, items)
}
