package assets

import (
	"cmp"
	"encoding/json"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

const assetForm = `{"interface":?,"id":?,"content":{"$schema":"https://schema.metaplex.com/nft1.0.json","json_uri":?,"files":[?],"metadata":{"attributes":~,` +
	`"description":~,"name":?,"symbol":?,"token_standard":?},"links":{?}},"authorities":[?],"compression":?,"grouping":[?],` +
	`"royalty":{"royalty_model":"creators","target":null,"percent":?,"basis_points":?,"primary_sale_happened":false,"locked":false},"creators":?,` +
	`"ownership":{"frozen":?,"delegated":?,"delegate":!,"ownership_model":?,"owner":?},"supply":?,"mutable":?,"burnt":?,"token_info":~,"is_agent":~,"asset_signer":~,"agent_token":~}`

const compressionForm = `{"eligible":false,"compressed":?,"data_hash":?,"creator_hash":?,"asset_hash":?,"tree":?,"seq":?,"leaf_id":?}`

// text returns an asset or a token as it is sent.
func text(w *world.World, e entry, show *wire.Params) json.RawMessage {
	a, t, h := e.asset, e.token, e.holding
	standard, model, percent := "NonFungible", "single", json.RawMessage("0.0")
	var supply, info json.RawMessage
	symbol := ""
	if a == nil {
		standard, model, symbol = "Fungible", "token", t.Symbol
		a = &world.Asset{Interface: "FungibleToken", ID: t.Mint, Name: cmp.Or(t.Name, t.Symbol), Symbol: t.Symbol}
		if h != nil {
			a.Owner = h.Owner
		}
	} else {
		percent = json.RawMessage(world.Number(world.Units(uint64(a.BasisPoints), 4)))
		var nonce any
		if t != nil {
			h, nonce = w.Wallet(a.Owner).Holding(t.Mint), 255
		}
		supply = world.JSON(`{"print_max_supply":?,"print_current_supply":?,"edition_nonce":?}`, a.MaxSupply, len(w.Assets.Sorted(world.OfMaster+a.ID)), nonce)
	}
	if t != nil {
		var balance, total, price any
		account := ""
		each := t.PriceUSD()
		if h != nil {
			balance, account = world.Encode(h.Raw), w.AccountOf(h.Owner, t.Mint)
			if each != nil {
				total = world.Number(*h.Value())
			}
		}
		if each != nil && e.asset == nil {
			price = world.JSON(`{"price_per_token":?,"total_price":~,"currency":"USDC"}`, world.Number(*each), total)
		}
		info = world.JSON(`{"symbol":~,"balance":~,"supply":?,"decimals":?,"token_program":?,"associated_token_address":~,"price_info":~}`,
			symbol, balance, t.Supply(), t.Decimals, t.Program(), account, price)
	}
	compression := world.JSON(compressionForm, false, "", "", "", "", 0, 0)
	if a.Compressed {
		compression = world.JSON(compressionForm, true, world.Text32(a.DataHash()), world.Text32(a.CreatorHash()), world.Text32(a.Hash()), a.Tree, a.Leaf+1, a.Leaf)
	}
	return world.JSON(assetForm, a.Interface, a.ID, a.URI, world.When(a.Image != "", `{"uri":?,"mime":"image/png"}`, a.Image), a.Attributes,
		a.Description, a.Name, a.Symbol, standard, world.When(a.Image != "", `"image":?`, a.Image),
		world.When(a.Authority != "", `{"address":?,"scopes":["full"]}`, a.Authority), compression, groupOf(w, a, show),
		percent, a.BasisPoints, a.Creators, a.Frozen, a.Delegate != "", a.Delegate, model, a.Owner, supply, !a.Immutable, a.Burnt, info, a.AgentSigner != "", a.AgentSigner, a.AgentToken)
}

// groupOf returns the collection of an asset.
func groupOf(w *world.World, a *world.Asset, show *wire.Params) json.RawMessage {
	var metadata any
	if of := w.Assets.Find(a.Collection); of != nil && flag(show, "showCollectionMetadata") {
		metadata = world.JSON(`{"name":?,"symbol":?,"image":?,"description":?,"external_url":""}`, of.Name, of.Symbol, of.Image, of.Description)
	}
	return world.When(a.Collection != "", `{"group_key":"collection","group_value":?,"verified":~,"collection_metadata":~}`,
		a.Collection, flag(show, "showUnverifiedCollections"), metadata)
}

// sent is a page of a listing, with the members that others do not have.
func (at place) sent(c *wire.Call, total int, more string, values ...any) []byte {
	return world.JSON(`{"last_indexed_slot":?,"total":?,"limit":?,"page":~,`+more+`}`, append([]any{c.World.Slot(), total, at.limit, at.page}, values...)...)
}
