// Account prints Solana accounts: token accounts, mints with their extensions, stake, nonces,
// lookup tables and the raw data of everything else. Each costs 1 credit.
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
	"strings"
	"unicode"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

func main() {
	addresses := progress.Arguments("ADDRESS ...", string(progress.USDC))
	progress.Main(func(ctx context.Context, cfg types.Config, out io.Writer) error {
		return run(ctx, cfg, addresses, out)
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

// show prints the data of an account: as its type in JSON, or bytes.
func show(out io.Writer, data *rpc.Data) error {
	if data.Encoding != types.EncodingJSONParsed {
		b, err := data.Bytes()
		if err != nil {
			return err
		}
		const most = 256
		fmt.Fprint(out, hex.Dump(b[:min(len(b), most)]))
		if len(b) > most {
			fmt.Fprintf(out, "and %d more bytes\n", len(b)-most)
		}
		return nil
	}
	pretty, err := json.MarshalIndent(view(data), "  ", "  ")
	if err != nil {
		return err
	}
	printable := strings.Map(func(r rune) rune { // names are chosen by strangers
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, string(pretty))
	_, err = fmt.Fprintf(out, "  %s of %s\n  %s\n", cmp.Or(data.Type, "account"), data.Program, printable)
	return err
}

// view returns the data as its type, or as the node sent it.
func view(data *rpc.Data) any {
	if info, err := data.TokenAccount(); err == nil {
		return info
	}
	if info, err := data.Mint(); err == nil {
		return info
	}
	if info, err := data.Stake(); err == nil {
		return info
	}
	if info, err := data.Nonce(); err == nil {
		return info
	}
	if info, err := data.LookupTable(); err == nil {
		return info
	}
	return data.Info
}
