package tx

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/types"
)

const solDecimals = 9

// A Change is the change of a balance by a transaction.
type Change struct {
	// Account holds the SOL or owns the tokens. It is the token account if the node does not name
	// the owner.
	Account types.Address `json:"account"`

	Mint     types.Address `json:"mint"`     // types.NativeSOLMint for native SOL
	Decimals uint8         `json:"decimals"` // digits after the decimal point

	// RawBefore and RawAfter are in the smallest unit. For tokens, they are sums over the owner's
	// token accounts in the transaction.
	RawBefore uint64 `json:"rawBefore,string"`
	RawAfter  uint64 `json:"rawAfter,string"`
}

// Net returns the change in whole tokens, negative if the balance fell. Like
// [types.Amount], it does not consider the interest or the scale of a token.
func (c Change) Net() decimal.Decimal {
	return types.Amount(c.RawAfter, c.Decimals).Sub(types.Amount(c.RawBefore, c.Decimals))
}

// Changes returns the balances that the transaction changed: native SOL in the order of
// [Transaction.Accounts], then tokens. The change of native SOL of the fee payer includes
// the fee. Wrapped SOL is listed twice: as a token of its owner, and as native SOL of
// the token account. A transaction that was requested as bytes has no changes.
func (t *Transaction) Changes() []Change {
	accounts, before, after := t.Accounts(), t.Meta.PreBalances, t.Meta.PostBalances
	if len(before) != len(accounts) || len(after) != len(accounts) {
		return nil
	}
	var all []Change
	for i, account := range accounts {
		all = append(all, Change{account, types.NativeSOLMint, solDecimals, before[i], after[i]})
	}
	all = append(all, tokenChanges(accounts, &t.Meta)...)
	return slices.DeleteFunc(all, func(c Change) bool { return c.RawBefore == c.RawAfter })
}

// tokenChanges returns the token balances of each wallet before and after, changed or not.
func tokenChanges(accounts []types.Address, m *Meta) []Change {
	var all []Change
	places := map[[2]types.Address]int{}
	of := func(b *TokenBalance) *Change {
		owner := b.Owner
		if owner == "" && b.AccountIndex >= 0 && b.AccountIndex < len(accounts) {
			owner = accounts[b.AccountIndex]
		}
		key := [2]types.Address{owner, b.Mint}
		i, known := places[key]
		if !known {
			i = len(all)
			places[key] = i
			all = append(all, Change{Account: owner, Mint: b.Mint, Decimals: b.UITokenAmount.Decimals})
		}
		return &all[i]
	}
	for i := range m.PreTokenBalances {
		of(&m.PreTokenBalances[i]).RawBefore += m.PreTokenBalances[i].UITokenAmount.RawAmount
	}
	for i := range m.PostTokenBalances {
		of(&m.PostTokenBalances[i]).RawAfter += m.PostTokenBalances[i].UITokenAmount.RawAmount
	}
	return all
}
