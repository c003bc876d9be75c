package fake

import (
	"errors"
	"slices"
	"time"

	"github.com/solwire/solwire-go/types"
)

// A point is the requested moment: a time or a slot, and the text from which a
// time was parsed.
type point struct {
	Time     *int64  `json:"time"`
	Slot     *int64  `json:"slot"`
	Datetime *string `json:"datetime"`
}

// A moment is the transaction that left a balance.
type moment struct {
	Slot      uint64 `json:"slot"`
	Signature string `json:"signature"`
	Time      *int64 `json:"blockTime,omitempty"`
}

// balanceAt answers how much of a token a wallet held at a moment: the balance
// after the last transaction until then.
func balanceAt(s *Service, c *call) ([]byte, *refusal) {
	mint := c.query.text("mint")
	if !isAddress(mint) {
		c.query.failf("mint must be an address")
	}
	requested := c.query.point()
	wallet, refused := c.wallet()
	if refused != nil {
		return nil, refused
	}

	of := s.assetOf(mint)
	sent := struct {
		Wallet    string  `json:"wallet"`
		Mint      string  `json:"mint"`
		Native    bool    `json:"isNative"`
		Balance   string  `json:"balance"`
		Raw       uint64  `json:"balanceRaw,string"`
		Decimals  int     `json:"decimals"`
		Requested point   `json:"requested"`
		AsOf      *moment `json:"asOf"`
	}{Wallet: wallet, Mint: mint, Native: of == nativeSOL(), Decimals: of.decimals, Requested: requested}
	sent.Raw, sent.AsOf = s.balanceAt(wallet, of, requested)
	sent.Balance, _ = plain(units(sent.Raw, of.decimals))
	return encode(sent), nil
}

// balanceAt returns how much of a token a wallet held, and the transaction that
// left it. There is none before the first one.
func (s *Service) balanceAt(wallet string, of asset, at point) (raw uint64, asOf *moment) {
	raw, x := s.balance(wallet, of, func(_ int, x *transaction) bool { return s.reached(at, x) })
	if x == nil {
		return raw, nil
	}
	asOf = &moment{Slot: s.slotOf(x), Signature: x.signature}
	if !s.untimed(x) {
		unix := s.timeOf(x).Unix()
		asOf.Time = &unix
	}
	return raw, asOf
}

// balance returns how much of a token a wallet held after the newest transaction that
// had happened, and the last one that changed it, nil if there is none. Had gets a
// transaction and its place in the history.
func (s *Service) balance(wallet string, of asset, had func(i int, x *transaction) bool) (raw uint64, last *transaction) {
	raw = s.has(wallet, of.mint)
	for n, x := range s.transactionsOf(wallet) {
		i := slices.IndexFunc(x.changes, func(c change) bool { return c.of.mint == of.mint })
		if i < 0 {
			continue
		}
		c := x.changes[i]
		if had(n, &x) {
			return c.after, &x
		}
		if raw = c.after - c.raw; c.out {
			raw = c.after + c.raw
		}
	}
	return raw, nil
}

// point reads the moment, which must be given exactly once.
func (q *query) point() point {
	const highest = 1 << 40
	var p point
	given := 0
	if q.values.Has("time") {
		n := q.long("time", 0, highest)
		p.Time = &n
		given++
	}
	if q.values.Has("slot") {
		n := q.long("slot", 0, highest)
		p.Slot = &n
		given++
	}
	if q.values.Has("datetime") {
		text := q.text("datetime")
		at, err := parseDatetime(text)
		if err != nil {
			q.failf("datetime must be like 2024-01-31 or 2024-01-31T12:30:00+02:00")
		}
		unix := at.Unix()
		p.Time, p.Datetime = &unix, &text
		given++
	}
	if given != 1 {
		q.failf("exactly one of time, datetime and slot is required")
	}
	return p
}

// reached reports whether x had happened at p.
func (s *Service) reached(p point, x *transaction) bool {
	if p.Slot != nil {
		return s.slotOf(x) <= uint64(*p.Slot)
	}
	return s.timeOf(x).Unix() <= *p.Time
}

// parseDatetime reads a date, or a date and a time. Seconds and zone are
// optional; without a zone the time is in UTC.
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

// assetOf returns the token of a mint, without decimals if it is unknown.
func (s *Service) assetOf(mint string) asset {
	if mint == string(types.NativeSOLMint) {
		return nativeSOL()
	}
	if t, known := s.mint(mint); known {
		return t.asset()
	}
	return asset{mint: mint}
}
