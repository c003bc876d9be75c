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

func badAddress(wallet string) *wire.Refusal {
	return &wire.Refusal{Code: http.StatusBadRequest, Message: "Invalid wallet address", Details: fmt.Sprintf("'%s' is not a valid Solana address", wallet)}
}

func notFound(message string) *wire.Refusal {
	return &wire.Refusal{Code: http.StatusNotFound, Message: message}
}

// walletOf returns the wallet in the path of c. The query must have been read.
func walletOf(c *wire.Call) (string, *wire.Refusal) {
	wallet := c.Path("wallet")
	if refused := c.Query.Refused(); refused != nil {
		return "", refused
	}
	if !world.IsAddress(wallet) {
		return "", badAddress(wallet)
	}
	return wallet, nil
}

func balances(c *wire.Call) ([]byte, *wire.Refusal) {
	q := c.Query
	page := q.Integer("page", 1, 10_000_000)
	limit := q.Integer("limit", 100, 100)
	zero := q.Flag("showZeroBalance", false)
	native := q.Flag("showNative", true)
	nfts := q.Flag("showNfts", false)
	wallet, refused := walletOf(c)
	if refused != nil {
		return nil, refused
	}
	type pageNumbers struct {
		Page    int  `json:"page"`
		Limit   int  `json:"limit"`
		HasMore bool `json:"hasMore"`
	}
	result := struct {
		Balances   []json.RawMessage `json:"balances"`
		NFTs       []json.RawMessage `json:"nfts,omitzero"`
		Total      json.Number       `json:"totalUsdValue"`
		Pagination pageNumbers       `json:"pagination"`
	}{Balances: []json.RawMessage{}, Pagination: pageNumbers{Page: page, Limit: limit}}
	all := world.View(c.World, fmt.Sprint("balances ", wallet, zero, native), func() []ranked {
		var all []ranked
		for i, h := range c.World.Wallet(wallet).Ranked() {
			if (h.Raw > 0 || zero) && (!h.Token.IsNative() || native) {
				all = append(all, ranked{h, i})
			}
		}
		return all
	})
	total, first := new(big.Rat), min((page-1)*limit, len(all))
	past := min(first+limit, len(all))
	result.Pagination.HasMore = past < len(all)
	for _, r := range all[first:past] {
		text, value := entry(r.place, r.Holding)
		result.Balances = append(result.Balances, text)
		if value != nil {
			total.Add(total, value)
		}
	}
	result.Total = world.Number(total)
	if nfts {
		result.NFTs = []json.RawMessage{}
		if page == 1 {
			for i, a := range owned(c.World, wallet) {
				result.NFTs = append(result.NFTs, collectible(c.World, i, a))
			}
		}
	}
	return world.Encode(result), nil
}

// A ranked holding has its place in the order of all holdings of the wallet.
type ranked struct {
	*world.Holding
	place int
}

// owned returns the first hundred NFTs of a wallet, in the order of their creation.
func owned(w *world.World, wallet string) []*world.Asset {
	all := slices.Clone(w.Assets.Sorted(world.OfOwner + wallet))
	all = slices.DeleteFunc(all, func(a *world.Asset) bool { return a.Burnt })
	slices.SortFunc(all, func(a, b *world.Asset) int { return cmp.Compare(a.Number, b.Number) })
	return all[:min(len(all), 100)]
}

// unknown returns a text as it is sent: an empty one is null in every other entry and absent
// in the rest.
func unknown(text string, i int) json.RawMessage {
	switch {
	case text != "":
		return world.Encode(text)
	case i%2 == 0:
		return wire.Null()
	}
	return nil
}

// entry is a balance as it is sent, and its value in USD, nil without a price.
func entry(i int, h *world.Holding) (json.RawMessage, *big.Rat) {
	t := h.Token
	sent := struct {
		Mint     string          `json:"mint"`
		Symbol   json.RawMessage `json:"symbol,omitempty"`
		Name     json.RawMessage `json:"name,omitempty"`
		Balance  json.Number     `json:"balance"`
		Decimals int             `json:"decimals"`
		Price    json.RawMessage `json:"pricePerToken,omitempty"`
		Value    json.RawMessage `json:"usdValue,omitempty"`
		Logo     json.RawMessage `json:"logoUri,omitempty"`
		Program  string          `json:"tokenProgram"`
	}{
		Mint: t.Mint, Symbol: unknown(t.Symbol, i), Name: unknown(t.Name, i), Balance: world.Number(world.Units(h.Raw, t.Decimals)),
		Decimals: t.Decimals, Price: unknown("", i), Value: unknown("", i), Logo: unknown("", i), Program: t.ProgramName(),
	}
	if t.IsNative() {
		sent.Mint = world.WrappedSOL
	}
	value := h.Value()
	if value != nil {
		sent.Price, sent.Value = json.RawMessage(world.Number(t.PriceUSD())), json.RawMessage(world.Number(value))
	}
	if t.Symbol != "" && i < 40 {
		sent.Logo = world.Encode("https://tokens.solwire.test/" + sent.Mint + ".png")
	}
	return world.Encode(sent), value
}

// collectible is an NFT as it is sent.
func collectible(w *world.World, i int, a *world.Asset) json.RawMessage {
	sent := struct {
		Mint       string          `json:"mint"`
		Name       json.RawMessage `json:"name,omitempty"`
		Image      json.RawMessage `json:"imageUri,omitempty"`
		Collection json.RawMessage `json:"collectionName,omitempty"`
		Address    json.RawMessage `json:"collectionAddress,omitempty"`
		Compressed bool            `json:"compressed"`
	}{
		Mint: a.ID, Name: unknown(a.Name, i), Image: unknown(a.Image, i), Collection: unknown("", i), Address: unknown(a.Collection, i), Compressed: a.Compressed,
	}
	if group := w.Assets.Find(a.Collection); group != nil {
		sent.Collection = unknown(group.Name, i)
	}
	return world.Encode(sent)
}

// A point is the requested moment: a time or a slot, and the text from which a time was
// parsed.
type point struct {
	Time     *int64  `json:"time"`
	Slot     *int64  `json:"slot"`
	Datetime *string `json:"datetime"`
}

// balanceAt answers how much of a token a wallet held at a moment: the balance after the last
// transaction until then.
func balanceAt(c *wire.Call) ([]byte, *wire.Refusal) {
	mint := c.Query.Text("mint")
	if !world.IsAddress(mint) {
		c.Query.Failf("mint must be an address")
	}
	requested := pointOf(c.Query)
	wallet, refused := walletOf(c)
	if refused != nil {
		return nil, refused
	}
	type moment struct {
		Slot      uint64 `json:"slot"`
		Signature string `json:"signature"`
		Time      *int64 `json:"blockTime,omitempty"`
	}
	t := c.World.Token(mint)
	if t == nil {
		t = &world.Token{Mint: mint}
	}
	sent := struct {
		Wallet    string  `json:"wallet"`
		Mint      string  `json:"mint"`
		Native    bool    `json:"isNative"`
		Balance   string  `json:"balance"`
		Raw       uint64  `json:"balanceRaw,string"`
		Decimals  int     `json:"decimals"`
		Requested point   `json:"requested"`
		AsOf      *moment `json:"asOf"`
	}{Wallet: wallet, Mint: mint, Native: t.IsNative(), Decimals: t.Decimals, Requested: requested}
	if h := c.World.Wallet(wallet).Holding(t.Mint); h != nil {
		raw, x := h.At(requested.reached)
		sent.Raw = raw
		if x != nil {
			sent.AsOf = &moment{Slot: x.Slot, Signature: x.Signature}
			if !c.World.Untimed(x) {
				unix := x.Time.Unix()
				sent.AsOf.Time = &unix
			}
		}
	}
	sent.Balance = world.Text(sent.Raw, t.Decimals)
	return world.Encode(sent), nil
}

// pointOf reads the moment, which must be given exactly once.
func pointOf(q *wire.Query) point {
	const highest = 1 << 40
	var p point
	given := 0
	if q.Values.Has("time") {
		n := q.Long("time", 0, highest)
		p.Time = &n
		given++
	}
	if q.Values.Has("slot") {
		n := q.Long("slot", 0, highest)
		p.Slot = &n
		given++
	}
	if q.Values.Has("datetime") {
		text := q.Text("datetime")
		at, err := parseDatetime(text)
		if err != nil {
			q.Failf("datetime must be like 2024-01-31 or 2024-01-31T12:30:00+02:00")
		}
		unix := at.Unix()
		p.Time, p.Datetime = &unix, &text
		given++
	}
	if given != 1 {
		q.Failf("exactly one of time, datetime and slot is required")
	}
	return p
}

// reached reports whether x had happened at p.
func (p point) reached(x *world.Transaction) bool {
	if p.Slot != nil {
		return x.Slot <= uint64(*p.Slot)
	}
	return x.Time.Unix() <= *p.Time
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

func history(c *wire.Call) ([]byte, *wire.Refusal) {
	q := c.Query
	limit := q.Integer("limit", 100, 100)
	before, after := q.Text("before"), q.Text("after")
	kind := q.Text("type")
	if kind != "" && !wire.IsType(kind) {
		q.Failf("type must be a transaction type")
	}
	reach := world.BalanceChanged
	switch q.Text("tokenAccounts") {
	case "none":
		reach = world.Named
	case "", "balanceChanged":
	case "all":
		reach = world.TokenAccounts
	default:
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
	if _, refused := walletOf(c); refused != nil {
		return nil, refused
	}
	type position struct {
		HasMore bool    `json:"hasMore"`
		Next    *string `json:"nextCursor"`
	}
	sent := struct {
		Data       []json.RawMessage `json:"data"`
		Pagination position          `json:"pagination"`
	}{Data: []json.RawMessage{}}
	var cursor string
	seen := 0
	for i := past - 1; i >= first; i-- {
		m := &all[i]
		if m.Reach > reach {
			continue
		}
		if seen == limit {
			sent.Pagination = position{true, &cursor}
			break
		}
		// The limit counts transactions before the type is filtered: a page may be empty
		// although more follow.
		if kind == "" || m.Kind == kind {
			sent.Data = append(sent.Data, transactionText(c.World, m, len(all)-1-i))
		}
		cursor = m.Signature
		seen++
	}
	return world.Encode(sent), nil
}

// transactionText returns a transaction, the i-th newest, as it is sent. Unknown values are
// null in every other transaction and absent in the rest.
func transactionText(w *world.World, m *world.Mention, i int) json.RawMessage {
	type changed struct {
		Mint     string      `json:"mint"`
		Amount   json.Number `json:"amount"`
		Decimals int         `json:"decimals"`
	}
	sent := struct {
		Signature string          `json:"signature"`
		Time      json.RawMessage `json:"timestamp,omitempty"`
		Slot      uint64          `json:"slot"`
		Fee       json.Number     `json:"fee"`
		FeePayer  string          `json:"feePayer"`
		Error     json.RawMessage `json:"error,omitempty"`
		Changes   []changed       `json:"balanceChanges"`
	}{Signature: m.Signature, Slot: m.Slot, Fee: world.Number(world.Units(m.Fee, 9)), FeePayer: m.FeePayer, Changes: []changed{}}
	sent.Error = unknown(m.Failure, i)
	if sent.Time = unknown("", i); !w.Untimed(m.Transaction) {
		sent.Time = world.Encode(m.Time.Unix())
	}
	for _, change := range m.Changes {
		amount := world.Units(change.By, change.Token.Decimals)
		if change.Out {
			amount.Neg(amount)
		}
		sent.Changes = append(sent.Changes, changed{change.Token.Mint, world.Number(amount), change.Token.Decimals})
	}
	return world.Encode(sent)
}

// fundedBy answers who sent the first SOL to a wallet.
func fundedBy(c *wire.Call) ([]byte, *wire.Refusal) {
	wallet, refused := walletOf(c)
	if refused != nil {
		return nil, refused
	}
	all := c.World.History(c.Path("wallet"), "processed")
	for i := range all {
		m := &all[i]
		for _, t := range m.Transfers {
			if t.Mint == world.SOL && t.To == wallet && m.Failure == "" {
				return world.Encode(funding(c.World, m.Transaction, t, len(all))), nil
			}
		}
	}
	return nil, notFound("No funding transaction found")
}

// funding returns the first transfer of SOL as it is sent. Both spellings of SOL occur.
func funding(w *world.World, x *world.Transaction, t world.Transfer, n int) any {
	sent := struct {
		Funder    string          `json:"funder"`
		Name      json.RawMessage `json:"funderName,omitempty"`
		Type      string          `json:"funderType,omitempty"`
		Mint      string          `json:"mint"`
		Symbol    string          `json:"symbol"`
		Amount    json.Number     `json:"amount"`
		Raw       uint64          `json:"amountRaw,string"`
		Decimals  int             `json:"decimals"`
		Signature string          `json:"signature"`
		Time      int64           `json:"timestamp"`
		Date      string          `json:"date"`
		Slot      uint64          `json:"slot"`
		Explorer  string          `json:"explorerUrl"`
	}{
		Funder: t.From, Name: wire.Null(), Mint: [...]string{world.WrappedSOL, string(types.NativeSOLMint)}[n%2], Symbol: "SOL",
		Amount: world.Number(world.Units(t.Raw, 9)), Raw: t.Raw, Decimals: 9, Signature: x.Signature, Time: x.Time.Unix(),
		Date: x.Time.UTC().Format("2006-01-02T15:04:05.000Z"), Slot: x.Slot, Explorer: "https://explorer.solana.com/tx/" + x.Signature + "?cluster=mainnet-beta",
	}
	if i, known := w.Identity(t.From); known {
		sent.Name, sent.Type = world.Encode(i.Name), i.Type
	}
	return sent
}

func transfers(c *wire.Call) ([]byte, *wire.Refusal) {
	q := c.Query
	limit := q.Integer("limit", 50, 100)
	cursor := q.Text("cursor")
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
	if _, refused := walletOf(c); refused != nil {
		return nil, refused
	}
	type position struct {
		HasMore bool   `json:"hasMore"`
		Next    string `json:"nextCursor,omitempty"`
	}
	sent := struct {
		Data       []json.RawMessage `json:"data"`
		Pagination position          `json:"pagination"`
	}{Data: []json.RawMessage{}}
	for i := last; i >= 0; i-- {
		m := &all[i]
		if m.Failure != "" {
			continue
		}
		n := 0
		for _, t := range m.Transfers {
			if t.From != wallet && t.To != wallet {
				continue
			}
			n++
			if n <= skip {
				continue
			}
			if len(sent.Data) == limit {
				sent.Pagination = position{true, cursor}
				return world.Encode(sent), nil
			}
			sent.Data = append(sent.Data, transferText(c.World, wallet, m.Transaction, t, len(all)-1-i))
			cursor = m.Signature + ":" + strconv.Itoa(n-1)
		}
		skip = 0
	}
	return world.Encode(sent), nil
}

// transferText returns a transfer of the i-th newest transaction as it is sent.
func transferText(w *world.World, wallet string, x *world.Transaction, t world.Transfer, i int) json.RawMessage {
	token := w.Token(t.Mint)
	sent := struct {
		Signature    string          `json:"signature"`
		Time         int64           `json:"timestamp"`
		Direction    string          `json:"direction"`
		Counterparty string          `json:"counterparty"`
		Mint         string          `json:"mint"`
		Symbol       json.RawMessage `json:"symbol,omitempty"`
		Amount       json.Number     `json:"amount"`
		Raw          string          `json:"amountRaw"`
		Decimals     int             `json:"decimals"`
	}{
		x.Signature, x.Time.Unix(), "in", t.From, t.Mint, unknown(token.Symbol, i),
		world.Number(world.Units(t.Raw, token.Decimals)), strconv.FormatUint(t.Raw, 10), token.Decimals,
	}
	if t.From == wallet {
		sent.Direction, sent.Counterparty = "out", t.To
	}
	if token.IsNative() { // has two spellings here
		sent.Mint = [...]string{world.WrappedSOL, string(types.NativeSOLMint)}[i%2]
	}
	return world.Encode(sent)
}

// resolve returns the address for an address or a domain name. The address is empty if the
// domain does not exist.
func resolve(w *world.World, name string) (address string, isDomain bool, refused *wire.Refusal) {
	switch {
	case !strings.Contains(name, ".") && !world.IsAddress(name):
		return "", false, badAddress(name)
	case !strings.Contains(name, "."):
		return name, false, nil
	case slices.Contains(strings.Split(name, "."), "") || strings.ContainsAny(name, " /"):
		return "", true, &wire.Refusal{Code: http.StatusBadRequest, Message: "Invalid domain name", Details: fmt.Sprintf("'%s' is not a valid domain name", name)}
	}
	return w.Resolve(strings.ToLower(name)), true, nil
}

func identity(c *wire.Call) ([]byte, *wire.Refusal) {
	if refused := c.Query.Refused(); refused != nil {
		return nil, refused
	}
	name := c.Path("wallet")
	address, _, refused := resolve(c.World, name)
	if refused != nil {
		return nil, refused
	}
	if address == "" {
		return nil, notFound(fmt.Sprintf("Domain '%s' could not be resolved", name))
	}
	i, known := c.World.Identity(address)
	if !known {
		return nil, notFound("No identity information available for this address")
	}
	return world.Encode(i), nil
}

func batchIdentity(c *wire.Call) ([]byte, *wire.Refusal) {
	if refused := c.Query.Refused(); refused != nil {
		return nil, refused
	}
	if !c.JSON {
		return nil, wire.BadRequest("Content-Type must be application/json")
	}
	var names []string
	members, isObject := wire.Object(c.Body)
	if !isObject || len(members) != 1 && !c.Lenient || json.Unmarshal(members["addresses"], &names) != nil {
		return nil, wire.BadRequest("the body must have addresses and nothing else")
	}
	if len(names) < 1 || len(names) > 100 {
		return nil, wire.BadRequest("addresses must have between 1 and 100 entries")
	}
	type entry struct {
		Address *string `json:"address"`
		world.Identity
		Input      string `json:"inputDomain,omitempty"`
		Unresolved bool   `json:"unresolved,omitempty"`
	}
	var entries []entry
	for _, name := range names {
		address, isDomain, refused := resolve(c.World, name)
		if refused != nil {
			return nil, refused
		}
		e := entry{Address: &address}
		if isDomain {
			e.Input = name
		}
		if address == "" {
			e.Address, e.Unresolved = nil, true
		}
		e.Identity, _ = c.World.Identity(address)
		e.Domains = nil // sent for single addresses only
		entries = append(entries, e)
	}
	return world.Encode(entries), nil
}
