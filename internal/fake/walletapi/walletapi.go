// Package walletapi answers the Wallet API from the world.
package walletapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
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

// invalid refuses an address or a name.
func invalid(c *wire.Call, what, is, text string) {
	c.Refuse(&wire.Refusal{Code: http.StatusBadRequest, Message: "Invalid " + what, Details: fmt.Sprintf("'%s' is not a valid %s", text, is)})
}

// checkAddress refuses what is not an address.
func checkAddress(c *wire.Call, wallet string) {
	if !world.IsAddress(wallet) {
		invalid(c, "wallet address", "Solana address", wallet)
	}
}

// walletOf returns the wallet in the path of c. The query must have been read.
func walletOf(c *wire.Call) string {
	wallet := c.Path("wallet")
	c.Query.End()
	checkAddress(c, wallet)
	return wallet
}

func balances(c *wire.Call) []byte {
	q := c.Query
	page, limit := q.Integer("page", 1, 10_000_000), q.Integer("limit", 100, 100)
	zero, native, nfts := q.Flag("showZeroBalance", false), q.Flag("showNative", true), q.Flag("showNfts", false)
	wallet := walletOf(c)
	if c.Refused != nil {
		return nil
	}
	all, shown := c.World.Ranked(wallet, zero, native)
	total, first := new(big.Rat), min((page-1)*limit, len(shown))
	past := min(first+limit, len(shown))
	var found, collectibles []json.RawMessage
	for _, i := range shown[first:past] {
		text, value := entry(i, all[i])
		found = append(found, text)
		if value != nil {
			total.Add(total, value)
		}
	}
	if nfts && page == 1 {
		for i, a := range owned(c.World, wallet) {
			collectibles = append(collectibles, collectible(c.World, i, a))
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

// form returns a template in which unknown values are null in every other entry, and absent in the
// rest.
func form(i int, template string) string {
	if i%2 == 0 {
		return strings.ReplaceAll(template, "~", "!")
	}
	return template
}

// entry is a balance as it is sent, and its value in USD, nil without a price.
func entry(i int, h *world.Holding) (json.RawMessage, *big.Rat) {
	t := h.Token
	mint, logo := t.Mint, ""
	if t.IsNative() {
		mint = world.WrappedSOL
	}
	var price, worth any
	value := h.Value()
	if value != nil {
		price, worth = world.Number(t.PriceUSD()), world.Number(value)
	}
	if t.Symbol != "" && i < 40 {
		logo = "https://tokens.solwire.test/" + mint + ".png"
	}
	return world.JSON(form(i, `{"mint":?,"symbol":~,"name":~,"balance":?,"decimals":?,"pricePerToken":~,"usdValue":~,"logoUri":~,"tokenProgram":?}`),
		mint, t.Symbol, t.Name, world.Number(world.Units(h.Raw, t.Decimals)), t.Decimals, price, worth, logo, t.ProgramName()), value
}

// collectible is an NFT as it is sent.
func collectible(w *world.World, i int, a *world.Asset) json.RawMessage {
	name := ""
	if group := w.Assets.Find(a.Collection); group != nil {
		name = group.Name
	}
	return world.JSON(form(i, `{"mint":?,"name":~,"imageUri":~,"collectionName":~,"collectionAddress":~,"compressed":?}`),
		a.ID, a.Name, a.Image, name, a.Collection, a.Compressed)
}

// balanceAt answers how much of a token a wallet held at a moment: the balance after the last
// transaction until then.
func balanceAt(c *wire.Call) []byte {
	mint := c.Query.Text("mint")
	if !world.IsAddress(mint) {
		c.Invalid("mint must be an address")
	}
	requested, reached := pointOf(c.Query)
	wallet := walletOf(c)
	if c.Refused != nil {
		return nil
	}
	t := c.World.Token(mint)
	if t == nil {
		t = &world.Token{Mint: mint}
	}
	var raw uint64
	var asOf any
	if h := c.World.Wallet(wallet).Holding(t.Mint); h != nil {
		var x *world.Transaction
		if raw, x = h.At(reached); x != nil {
			asOf = world.JSON(`{"slot":?,"signature":?,"blockTime":~}`, x.Slot, x.Signature, c.World.BlockTime(x))
		}
	}
	return world.JSON(`{"wallet":?,"mint":?,"isNative":?,"balance":?,"balanceRaw":?,"decimals":?,"requested":?,"asOf":?}`,
		wallet, mint, t.IsNative(), world.Text(raw, t.Decimals), world.Text(raw, 0), t.Decimals, requested, asOf)
}

// pointOf reads the moment, a time, a slot, or the text of a time, which must be given exactly
// once. It returns it as it is sent, and whether a transaction had happened at it.
func pointOf(q *wire.Query) (requested json.RawMessage, reached func(*world.Transaction) bool) {
	const highest = 1 << 40
	var unix, slot, text any
	var n int64
	reached = func(x *world.Transaction) bool { return x.Time.Unix() <= n }
	given := slices.DeleteFunc([]string{"time", "datetime", "slot"}, func(name string) bool { return !q.Values.Has(name) })
	if len(given) != 1 {
		q.Invalid("exactly one of time, datetime and slot is required")
		return nil, nil
	}
	switch given[0] {
	case "time":
		n = q.Long("time", 0, highest)
		unix = n
	case "datetime":
		word := q.Text("datetime")
		n = datetime(q, word)
		unix, text = n, word
	default:
		n = q.Long("slot", 0, highest)
		slot, reached = n, func(x *world.Transaction) bool { return x.Slot <= uint64(n) }
	}
	return world.JSON(`{"time":?,"slot":?,"datetime":?}`, unix, slot, text), reached
}

// datetime reads a date, or a date and a time. Seconds and zone are optional; without a zone the
// time is in UTC.
func datetime(q *wire.Query, text string) int64 {
	for _, clock := range []string{"", "T15:04", " 15:04", "T15:04:05", " 15:04:05"} {
		for _, zone := range []string{"", "Z", "-07:00"} {
			layout := "2006-01-02" + clock + zone
			if at, err := time.Parse(layout, text); err == nil && len(text) == len(layout) && (clock != "" || zone == "") {
				return at.Unix()
			}
		}
	}
	q.Invalid("datetime must be like 2024-01-31 or 2024-01-31T12:30:00+02:00")
	return 0
}

// find returns a transaction of the wallet, nil without a signature. An unknown one is a mistake.
func find(c *wire.Call, name, signature string) *world.Transaction {
	x := c.World.Transaction(signature)
	if x != nil {
		if _, found := world.Place(c.World.History(c.Path("wallet"), "processed"), x); found {
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
	limit := q.Integer("limit", 100, 100)
	before, after, kind := q.Text("before"), q.Text("after"), q.Text("type")
	if kind != "" && !wire.IsType(kind) {
		c.Invalid("type must be a transaction type")
	}
	reach, known := wire.Reach(cmp.Or(q.Text("tokenAccounts"), "balanceChanged"))
	if !known {
		c.Invalid("tokenAccounts must be none, balanceChanged or all")
	}
	h := wire.History{Commitment: "processed", Before: find(c, "before", before), After: find(c, "after", after), Reach: reach}
	wallet := walletOf(c)
	data, next := h.Page(c.World, wallet, limit, func(i int, m *world.Mention) (json.RawMessage, string) {
		if kind != "" && m.Kind != kind {
			return nil, m.Signature // the limit counts transactions before the type is filtered
		}
		return transactionText(c.World, m, i), m.Signature
	})
	return world.JSON(`{"data":?,"pagination":{"hasMore":?,"nextCursor":!}}`, data, next != "", next)
}

// transactionText returns transaction i of a wallet as it is sent.
func transactionText(w *world.World, m *world.Mention, i int) json.RawMessage {
	var changes []json.RawMessage
	for _, change := range m.Changes {
		amount := world.Units(change.By, change.Token.Decimals)
		if change.Out {
			amount.Neg(amount)
		}
		changes = append(changes, world.JSON(`{"mint":?,"amount":?,"decimals":?}`, change.Token.Mint, world.Number(amount), change.Token.Decimals))
	}
	return world.JSON(form(i, `{"signature":?,"timestamp":~,"slot":?,"fee":?,"feePayer":?,"error":~,"balanceChanges":?}`), m.Signature,
		w.BlockTime(m.Transaction), m.Slot, world.Number(world.Units(m.Fee, 9)), m.FeePayer, m.Failure, changes)
}

// fundedBy answers who sent the first SOL to a wallet. Both spellings of SOL occur.
func fundedBy(c *wire.Call) []byte {
	wallet := walletOf(c)
	all := c.World.History(c.Path("wallet"), "processed")
	for i := range all {
		x := all[i].Transaction
		for _, t := range x.Transfers {
			if t.Mint != world.SOL || t.To != wallet || x.Failure != "" {
				continue
			}
			var name any
			kind := ""
			if i, known := c.World.Identity(t.From); known {
				name, kind = i.Name, i.Type
			}
			return world.JSON(`{"funder":?,"funderName":?,"funderType":~,"mint":?,"symbol":"SOL","amount":?,"amountRaw":?,"decimals":9,"signature":?,"timestamp":?,"date":?,"slot":?,"explorerUrl":?}`,
				t.From, name, kind, spelled(len(all)), world.Number(world.Units(t.Raw, 9)), world.Text(t.Raw, 0), x.Signature, x.Time.Unix(),
				x.Time.UTC().Format("2006-01-02T15:04:05.000Z"), x.Slot, "https://explorer.solana.com/tx/"+x.Signature+"?cluster=mainnet-beta")
		}
	}
	c.Fail(http.StatusNotFound, "No funding transaction found")
	return nil
}

// spelled returns one of the two spellings of the mint of SOL.
func spelled(i int) string { return [...]string{world.WrappedSOL, string(types.NativeSOLMint)}[i%2] }

func transfers(c *wire.Call) []byte {
	q := c.Query
	limit, cursor := q.Integer("limit", 50, 100), q.Text("cursor")
	h := wire.History{Commitment: "processed", Reach: world.TokenAccounts, Status: "succeeded", Through: true}
	signature, number, _ := strings.Cut(cursor, ":") // of a transaction, and of its last transfer
	skip, err := strconv.Atoi(cmp.Or(number, "-1"))
	h.Before = find(c, "cursor", signature)
	if err != nil || cursor != "" && number == "" {
		c.Invalid("cursor is not of this listing")
	}
	wallet := walletOf(c)
	data, next := wire.Page(limit, func(yield func(json.RawMessage, string) bool) {
		for i, m := range h.Of(c.World, wallet) {
			n := -1
			for _, t := range m.Transfers {
				if t.From != wallet && t.To != wallet {
					continue
				}
				n++
				if (m.Transaction != h.Before || n > skip) && !yield(transferText(c.World, wallet, m.Transaction, t, i), m.Signature+":"+strconv.Itoa(n)) {
					return
				}
			}
		}
	})
	return world.JSON(`{"data":?,"pagination":{"hasMore":?,"nextCursor":~}}`, data, next != "", next)
}

// transferText returns a transfer of transaction i as it is sent.
func transferText(w *world.World, wallet string, x *world.Transaction, t world.Transfer, i int) json.RawMessage {
	token, mint, direction, other := w.Token(t.Mint), t.Mint, "in", t.From
	if t.From == wallet {
		direction, other = "out", t.To
	}
	if token.IsNative() {
		mint = spelled(i)
	}
	return world.JSON(form(i, `{"signature":?,"timestamp":?,"direction":?,"counterparty":?,"mint":?,"symbol":~,"amount":?,"amountRaw":?,"decimals":?}`), x.Signature, x.Time.Unix(),
		direction, other, mint, token.Symbol, world.Number(world.Units(t.Raw, token.Decimals)), world.Text(t.Raw, 0), token.Decimals)
}

// resolve returns the address for an address or a domain name. The address is empty if the
// domain does not exist.
func resolve(c *wire.Call, name string) (address string, isDomain bool) {
	if !strings.Contains(name, ".") {
		checkAddress(c, name)
		return name, false
	}
	if slices.Contains(strings.Split(name, "."), "") || strings.ContainsAny(name, " /") {
		invalid(c, "domain name", "domain name", name)
	}
	return c.World.Resolve(strings.ToLower(name)), true
}

func identity(c *wire.Call) []byte {
	c.Query.End()
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
	c.Query.End()
	if !c.JSON {
		c.Invalid("Content-Type must be application/json")
	}
	var in struct {
		Addresses []string `json:"addresses"`
	}
	c.Decode(c.Body, &in, !c.Lenient)
	if n := len(in.Addresses); n < 1 || n > 100 {
		c.Invalid("addresses must have between 1 and 100 entries")
	}
	var entries []json.RawMessage
	for _, name := range in.Addresses {
		address, isDomain := resolve(c, name)
		input := ""
		if isDomain {
			input = name
		}
		i, _ := c.World.Identity(address)
		entries = append(entries, world.JSON(`{"address":!,"type":?,"name":~,"category":~,"tags":~,"inputDomain":~,"unresolved":~}`,
			address, i.Type, i.Name, i.Category, world.When(i.Tags != nil, "?", i.Tags), input, address == ""))
	}
	return world.JSON("?", entries)
}
