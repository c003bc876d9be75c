package fake

import (
	"errors"
	"slices"
	"time"

	"github.com/solwire/solwire-go/types"
)

// A point is the moment of a request: one of the first two, and the text of
// which a time was made, if any.
type point struct {
	Time     *int64  `json:"time"`
	Slot     *int64  `json:"slot"`
	Datetime *string `json:"datetime"`
}

// A moment is where a balance comes from.
type moment struct {
	Slot      uint64 `json:"slot"`
	Signature string `json:"signature"`
	Time      *int64 `json:"blockTime,omitempty"`
}

// balanceAt answers how much of a token a wallet held at a moment: what the
// last transaction until then left of it.
func balanceAt(wallet string, q *query) answer {
	mint := q.text("mint")
	if !isAddress(mint) {
		q.failf("mint must be an address")
	}
	requested := q.point()
	if a, refused := q.finish(wallet); refused {
		return a
	}

	of := assetOf(mint)
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
	for i, x := range transactionsOf(wallet) {
		at := slices.IndexFunc(x.changes, func(c change) bool { return c.of.mint == of.mint })
		if at < 0 || !requested.reached(&x) {
			continue
		}
		sent.Raw = x.changes[at].after
		sent.AsOf = &moment{Slot: x.slot, Signature: x.signature}
		if i >= newest {
			unix := x.time.Unix()
			sent.AsOf.Time = &unix
		}
		break
	}
	sent.Balance, _ = plain(units(sent.Raw, of.decimals))
	return ok(encode(sent))
}

// point reads the moment, which must be given in exactly one way.
func (q *query) point() point {
	const longest = 1 << 40 // of a time or a slot
	var p point
	given := 0
	if q.values.Has("time") {
		n := q.long("time", 0, longest)
		p.Time = &n
		given++
	}
	if q.values.Has("slot") {
		n := q.long("slot", 0, longest)
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
func (p point) reached(x *transaction) bool {
	if p.Slot != nil {
		return x.slot <= uint64(*p.Slot)
	}
	return x.time.Unix() <= *p.Time
}

// parseDatetime reads a date, or a date and a time whose seconds and zone may
// be missing, in UTC then.
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
	return time.Time{}, errors.New("no datetime")
}

// assetOf returns the token of a mint. Of one that is not in the data the
// decimals are unknown.
func assetOf(mint string) asset {
	if mint == string(types.NativeSOLMint) {
		return nativeSOL()
	}
	for _, t := range slices.Concat(wellKnown(), unusual()) {
		if t.mint == mint {
			return asset{t.mint, t.symbol, t.decimals}
		}
	}
	for _, x := range ledger() {
		for _, c := range x.changes {
			if c.of.mint == mint {
				return c.of
			}
		}
	}
	return asset{mint: mint}
}
