// Package walletapi answers the Wallet API from the world.
package walletapi

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
)

// Routes are the routes under /v1/wallet.
func Routes() map[string]wire.Operation {
	return map[string]wire.Operation{
		"GET /v1/wallet/{wallet}/balance-at": balanceAt,
		"GET /v1/wallet/{wallet}/balances":   balances,
		"GET /v1/wallet/{wallet}/funded-by":  fundedBy,
		"GET /v1/wallet/{wallet}/history":    history,
		"GET /v1/wallet/{wallet}/identity":   identity,
		"GET /v1/wallet/{wallet}/transfers":  transfers,
		"POST /v1/wallet/batch-identity":     batchIdentity,
	}
}

// checkAddress refuses invalid addresses.
func checkAddress(c *wire.Call, wallet string) {
	if !world.IsAddress(wallet) {
		c.Refuse(&wire.Refusal{Code: http.StatusBadRequest, Message: "Invalid wallet address", Details: "'" + wallet + "' is not a valid Solana address"})
	}
}

// walletOf returns the wallet in the path of c.
func walletOf(c *wire.Call) string {
	wallet := c.Path("wallet")
	checkAddress(c, wallet)
	return wallet
}

func balances(c *wire.Call) []byte {
	q := c.Query
	page, limit := q.Integer("page", 1, 10_000_000), q.Integer("limit", c.Facts.Items, c.Facts.Items)
	zero, native, nfts := q.Flag("showZeroBalance", false), q.Flag("showNative", true), q.Flag("showNfts", false)
	wallet := walletOf(c)
	if c.Refused != nil {
		return nil
	}
	shown := c.World.Ranked(wallet, zero, native)
	total, first := decimal.Zero, min((page-1)*limit, len(shown))
	past := min(first+limit, len(shown))
	var found, collectibles []json.RawMessage
	for _, h := range shown[first:past] {
		text, value := entry(h)
		found = append(found, text)
		if value != nil {
			total = total.Add(*value)
		}
	}
	if nfts && page == 1 {
		for _, a := range owned(c.World, wallet) {
			collectibles = append(collectibles, collectible(c.World, a))
		}
	}
	return world.JSON(`{"balances":?,"nfts":~,"totalUsdValue":?,"pagination":{"page":?,"limit":?,"hasMore":?}}`, found, world.When(nfts, "?", collectibles), world.Number(total), page, limit, past < len(shown))
}

// owned returns the first hundred NFTs of a wallet, in the order of their creation.
func owned(w *world.World, wallet string) []*world.Asset {
	all := slices.Clone(w.Assets.Sorted(world.OfOwner + wallet))
	all = slices.DeleteFunc(all, func(a *world.Asset) bool { return a.Burnt })
	slices.SortFunc(all, func(a, b *world.Asset) int { return cmp.Compare(a.Number, b.Number) })
	return all[:min(len(all), 100)]
}

// entry is a balance as it is sent, and its value in USD, nil without a price. Some unknown values
// are null, others absent.
func entry(h *world.Holding) (json.RawMessage, *decimal.Decimal) {
	t := h.Token
	mint, logo := t.Mint, ""
	if t.IsNative() {
		mint = world.WrappedSOL
	}
	var price, worth any
	value := h.Value()
	if value != nil {
		price, worth = world.Number(*t.PriceUSD()), world.Number(*value)
		logo = "https://tokens.solwire.test/" + mint + ".png"
	}
	return world.JSON(`{"mint":?,"symbol":!,"name":!,"balance":?,"decimals":?,"pricePerToken":!,"usdValue":!,"logoUri":~,"tokenProgram":?}`,
		mint, t.Symbol, t.Name, world.Number(world.Units(h.Raw, t.Decimals)), t.Decimals, price, worth, logo, t.ProgramName()), value
}

// collectible is an NFT as it is sent.
func collectible(w *world.World, a *world.Asset) json.RawMessage {
	group := cmp.Or(w.Assets.Find(a.Collection), new(world.Asset))
	return world.JSON(`{"mint":?,"name":!,"imageUri":!,"collectionName":~,"collectionAddress":~,"compressed":?}`,
		a.ID, a.Name, a.Image, group.Name, a.Collection, a.Compressed)
}

// balanceAt answers how much of a token a wallet held at a moment: the balance after the last
// transaction until then.
func balanceAt(c *wire.Call) []byte {
	mint := c.Query.Text("mint")
	if !world.IsAddress(mint) {
		c.Invalid("mint must be an address")
	}
	requested, later := pointOf(c.Query)
	wallet := walletOf(c)
	t := c.World.Token(mint)
	if t == nil {
		t = &world.Token{Mint: mint}
	}
	var asOf any
	raw, x := c.World.Wallet(wallet).Holding(t.Mint).At(later)
	if x != nil {
		asOf = world.JSON(`{"slot":?,"signature":?,"blockTime":~}`, x.Slot, x.Signature, c.World.BlockTime(x))
	}
	return world.JSON(`{"wallet":?,"mint":?,"isNative":?,"balance":?,"balanceRaw":?,"decimals":?,"requested":?,"asOf":?}`,
		wallet, mint, t.IsNative(), world.Text(raw, t.Decimals), world.Text(raw, 0), t.Decimals, requested, asOf)
}

// pointOf reads the moment, a time or a slot. It returns it as it is sent too.
func pointOf(q *wire.Query) (requested json.RawMessage, later world.Later) {
	const highest = 1 << 40
	if bySlot := q.Values.Has("slot"); bySlot == q.Values.Has("time") {
		q.Invalid("exactly one of time and slot is required")
	} else if bySlot {
		n := q.Long("slot", 0, highest)
		return world.JSON(`{"time":null,"slot":?,"datetime":null}`, n), world.AfterSlot(uint64(n))
	}
	n := q.Long("time", 0, highest)
	return world.JSON(`{"time":?,"slot":null,"datetime":null}`, n), func(x *world.Transaction) bool { return x.Time.Unix() > n }
}

// find returns a transaction of the wallet, nil without a signature. An unknown one is a mistake.
func find(c *wire.Call, name, signature string) *world.Transaction {
	x := c.World.Transaction(signature)
	if x != nil {
		if _, reached := c.World.Reaches(x)[c.Path("wallet")]; reached {
			return x
		}
	}
	if signature != "" {
		c.Invalid("%s is not a signature of this wallet", name)
	}
	return nil
}

func history(c *wire.Call) []byte {
	q := c.Query
	limit := q.Integer("limit", c.Facts.Items, c.Facts.Items)
	before, after, kind := q.Text("before"), q.Text("after"), q.Text("type")
	reach := c.Reach(q.Text("tokenAccounts"), "balanceChanged")
	h := wire.History{Commitment: "processed", Before: find(c, "before", before), After: find(c, "after", after), Reach: reach}
	wallet := walletOf(c)
	data, next := h.Page(c.World, wallet, limit, func(m *world.Mention) (json.RawMessage, string) {
		if kind != "" && m.Kind != kind {
			return nil, m.Signature // the limit counts transactions before the type is filtered
		}
		return transactionText(c.World, wallet, m.Transaction), m.Signature
	})
	return world.JSON(`{"data":?,"pagination":{"hasMore":?,"nextCursor":!}}`, data, next != "", next)
}

// transactionText returns a transaction of a wallet as it is sent.
func transactionText(w *world.World, wallet string, x *world.Transaction) json.RawMessage {
	var changes []json.RawMessage
	for _, f := range w.Changes(x, wallet) {
		amount := world.Units(f.In, f.Token.Decimals).Sub(world.Units(f.Out, f.Token.Decimals))
		changes = append(changes, world.JSON(`{"mint":?,"amount":?,"decimals":?}`, f.Token.Mint, world.Number(amount), f.Token.Decimals))
	}
	return world.JSON(`{"signature":?,"timestamp":?,"slot":?,"fee":?,"feePayer":?,"error":~,"balanceChanges":?}`, x.Signature,
		w.BlockTime(x), x.Slot, world.Number(world.Units(x.Fee, 9)), x.FeePayer, x.Failure, changes)
}

// fundedBy answers with the sender of the first SOL of a wallet.
func fundedBy(c *wire.Call) []byte {
	wallet := walletOf(c)
	for _, x := range c.World.History(wallet, "processed") {
		for _, t := range x.Transfers {
			if t.Mint != world.SOL || t.To != wallet || x.Failure != "" {
				continue
			}
			i, known := c.World.Identity(t.From)
			if !known {
				i.Type = ""
			}
			return world.JSON(`{"funder":?,"funderName":!,"funderType":~,"mint":?,"symbol":"SOL","amount":?,"amountRaw":?,"decimals":9,"signature":?,"timestamp":?,"date":?,"slot":?,"explorerUrl":?}`,
				t.From, i.Name, i.Type, world.WrappedSOL, world.Number(world.Units(t.Raw, 9)), world.Text(t.Raw, 0), x.Signature, x.Time.Unix(),
				x.Time.UTC().Format("2006-01-02T15:04:05.000Z"), x.Slot, "https://explorer.solana.com/tx/"+x.Signature+"?cluster=mainnet-beta")
		}
	}
	c.Fail(http.StatusNotFound, "No funding transaction found")
	return nil
}

func transfers(c *wire.Call) []byte {
	q := c.Query
	limit, cursor := q.Integer("limit", 50, c.Facts.Items), q.Text("cursor")
	h := wire.History{Commitment: "processed", Reach: world.TokenAccounts, Status: "succeeded", Through: true}
	signature, number, _ := strings.Cut(cursor, ":") // of a transaction, and of its last transfer
	skip, err := strconv.Atoi(cmp.Or(number, "-1"))
	h.Before = find(c, "cursor", signature)
	if err != nil || cursor != "" && number == "" {
		c.Invalid("cursor is not of this listing")
	}
	wallet := walletOf(c)
	data, next := wire.Page(limit, func(yield func(json.RawMessage, string) bool) {
		for m := range h.Of(c.World, wallet) {
			n := -1
			for _, t := range m.Transfers {
				if t.From != wallet && t.To != wallet {
					continue
				}
				n++
				if (m.Transaction != h.Before || n > skip) && !yield(transferText(c.World, wallet, m.Transaction, t), m.Signature+":"+strconv.Itoa(n)) {
					return
				}
			}
		}
	})
	return world.JSON(`{"data":?,"pagination":{"hasMore":?,"nextCursor":~}}`, data, next != "", next)
}

// transferText returns a transfer as it is sent. Both spellings of SOL occur.
func transferText(w *world.World, wallet string, x *world.Transaction, t world.Transfer) json.RawMessage {
	token, mint, direction, other := w.Token(t.Mint), t.Mint, "in", t.From
	if t.From == wallet {
		direction, other = "out", t.To
	}
	if token.IsNative() {
		mint = []string{string(types.NativeSOLMint), world.WrappedSOL}[x.Slot%2]
	}
	return world.JSON(`{"signature":?,"timestamp":?,"direction":?,"counterparty":?,"mint":?,"symbol":!,"amount":?,"amountRaw":?,"decimals":?}`, x.Signature, x.Time.Unix(),
		direction, other, mint, token.Symbol, world.Number(world.Units(t.Raw, token.Decimals)), world.Text(t.Raw, 0), token.Decimals)
}

// resolve returns the address for an address or a domain name. The address is empty if the
// domain does not exist.
func resolve(c *wire.Call, name string) (address string, isDomain bool) {
	if !strings.Contains(name, ".") {
		checkAddress(c, name)
		return name, false
	}
	return c.World.Domains[strings.ToLower(name)], true
}

func identity(c *wire.Call) []byte {
	name := c.Path("wallet")
	address, _ := resolve(c, name)
	i, known := c.World.Identity(address)
	switch {
	case address == "":
		c.Fail(http.StatusNotFound, "Domain '%s' could not be resolved", name)
	case !known:
		c.Fail(http.StatusNotFound, "No identity information available for this address")
	}
	return world.Encode(i)
}

func batchIdentity(c *wire.Call) []byte {
	var in struct {
		Addresses []string `json:"addresses"`
	}
	c.Decode(c.Body, &in, false)
	if n := len(in.Addresses); n < 1 || n > c.Facts.Inputs {
		c.Invalid("addresses must have between 1 and %d entries", c.Facts.Inputs)
	}
	var entries []json.RawMessage
	for _, name := range in.Addresses {
		address, isDomain := resolve(c, name)
		if !isDomain {
			name = ""
		}
		i, _ := c.World.Identity(address)
		entries = append(entries, world.JSON(`{"address":!,"type":?,"name":~,"category":~,"tags":~,"inputDomain":~,"unresolved":~}`,
			address, i.Type, i.Name, i.Category, world.When(i.Tags != nil, "?", i.Tags), name, address == ""))
	}
	return world.JSON("?", entries)
}
