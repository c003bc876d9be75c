package fake

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strconv"
)

// A parsedMove is a transfer between two wallets.
type parsedMove struct {
	from, to string
	of       asset
	raw      uint64
}

// A parsedTransaction is a transaction of the world with all of its wallets.
type parsedTransaction struct {
	transaction
	moves   []parsedMove
	changes map[string][]change // by wallet
	reach   map[string]int      // by wallet
}

// worldEvents returns the transactions of the world, from old to new, as parsed
// histories have them. The caller holds mu.
func (s *Service) worldEvents() []pastEvent {
	if s.parsed == nil {
		s.parsed = []pastEvent{}
		ledgers := map[string][]transaction{}
		for wallet, h := range s.world.holders {
			ledgers[wallet] = h.ledger
		}
		for _, p := range merged(ledgers) {
			s.parsed = append(s.parsed, s.parse(p))
		}
		slices.SortStableFunc(s.parsed, bySlot)
	}
	return s.parsed
}

func bySlot(a, b pastEvent) int { return cmp.Compare(a.Slot, b.Slot) }

// merged returns the transactions of the histories of wallets, each once.
func merged(ledgers map[string][]transaction) []*parsedTransaction {
	var all []*parsedTransaction
	known := map[string]*parsedTransaction{}
	wallets := slices.Sorted(maps.Keys(ledgers))
	for _, wallet := range wallets {
		for _, x := range slices.Backward(ledgers[wallet]) {
			p := known[x.signature]
			if p == nil {
				p = &parsedTransaction{transaction: x, changes: map[string][]change{}, reach: map[string]int{}}
				known[x.signature] = p
				all = append(all, p)
			}
			p.changes[wallet], p.reach[wallet] = x.changes, x.reach
			for _, m := range x.moves {
				if m.out {
					p.moves = append(p.moves, parsedMove{wallet, m.with, m.of, m.raw})
				}
			}
		}
	}
	for _, wallet := range wallets { // what was sent by wallets without a history
		for _, x := range ledgers[wallet] {
			p := known[x.signature]
			for _, m := range x.moves {
				if _, sent := p.reach[m.with]; !sent && !m.out {
					p.moves = append(p.moves, parsedMove{m.with, wallet, m.of, m.raw})
				}
			}
		}
	}
	return all
}

type parsedNative struct {
	From   string `json:"fromUserAccount"`
	To     string `json:"toUserAccount"`
	Amount uint64 `json:"amount"`
}

type parsedToken struct {
	From        string      `json:"fromUserAccount"`
	To          string      `json:"toUserAccount"`
	FromAccount string      `json:"fromTokenAccount"`
	ToAccount   string      `json:"toTokenAccount"`
	Amount      json.Number `json:"tokenAmount"`
	Mint        string      `json:"mint"`
	Standard    string      `json:"tokenStandard"`
}

type rawTokenAmount struct {
	Amount   string `json:"tokenAmount"`
	Decimals int    `json:"decimals"`
}

type parsedTokenChange struct {
	Owner   string         `json:"userAccount"`
	Account string         `json:"tokenAccount"`
	Mint    string         `json:"mint"`
	Amount  rawTokenAmount `json:"rawTokenAmount"`
}

type parsedAccount struct {
	Account string              `json:"account"`
	Native  json.Number         `json:"nativeBalanceChange"`
	Tokens  []parsedTokenChange `json:"tokenBalanceChanges"`
}

// parse returns a transaction as an event.
func (s *Service) parse(p *parsedTransaction) pastEvent {
	sent := struct {
		Description  string          `json:"description"`
		Type         string          `json:"type"`
		Source       string          `json:"source"`
		Fee          uint64          `json:"fee"`
		FeePayer     string          `json:"feePayer"`
		Signature    string          `json:"signature"`
		Slot         uint64          `json:"slot"`
		Timestamp    int64           `json:"timestamp"`
		Native       []parsedNative  `json:"nativeTransfers"`
		Tokens       []parsedToken   `json:"tokenTransfers"`
		Accounts     []parsedAccount `json:"accountData"`
		Err          json.RawMessage `json:"transactionError"`
		Instructions []struct{}      `json:"instructions"`
		Events       struct{}        `json:"events"`
	}{
		Description: p.description(s.world), Type: p.kind, Source: p.source(), Fee: p.fee, FeePayer: p.feePayer, Signature: p.signature,
		Slot: s.slotOf(&p.transaction), Timestamp: s.timeOf(&p.transaction).Unix(), Native: []parsedNative{}, Tokens: []parsedToken{},
		Accounts: []parsedAccount{}, Err: null(), Instructions: []struct{}{},
	}
	if p.failure != "" {
		sent.Err = encode(map[string]string{"error": p.failure})
	}
	for _, m := range p.moves {
		if m.of == nativeSOL() {
			sent.Native = append(sent.Native, parsedNative{m.from, m.to, m.raw})
			continue
		}
		sent.Tokens = append(sent.Tokens, parsedToken{
			m.from, m.to, s.tokenAccountOf(m.from, m.of.mint), s.tokenAccountOf(m.to, m.of.mint),
			number(units(m.raw, m.of.decimals)), m.of.mint, "Fungible",
		})
	}
	wallets := slices.Sorted(maps.Keys(p.reach))
	for _, wallet := range wallets {
		sent.Accounts = append(sent.Accounts, s.parsedChanges(wallet, p.changes[wallet])...)
	}
	e := pastEvent{
		Event: Event{Signature: p.signature, Type: p.kind, Accounts: wallets, Failed: p.failure != "", Enhanced: string(encode(sent))},
		Slot:  int64(sent.Slot), Timestamp: sent.Timestamp, Source: sent.Source, reach: p.reach,
	}
	return e
}

// parsedChanges returns the changes of a wallet: native SOL is in its own account, and
// each token in a token account.
func (s *Service) parsedChanges(wallet string, changes []change) []parsedAccount {
	own := parsedAccount{wallet, "0", []parsedTokenChange{}}
	var all []parsedAccount
	for _, c := range changes {
		amount := strconv.FormatUint(c.raw, 10)
		if c.out {
			amount = "-" + amount
		}
		if c.of == nativeSOL() {
			own.Native = json.Number(amount)
			continue
		}
		account := s.tokenAccountOf(wallet, c.of.mint)
		all = append(all, parsedAccount{account, "0", []parsedTokenChange{
			{wallet, account, c.of.mint, rawTokenAmount{amount, c.of.decimals}},
		}})
	}
	return append([]parsedAccount{own}, all...)
}

// source returns the program that a type of transaction is of.
func (p *parsedTransaction) source() string {
	switch {
	case p.kind == "SWAP":
		return "JUPITER"
	case p.kind == "TRANSFER" && !slices.ContainsFunc(p.moves, func(m parsedMove) bool { return m.of != nativeSOL() }):
		return "SYSTEM_PROGRAM"
	case p.kind == "TRANSFER":
		return "SOLANA_PROGRAM_LIBRARY"
	}
	return "UNKNOWN"
}

// description describes transfers and swaps, like that of an event.
func (p *parsedTransaction) description(w *world) string {
	amount := func(m parsedMove) string {
		return shown(m.raw, m.of.decimals) + " " + cmp.Or(w.symbol(m.of), m.of.mint)
	}
	switch {
	case p.kind == "SWAP" && len(p.moves) == 2:
		in, out := p.moves[0], p.moves[1]
		if in.from != p.feePayer {
			in, out = out, in
		}
		return p.feePayer + " swapped " + amount(in) + " for " + amount(out)
	case p.kind == "TRANSFER" && len(p.moves) == 1:
		m := p.moves[0]
		return m.from + " transferred " + amount(m) + " to " + m.to + "."
	}
	return ""
}

// tokenAccountOf returns the token account in which transactions change what a wallet
// holds of a mint.
func (s *Service) tokenAccountOf(wallet, mint string) string {
	for _, d := range slices.Backward(s.owned[wallet]) {
		if d.mint == mint {
			return d.address
		}
	}
	return madeTokenAccount(wallet, mint)
}

// madeTokenAccount makes up the token account of a wallet and a mint.
func madeTokenAccount(wallet, mint string) string {
	h := fnv.New64a()
	_, _ = io.WriteString(h, wallet+mint)
	x := source(h.Sum64())
	return x.address()
}
