package main

import (
	"context"
	"fmt"

	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

// outcome says what a transaction changed.
func outcome(tx wallet.Transaction) string {
	if tx.Error != "" {
		return "failed"
	}
	text := []byte("ok")
	for _, c := range tx.BalanceChanges {
		text = fmt.Appendf(text, "  %s %s", c.Amount, demo.Token(c.Mint))
	}
	return string(text)
}

// finish ends a walk, in words with the SOL that the wallet had after the
// oldest transaction, which is in slot; 0 means that there was none.
func finish(ctx context.Context, wallets *wallet.Client, owner types.Address, slot uint64, walk *demo.Walk) error {
	if slot > 0 && !walk.JSON {
		sol, err := wallets.BalanceAt(ctx, owner, types.NativeSOLMint, wallet.AtSlot(slot))
		if err != nil {
			return walk.Stopped(err)
		}
		fmt.Fprintf(walk, "%s SOL were left after the oldest of these.\n", sol.Amount)
	}
	return walk.Close()
}
