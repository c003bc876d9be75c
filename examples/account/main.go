// Account prints what Solana accounts hold: token accounts, mints with their
// extensions, stake, nonces, lookup tables and the raw data of everything else. Each costs
// 1 credit.
//
//	go run ./examples/account EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v
package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

func main() {
	addresses := progress.Arguments("ADDRESS ...", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
	progress.Main(func(ctx context.Context, cfg types.Config, _ *progress.Line) error {
		return run(ctx, cfg, addresses, os.Stdout)
	})
}

func run(ctx context.Context, cfg types.Config, addresses []string, out io.Writer) error {
	client, err := rpc.New(cfg)
	if err != nil {
		return err
	}
	for _, text := range addresses {
		address, err := types.ParseAddress(text)
		if err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
		account, err := client.Account(ctx, address, nil)
		if errors.Is(err, types.ErrNotFound) {
			fmt.Fprintf(out, "%s does not exist\n\n", address)
			continue
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\n  %s SOL, %d bytes, of program %s\n", address, types.Amount(account.Lamports, 9), account.Space, account.Owner)
		if err := show(out, &account.Data); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	return nil
}

// show prints the data of an account as its type.
func show(out io.Writer, data *rpc.Data) error {
	if info, err := data.TokenAccount(); err == nil {
		fmt.Fprintf(out, "  token account of %s\n  %s of mint %s, %s\n", info.Owner, info.TokenAmount.UIAmountString, info.Mint, info.State)
		if info.Delegate != "" {
			fmt.Fprintf(out, "  %s may spend %s\n", info.Delegate, info.DelegatedAmount.UIAmountString)
		}
		return nil
	}
	if info, err := data.Mint(); err == nil {
		showMint(out, info)
		return nil
	}
	if info, err := data.Stake(); err == nil {
		fmt.Fprintf(out, "  stake account of %s\n", info.Meta.Authorized.Withdrawer)
		if info.Stake != nil {
			fmt.Fprintf(out, "  %s SOL delegated to %s\n", types.Amount(info.Stake.Delegation.StakeLamports, 9), info.Stake.Delegation.Voter)
		}
		return nil
	}
	if info, err := data.Nonce(); err == nil {
		fmt.Fprintf(out, "  nonce %s of %s\n", info.Blockhash, info.Authority)
		return nil
	}
	if info, err := data.LookupTable(); err == nil {
		fmt.Fprintf(out, "  lookup table with %d addresses\n", len(info.Addresses))
		return nil
	}
	if data.Encoding == types.EncodingJSONParsed {
		fmt.Fprintf(out, "  %s of %s\n", cmp.Or(data.Type, "account"), data.Program)
		pretty, err := json.MarshalIndent(data.Info, "  ", "  ")
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "  %s\n", pretty)
		return nil
	}
	b, err := data.Bytes()
	if err != nil {
		return err
	}
	const most = 256
	dump := hex.Dump(b[:min(len(b), most)])
	fmt.Fprint(out, dump)
	if len(b) > most {
		fmt.Fprintf(out, "and %d more bytes\n", len(b)-most)
	}
	return nil
}

func showMint(out io.Writer, info *rpc.MintInfo) {
	fmt.Fprintf(out, "  mint of %s tokens with %d decimals\n", info.Supply(), info.Decimals)
	fmt.Fprintf(out, "  mint authority %s, freeze authority %s\n", cmp.Or(info.MintAuthority, "none"), cmp.Or(info.FreezeAuthority, "none"))
	if metadata, ok := info.Extensions.TokenMetadata(); ok {
		fmt.Fprintf(out, "  %q (%q) %q\n", metadata.Name, metadata.Symbol, metadata.URI)
	}
	if fee, ok := info.Extensions.TransferFeeConfig(); ok {
		fmt.Fprintf(out, "  transfer fee of %d basis points\n", fee.Newer.BasisPoints)
	}
	if delegate, ok := info.Extensions.PermanentDelegate(); ok {
		fmt.Fprintf(out, "  %s may move and burn all tokens\n", delegate)
	}
	for _, x := range info.Extensions {
		fmt.Fprintf(out, "  extension %s\n", x.Name)
	}
}
