package parsed

import (
	"cmp"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/types"
)

// A Change is the change of an account's balance of one token in a transaction. The
// amounts are in whole tokens and exact.
type Change struct {
	// Account is the wallet, or the token account if the service does not name its owner.
	Account types.Address `json:"account"`

	Mint     types.Address   `json:"mint"`     // types.NativeSOLMint for SOL
	Decimals uint8           `json:"decimals"` // digits after the decimal point
	In       decimal.Decimal `json:"in"`       // the sum of the incoming transfers
	Out      decimal.Decimal `json:"out"`      // the sum of the outgoing transfers
	Fee      decimal.Decimal `json:"fee"`      // not part of Out; 0 except for SOL of the fee payer
}

// Net returns In minus Out and Fee.
func (c Change) Net() decimal.Decimal { return c.In.Sub(c.Out).Sub(c.Fee) }

// Changes returns the changes of all accounts by the transfers and the fee. SOL of the fee payer
// comes first; the others are in the order of the transfers. A failed transaction changes only SOL
// of its fee payer. SOL that moves without a transfer is not included, such as the rent of a closed
// account.
func (t *Transaction) Changes() []Change {
	var all []Change
	places := map[[2]types.Address]int{}
	change := func(account, mint types.Address, decimals uint8) *Change {
		key := [2]types.Address{account, mint}
		i, known := places[key]
		if !known {
			i = len(all)
			places[key] = i
			all = append(all, Change{Account: account, Mint: mint, Decimals: decimals})
		}
		return &all[i]
	}
	move := func(from, to, mint types.Address, amount decimal.Decimal, decimals uint8) {
		if from != "" {
			c := change(from, mint, decimals)
			c.Out = c.Out.Add(amount)
		}
		if to != "" {
			c := change(to, mint, decimals)
			c.In = c.In.Add(amount)
		}
	}
	if t.FeePayer != "" && t.FeeLamports != 0 {
		change(t.FeePayer, types.NativeSOLMint, solDecimals).Fee = types.Amount(t.FeeLamports, solDecimals)
	}
	for _, n := range t.NativeTransfers() {
		move(n.FromUserAccount, n.ToUserAccount, types.NativeSOLMint, n.Amount(), solDecimals)
	}
	for _, x := range t.TokenTransfers() {
		from, to := cmp.Or(x.FromUserAccount, x.FromTokenAccount), cmp.Or(x.ToUserAccount, x.ToTokenAccount)
		move(from, to, x.Mint, x.Amount(), x.Decimals)
	}
	return all
}

// Describe returns a line about the transaction from the view of an account: the kind, the net
// changes, and a fee that it paid. Unlike the Description of a [Summary], it has the amounts that
// moved. Symbols are by mint, and das.Client.Assets returns them; a mint without a symbol is
// printed as it is.
//
//	swap: -0.5 SOL, +69.30693 USDC, fee 0.000005 SOL
func (t *Transaction) Describe(account types.Address, symbols map[types.Address]string) string {
	var parts []string
	var fee decimal.Decimal
	nothing := "no transfers"
	for _, c := range t.Changes() {
		if c.Account != account {
			continue
		}
		fee = fee.Add(c.Fee)
		moved := c.In.Sub(c.Out)
		if moved.IsZero() {
			if !c.In.IsZero() {
				nothing = "no net change"
			}
			continue
		}
		sign, unit := "", cmp.Or(symbols[c.Mint], string(c.Mint))
		if moved.IsPositive() {
			sign = "+"
		}
		if c.Mint == types.NativeSOLMint {
			unit = "SOL"
		}
		parts = append(parts, sign+moved.String()+" "+unit)
	}
	if len(parts) == 0 {
		parts = append(parts, nothing)
	}
	if !fee.IsZero() {
		parts = append(parts, "fee "+fee.String()+" SOL")
	}
	return t.kind() + ": " + strings.Join(parts, ", ")
}

// kind returns the type of the summary, and why a failed transaction failed.
func (t *Transaction) kind() string {
	kind := "transaction"
	if t.Summary != nil {
		kind = cmp.Or(string(t.Summary.Type), kind)
	}
	switch {
	case t.Failed() && t.DecodedError != nil:
		return "failed " + kind + " (" + cmp.Or(t.DecodedError.Name, t.DecodedError.Message, "unknown error") + ")"
	case t.Failed():
		return "failed " + kind
	}
	return kind
}
