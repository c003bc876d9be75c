package main

import (
	"fmt"
	"io"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/webhooks"
)

// show prints a line for an event, whatever it is.
func show(out io.Writer, e *webhooks.Event) error {
	t := e.Enhanced
	if t == nil { // not what this webhook delivers
		return webhooks.ErrSkip
	}
	var what string
	switch swap := t.Events.Swap; {
	case swap != nil:
		what = fmt.Sprintf("%s for %s", amounts(swap.NativeInput, swap.TokenInputs), amounts(swap.NativeOutput, swap.TokenOutputs))
	case len(t.NativeTransfers) > 0:
		first := t.NativeTransfers[0]
		what = fmt.Sprintf("%s SOL to %s", sol(first.Amount), demo.Short(string(first.ToUserAccount)))
	case len(t.TokenTransfers) > 0:
		first := t.TokenTransfers[0]
		what = fmt.Sprintf("%s %s to %s", first.Amount, demo.Token(first.Mint), demo.Short(string(first.ToUserAccount)))
	}
	_, err := fmt.Fprintf(out, "%s  %-8s  %s  %s\n", demo.Time(e.Time), demo.Text(string(t.Type)), demo.Short(string(e.Signature)), what)
	return err
}

// amounts are what went into a swap, or came out.
func amounts(native *webhooks.NativeBalanceChange, tokens []webhooks.TokenBalanceChange) string {
	var text string
	if native != nil {
		text = sol(native.Amount) + " SOL"
	}
	for _, t := range tokens {
		if text != "" {
			text += " and "
		}
		text += t.RawTokenAmount.Tokens().String() + " " + demo.Token(t.Mint)
	}
	return text
}

func sol(lamports uint64) string { return decimal.NewFromUint64(lamports).Shift(-9).String() }
