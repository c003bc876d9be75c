package fake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/solwire/solwire-go/types"
)

// transferOptions are the options of getTransfersByAddress.
type transferOptions struct {
	With       string `json:"with"`
	Direction  string `json:"direction"`
	Mint       string `json:"mint"`
	SOL        string `json:"solMode"`
	Order      string `json:"sortOrder"`
	Limit      int    `json:"limit"`
	Cursor     string `json:"paginationToken"`
	Commitment string `json:"commitment"`
	MinSlot    uint64 `json:"minContextSlot"`
	Filters    struct {
		Amount bounds `json:"amount"`
		Time   bounds `json:"blockTime"`
		Slot   bounds `json:"slot"`
	} `json:"filters"`
}

// check refuses what the service refuses.
func (o *transferOptions) check() *refusal {
	if o.Limit < 0 || o.Limit > 100 {
		return invalidParams("Invalid params: limit must be between 1 and 100")
	}
	return cmp.Or(archived(o.Commitment), variant(o.Direction, "in", "out", "any"), variant(o.SOL, "merged", "separate"), variant(o.Order, "asc", "desc"))
}

// has reports whether the options select a move. The mint is as it is sent.
func (o *transferOptions) has(m move, mint string) bool {
	return (o.With == "" || o.With == m.with) && (o.Mint == "" || o.Mint == mint) && o.Filters.Amount.has(m.raw) &&
		(o.Direction != "in" || !m.out) && (o.Direction != "out" || m.out)
}

// A sentTransfer is a move as it is sent.
type sentTransfer struct {
	Signature   string          `json:"signature"`
	Slot        uint64          `json:"slot"`
	Time        json.RawMessage `json:"blockTime"`
	Type        string          `json:"type"`
	From        string          `json:"fromUserAccount"`
	To          string          `json:"toUserAccount"`
	FromAccount string          `json:"fromTokenAccount,omitempty"`
	ToAccount   string          `json:"toTokenAccount,omitempty"`
	Mint        string          `json:"mint"`
	Amount      uint64          `json:"amount,string"`
	Decimals    int             `json:"decimals"`
	UI          string          `json:"uiAmount"`
	Status      string          `json:"confirmationStatus"`
	Index       int             `json:"transactionIdx"`
	Instruction int             `json:"instructionIdx"`
	Inner       int             `json:"innerInstructionIdx"`
}

func (t *sentTransfer) cursor() string {
	return fmt.Sprintf("%d:%d:%d:%d:splTransfer", t.Slot, t.Index, t.Instruction, t.Inner)
}

// transfersByAddress lists the moves of a wallet in the last year.
func transfersByAddress(s *Service, wallet string, args []json.RawMessage) ([]byte, *refusal) {
	var o transferOptions
	if refused := cmp.Or(s.options(args, &o), o.check()); refused != nil {
		return nil, refused
	}
	all, refused := s.movesOf(wallet, &o)
	if refused := cmp.Or(refused, notReached(o.MinSlot, s.slot())); refused != nil {
		return nil, refused
	}
	o.Limit = cmp.Or(o.Limit, 100)
	if o.Cursor != "" {
		i := slices.IndexFunc(all, func(t sentTransfer) bool { return t.cursor() == o.Cursor })
		if i < 0 {
			return nil, invalidParams("Invalid params: invalid paginationToken")
		}
		all = all[i+1:]
	}
	page := struct {
		Data   []sentTransfer `json:"data"`
		Cursor *string        `json:"paginationToken"`
	}{Data: all[:min(len(all), o.Limit)]}
	if len(all) > o.Limit {
		next := all[o.Limit-1].cursor()
		page.Cursor = &next
	}
	return encode(page), nil
}

// movesOf returns the moves of a wallet that the options select, in their order.
func (s *Service) movesOf(wallet string, o *transferOptions) ([]sentTransfer, *refusal) {
	history := historyOptions{Order: o.Order}
	history.Filters.Status = "succeeded"
	history.Filters.TokenAccounts = "balanceChanged"
	history.Filters.Slot, history.Filters.Time = o.Filters.Slot, o.Filters.Time
	found, refused := s.selected(s.transactionsOf(wallet), &history)
	if refused != nil {
		return nil, refused
	}
	const year = 365 * 24 * time.Hour
	all := []sentTransfer{}
	for i := range found {
		x := &found[i]
		if s.now().Sub(s.timeOf(x.transaction)) > year {
			continue
		}
		before := len(all)
		for n, m := range x.moves {
			sent := s.moved(wallet, m, o.SOL == "separate")
			if !o.has(m, sent.Mint) {
				continue
			}
			sent.Signature, sent.Slot, sent.Time = x.signature, x.slot, s.blockTime(x.transaction)
			sent.Index, sent.Instruction = x.index, n
			all = append(all, sent)
		}
		if o.Order != "asc" {
			slices.Reverse(all[before:])
		}
	}
	return all, nil
}

// moved returns a move of a wallet, without where it is. Wrapped SOL counts as SOL unless
// it is separate.
func (s *Service) moved(wallet string, m move, separate bool) sentTransfer {
	sent := sentTransfer{
		Type: "transfer", From: m.with, To: wallet, Mint: m.of.mint, Status: "finalized",
		Amount: m.raw, Decimals: m.of.decimals, UI: shown(m.raw, m.of.decimals),
	}
	if m.out {
		sent.From, sent.To = wallet, m.with
	}
	native := m.of == nativeSOL()
	if !native {
		sent.FromAccount, sent.ToAccount = s.tokenAccountOf(sent.From, m.of.mint), s.tokenAccountOf(sent.To, m.of.mint)
	}
	if native || m.of.mint == solMint && !separate {
		sent.Mint = string(types.NativeSOLMint)
	}
	return sent
}
