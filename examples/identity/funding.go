package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/solwire/solwire-go/examples/internal/demo"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

// firstSOL returns who gave a wallet its first SOL.
func firstSOL(ctx context.Context, wallets *wallet.Client, who wallet.Identity) (string, error) {
	if who.Address == "" {
		return "no such name", nil
	}
	f, err := wallets.FundedBy(ctx, who.Address)
	if errors.Is(err, types.ErrNotFound) {
		return "unknown", nil
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s SOL from %s", f.Amount, cmp.Or(demo.Text(f.FunderName), demo.Short(string(f.Funder)))), nil
}
