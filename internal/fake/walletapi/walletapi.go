// Package walletapi answers the Wallet API from the world.
package walletapi

import (
	"cmp"
	"encoding/json"
	"errors"
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
	return wire.Ops(map[string]func(*wire.Call) []byte{
		"GET /v1/wallet/{wallet}/balance-at": balanceAt,
		"GET /v1/wallet/{wallet}/balances":   balances,
		"GET /v1/wallet/{wallet}/funded-by":  fundedBy,
		"GET /v1/wallet/{wallet}/history":    history,
		"GET /v1/wallet/{wallet}/identity":   identity,
		"GET /v1/wallet/{wallet}/transfers":  transfers,
		"POST /v1/wallet/batch-identity":     batchIdentity,
	})
}

func notFound(c *wire.Call, message string) []byte {
	c.Refuse(&wire.Refusal{Code: http.StatusNotFound, Message: message})
	return nil
}

// checkAddress refuses what is not an address.
func checkAddress(c *wire.Call, wallet string) {
	if !world.IsAddress(wallet) {
		c.Refuse(&wire.Refusal{Code: http.StatusBadRequest, Message: "Invalid wallet address", Details: fmt.Sprintf("'%s' is not a valid Solana address", wallet)})
	}
}

// walletOf returns the wallet in the path of c. The query must have been read.
func walletOf(c *wire.Call) string {
	wallet := c.Path("wallet")
	c.Refuse(c.Query.Refused())
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
	var sent any // absent unless it is asked for
	if nfts {
		sent = world.JSON("?", collectibles)
	}
	return world.JSON(`{"balances":?,"nfts":~,"totalUsdValue":?,"pagination":{"page":?,"limit":?,"hasMore":?}}`, found, sent, world.Number(total), page, limit, past < len(shown))
}

// owned returns the first hundred NFTs of a wallet, in the order of their creation.
func owned(w *world.World, wallet string) []*world.Asset {
	all := slices.Clone(w.Assets.Sorted(world.OfOwner + wallet))
	all = slices.DeleteFunc(all, func(a *world.Asset) bool { return a.Burnt })
	slices.SortFunc(all, func(a, b *world.Asset) int { return cmp.Compare(a.Number, b.Number) })
	return all[:min(len(all), 100)]
}

// unknown returns a value as it is sent: an empty one is null in every other entry and absent
// in the rest.
func unknown(value any, i int) any {
	switch {
	case value != nil && value != "":
		return value
	case i%2 == 0:
		return wire.Null()
	}
	return nil
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
	return world.JSON(`{"mint":?,"symbol":~,"name":~,"balance":?,"decimals":?,"pricePerToken":~,"usdValue":~,"logoUri":~,"tokenProgram":?}`,
		mint, unknown(t.Symbol, i), unknown(t.Name, i), world.Number(world.Units(h.Raw, t.Decimals)), t.Decimals, unknown(price, i), unknown(worth, i),
		unknown(logo, i), t.ProgramName()), value
}

// collectible is an NFT as it is sent.
func collectible(w *world.World, i int, a *world.Asset) json.RawMessage {
	name := ""
	if group := w.Assets.Find(a.Collection); group != nil {
		name = group.Name
	}
	return world.JSON(`{"mint":?,"name":~,"imageUri":~,"collectionName":~,"collectionAddress":~,"compressed":?}`,
		a.ID, unknown(a.Name, i), unknown(a.Image, i), unknown(name, i), unknown(a.Collection, i), a.Compressed)
}

// balanceAt answers how much of a token a wallet held at a moment: the balance after the last
// transaction until then.
func balanceAt(c *wire.Call) []byte {
	mint := c.Query.Text("mint")
	if !world.IsAddress(mint) {
		c.Query.Failf("mint must be an address")
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
	before := func(n int64) { reached = func(x *world.Transaction) bool { return x.Time.Unix() <= n } }
	given := 0
	if q.Values.Has("time") {
		n := q.Long("time", 0, highest)
		unix = n
		before(n)
		given++
	}
	if q.Values.Has("datetime") {
		word := q.Text("datetime")
		at, err := parseDatetime(word)
		if err != nil {
			q.Failf("datetime must be like 2024-01-31 or 2024-01-31T12:30:00+02:00")
		}
		unix, text = at.Unix(), word
		before(at.Unix())
		given++
	}
	if q.Values.Has("slot") {
		n := q.Long("slot", 0, highest)
		slot, reached = n, func(x *world.Transaction) bool { return x.Slot <= uint64(n) }
		given++
	}
	if given != 1 {
		q.Failf("exactly one of time, datetime and slot is required")
	}
	return world.JSON(`{"time":?,"slot":?,"datetime":?}`, unix, slot, text), reached
}

// parseDatetime reads a date, or a date and a time. Seconds and zone are optional; without a
// zone the time is in UTC.
func parseDatetime(text string) (time.Time, error) {
	layouts := []string{"2006-01-02"}
	for _, clock := range []string{"T15:04", " 15:04", "T15:04:05", " 15:04:05"} {
		for _, zone := range []string{"", "Z", "-07:00"} {
			layouts = append(layouts, "2006-01-02"+clock+zone)
		}
	}
	for _, layout := range layouts {
		if at, err := time.Parse(layout, text); err == nil && len(text) == len(layout) {
			return at, nil
		}
	}
	return time.Time{}, errors.New("not a datetime")
}

// find returns the place of a signature in a history. An unknown one is a mistake.
func find(c *wire.Call, name string, all []world.Mention, signature string) int {
	if x := c.World.Transaction(signature); x != nil {
		if i, found := world.Place(all, x); found {
			return i
		}
	}
	c.Query.Failf("%s is not a signature of this wallet", name)
	return 0
}

func history(c *wire.Call) []byte {
	q := c.Query
	limit := q.Integer("limit", 100, 100)
	before, after, kind, reaches := q.Text("before"), q.Text("after"), q.Text("type"), q.Text("tokenAccounts")
	if kind != "" && !wire.IsType(kind) {
		q.Failf("type must be a transaction type")
	}
	reach, known := map[string]int{"none": world.Named, "": world.BalanceChanged, "balanceChanged": world.BalanceChanged, "all": world.TokenAccounts}[reaches]
	if !known {
		q.Failf("tokenAccounts must be none, balanceChanged or all")
	}
	all := c.World.History(c.Path("wallet"), "processed")
	first, past := 0, len(all)
	if before != "" {
		past = find(c, "before", all, before)
	}
	if after != "" {
		first = min(past, find(c, "after", all, after)+1)
	}
	walletOf(c)
	var data []json.RawMessage
	var cursor, next any
	seen := 0
	for i := past - 1; i >= first; i-- {
		m := &all[i]
		if m.Reach > reach {
			continue
		}
		if seen == limit {
			next = cursor
			break
		}
		// The limit counts transactions before the type is filtered: a page may be empty
		// although more follow.
		if kind == "" || m.Kind == kind {
			data = append(data, transactionText(c.World, m, len(all)-1-i))
		}
		cursor = m.Signature
		seen++
	}
	return world.JSON(`{"data":?,"pagination":{"hasMore":?,"nextCursor":?}}`, data, next != nil, next)
}

// transactionText returns a transaction, the i-th newest, as it is sent. Unknown values are
// null in every other transaction and absent in the rest.
func transactionText(w *world.World, m *world.Mention, i int) json.RawMessage {
	var changes []json.RawMessage
	for _, change := range m.Changes {
		amount := world.Units(change.By, change.Token.Decimals)
		if change.Out {
			amount.Neg(amount)
		}
		changes = append(changes, world.JSON(`{"mint":?,"amount":?,"decimals":?}`, change.Token.Mint, world.Number(amount), change.Token.Decimals))
	}
	return world.JSON(`{"signature":?,"timestamp":~,"slot":?,"fee":?,"feePayer":?,"error":~,"balanceChanges":?}`, m.Signature,
		unknown(w.BlockTime(m.Transaction), i), m.Slot, world.Number(world.Units(m.Fee, 9)), m.FeePayer, unknown(m.Failure, i), changes)
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
	return notFound(c, "No funding transaction found")
}

// spelled returns one of the two spellings of the mint of SOL.
func spelled(i int) string { return [...]string{world.WrappedSOL, string(types.NativeSOLMint)}[i%2] }

func transfers(c *wire.Call) []byte {
	q := c.Query
	limit, cursor := q.Integer("limit", 50, 100), q.Text("cursor")
	wallet, all := c.Path("wallet"), c.World.History(c.Path("wallet"), "processed")
	last, skip := len(all)-1, 0
	if cursor != "" { // the signature of a transaction and the number of its last transfer
		signature, number, _ := strings.Cut(cursor, ":")
		n, err := strconv.Atoi(number)
		if x := c.World.Transaction(signature); err != nil || x == nil {
			q.Failf("cursor is not of this listing")
		} else {
			last, skip = find(c, "cursor", all, signature), n+1
		}
	}
	walletOf(c)
	var data []json.RawMessage
	sent := func(next string) []byte {
		return world.JSON(`{"data":?,"pagination":{"hasMore":?,"nextCursor":~}}`, data, next != "", next)
	}
	for i := last; i >= 0; i-- {
		m := &all[i]
		n := 0
		for _, t := range m.Transfers {
			if m.Failure != "" || t.From != wallet && t.To != wallet {
				continue
			}
			n++
			if n <= skip {
				continue
			}
			if len(data) == limit {
				return sent(cursor)
			}
			data = append(data, transferText(c.World, wallet, m.Transaction, t, len(all)-1-i))
			cursor = m.Signature + ":" + strconv.Itoa(n-1)
		}
		if m.Failure == "" {
			skip = 0
		}
	}
	return sent("")
}

// transferText returns a transfer of the i-th newest transaction as it is sent.
func transferText(w *world.World, wallet string, x *world.Transaction, t world.Transfer, i int) json.RawMessage {
	token, mint, direction, other := w.Token(t.Mint), t.Mint, "in", t.From
	if t.From == wallet {
		direction, other = "out", t.To
	}
	if token.IsNative() {
		mint = spelled(i)
	}
	return world.JSON(`{"signature":?,"timestamp":?,"direction":?,"counterparty":?,"mint":?,"symbol":~,"amount":?,"amountRaw":?,"decimals":?}`, x.Signature, x.Time.Unix(),
		direction, other, mint, unknown(token.Symbol, i), world.Number(world.Units(t.Raw, token.Decimals)), world.Text(t.Raw, 0), token.Decimals)
}

// resolve returns the address for an address or a domain name. The address is empty if the
// domain does not exist.
func resolve(c *wire.Call, name string) (address string, isDomain bool) {
	if !strings.Contains(name, ".") {
		checkAddress(c, name)
		return name, false
	}
	if slices.Contains(strings.Split(name, "."), "") || strings.ContainsAny(name, " /") {
		c.Refuse(&wire.Refusal{Code: http.StatusBadRequest, Message: "Invalid domain name", Details: fmt.Sprintf("'%s' is not a valid domain name", name)})
	}
	return c.World.Resolve(strings.ToLower(name)), true
}

func identity(c *wire.Call) []byte {
	c.Refuse(c.Query.Refused())
	name := c.Path("wallet")
	address, _ := resolve(c, name)
	if address == "" {
		return notFound(c, fmt.Sprintf("Domain '%s' could not be resolved", name))
	}
	i, known := c.World.Identity(address)
	if !known {
		return notFound(c, "No identity information available for this address")
	}
	return world.Encode(i)
}

func batchIdentity(c *wire.Call) []byte {
	c.Refuse(c.Query.Refused())
	if !c.JSON {
		c.Refuse(wire.BadRequest("Content-Type must be application/json"))
	}
	var names []string
	members, isObject := wire.Object(c.Body)
	if !isObject || len(members) != 1 && !c.Lenient || json.Unmarshal(members["addresses"], &names) != nil {
		c.Refuse(wire.BadRequest("the body must have addresses and nothing else"))
	}
	if len(names) < 1 || len(names) > 100 {
		c.Refuse(wire.BadRequest("addresses must have between 1 and 100 entries"))
	}
	var entries []json.RawMessage
	for _, name := range names {
		address, isDomain := resolve(c, name)
		input := ""
		if isDomain {
			input = name
		}
		i, _ := c.World.Identity(address)
		var tags any // absent for an unknown one
		if i.Tags != nil {
			tags = world.Encode(i.Tags)
		}
		entries = append(entries, world.JSON(`{"address":!,"type":?,"name":~,"category":~,"tags":~,"inputDomain":~,"unresolved":~}`,
			address, i.Type, i.Name, i.Category, tags, input, address == ""))
	}
	return world.JSON("?", entries)
}
