package fake

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/types"
)

// tokenPoolOwner owns the token accounts that hold the tokens of the compressed ones.
const tokenPoolOwner types.Address = "GXtd2izAiMJPwMEjfgTRH3d7k9mjn4Jq3JrWFv9gySYy"

// A compressedToken is compressed token account i of a group.
type compressedToken struct {
	group
	i      int
	owner  string
	amount uint64
	place  string // in listings by owner: the bytes of the mint and of the hash
}

// compressedTokens returns the compressed token accounts that are selected, without data.
func (s *Service) compressedTokens(selected func(compressedToken) bool) []compressedToken {
	var all []compressedToken
	var x account
	for _, groups := range s.world.groups {
		for _, g := range groups {
			for i := range g.accounts.after("", false) {
				g.fill(&x, i)
				if t := (compressedToken{g, i, x.tokenOwner, x.amount, ""}); selected(t) {
					t.place = g.mintBytes + bytesOf(x.hash)
					all = append(all, t)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b compressedToken) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.delegate, b.delegate))
	})
	// The generated accounts of two delegates are the same.
	return slices.CompactFunc(all, func(a, b compressedToken) bool { return a.place == b.place })
}

// cursor returns a cursor of size bytes, nil if there is none.
func (p *params) cursor(size int) []byte {
	text, given := p.text("cursor")
	cursor, err := unbase58(text)
	switch {
	case err != nil:
		p.invalidf("cursor", "invalid value: string %q, expected base58", text)
	case given && len(cursor) != size:
		p.refuse(cursorLength(size, len(cursor)))
	case given:
		return cursor
	}
	return nil
}

// compressedTokenAccountsByOwner lists accounts in the order of their mints and hashes.
func compressedTokenAccountsByOwner(method string, v2 bool) operation {
	return func(s *Service, c *call) ([]byte, *refusal) {
		p := s.named(c.params, "owner", "mint", "cursor", "limit")
		owner, mint, cursor, limit := p.key("owner", true), p.key("mint", false), p.cursor(64), p.limit()
		if p.refused != nil {
			return nil, p.refused
		}
		all := s.compressedTokens(func(t compressedToken) bool { return t.owner == owner })
		if len(all) == 0 && s.world.preset && !s.knows(owner) {
			return fromMethod(method)(s, c)
		}
		list := s.newPage(limit)
		var last string
		for _, t := range all {
			after := t.place > string(cursor)
			if mint != "" && cursor != nil { // then the mint in the cursor does not count
				after = t.place[32:] > string(cursor[32:])
			}
			if mint != "" && t.mint != mint || !after || list.full() {
				continue
			}
			list.next()
			list.out = t.append(list.out, &list.account, t.i, v2)
			last = t.place
		}
		return list.finish([]byte(base58.Encode([]byte(last)))), nil
	}
}

// compressedBalancesByOwner lists what an owner has of each mint, in the order of the
// mints. The list has its own name in each version.
func compressedBalancesByOwner(method, name string) operation {
	return func(s *Service, c *call) ([]byte, *refusal) {
		p := s.named(c.params, "owner", "mint", "cursor", "limit")
		owner, mint, cursor, limit := p.key("owner", true), p.key("mint", false), p.cursor(32), p.limit()
		if p.refused != nil {
			return nil, p.refused
		}
		all := s.compressedTokens(func(t compressedToken) bool { return t.owner == owner })
		if len(all) == 0 && s.world.preset && !s.knows(owner) {
			return fromMethod(method)(s, c)
		}
		balances := map[string]uint64{}
		for _, t := range all {
			if (mint == "" || t.mint == mint) && t.mintBytes > string(cursor) {
				balances[t.mintBytes] = plus(balances[t.mintBytes], t.amount)
			}
		}
		type balance struct {
			Mint    string `json:"mint"`
			Balance uint64 `json:"balance"`
		}
		list := s.newPage(limit)
		list.out = bytes.Replace(list.out, []byte("items"), []byte(name), 1)
		var last string
		for _, raw := range slices.Sorted(maps.Keys(balances)) {
			if list.full() {
				break
			}
			last = base58.Encode([]byte(raw))
			list.next()
			list.out = append(list.out, encode(balance{last, balances[raw]})...)
		}
		return list.finish([]byte(last)), nil
	}
}

// compressedHolders lists the owners of the compressed tokens of a mint, the largest
// first.
func (s *Service) compressedHolders(c *call) ([]byte, *refusal) {
	p := s.named(c.params, "mint", "cursor", "limit")
	mint, cursor, limit := p.key("mint", true), p.cursor(40), p.limit()
	if p.refused != nil {
		return nil, p.refused
	}
	tokens := s.compressedTokens(func(t compressedToken) bool { return t.mint == mint })
	if _, isMint := s.mint(mint); s.world.preset && !isMint && len(tokens) == 0 {
		return fromMethod("getCompressedMintTokenHolders")(s, c)
	}
	balances := map[string]uint64{}
	for _, t := range tokens {
		balances[t.owner] = plus(balances[t.owner], t.amount)
	}

	type holder struct {
		Owner   string `json:"owner"`
		Balance uint64 `json:"balance"`
		bytes   string
	}
	var all []holder
	for owner, balance := range balances {
		all = append(all, holder{owner, balance, bytesOf([]byte(owner))})
	}
	largest := func(a, b holder) int {
		return cmp.Or(cmp.Compare(b.Balance, a.Balance), cmp.Compare(b.bytes, a.bytes))
	}
	slices.SortFunc(all, largest)
	if cursor != nil {
		last := holder{Balance: binary.LittleEndian.Uint64(cursor), bytes: string(cursor[8:])}
		all = slices.DeleteFunc(all, func(h holder) bool { return largest(h, last) <= 0 })
	}
	list := s.newPage(limit)
	var next []byte
	for _, h := range all[:min(len(all), limit)] {
		list.next()
		list.out = append(list.out, encode(h)...)
		next = append(binary.LittleEndian.AppendUint64(next[:0], h.Balance), h.bytes...)
	}
	return list.finish([]byte(base58.Encode(next))), nil
}
