// Assets prints the NFTs and tokens of a wallet, or the NFTs of a collection, with links
// to their images and with prices where the service has them. 1000 assets cost 10 credits.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/solwire/solwire-go/examples/progress"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// settings are the flags.
type settings struct {
	wallet, collection types.Address
	n                  int
}

func main() {
	collection := flag.String("collection", "", "`address` of a collection, in place of the wallet")
	n := flag.Int("n", 100, "`maximum` number of assets; 0 for all")
	wallet := progress.Arguments("WALLET", string(fake.WalletAddress))[0]
	s := settings{types.Address(wallet), types.Address(*collection), *n}
	progress.Main(func(ctx context.Context, cfg types.Config, out io.Writer) error {
		return run(ctx, cfg, s, out)
	})
}

func run(ctx context.Context, cfg types.Config, s settings, out io.Writer) error {
	client, err := das.New(cfg)
	if err != nil {
		return err
	}
	printed, broken := 0, 0
	for asset, err := range s.assets(ctx, client) {
		if err != nil {
			return err
		}
		fmt.Fprintln(out, row(&asset))
		if asset.Err != "" {
			broken++
		}
		printed++
		if printed == s.n {
			break
		}
	}
	_, err = fmt.Fprintf(out, "%d assets, %d of which the service cannot show\n", printed, broken)
	return err
}

// assets returns the listing that the flags select.
func (s settings) assets(ctx context.Context, client *das.Client) iter.Seq2[das.Asset, error] {
	opts := &das.AssetsOptions{ShowFungible: true}
	if s.collection != "" {
		return client.AssetsByGroup(ctx, das.GroupCollection, s.collection, opts).All()
	}
	return client.AssetsByOwner(ctx, s.wallet, opts).All()
}

// row describes an asset: its ID, name, amount and price, and a link to its image, which
// is not fetched.
func row(a *das.Asset) string {
	if a.Err != "" {
		return fmt.Sprintf("%s  cannot be shown: %s", safe(string(a.ID)), safe(a.Err))
	}
	words := []string{safe(string(a.ID)), cmp.Or(safe(a.Content.Name()), "without a name")}
	if t := a.TokenInfo; t != nil && t.Decimals > 0 {
		words = append(words, t.Amount().String()+" "+safe(t.Symbol))
	}
	if t := a.TokenInfo; t != nil && t.Price != nil && t.Price.PricePerToken.Valid {
		words = append(words, "at "+t.Price.PricePerToken.Decimal.String()+" "+safe(t.Price.Currency))
	}
	if image := safe(a.Content.Image()); image != "" {
		words = append(words, image)
	}
	return strings.Join(words, "  ")
}

// safe escapes control characters, which may be commands to a terminal, and marks that change
// the visible order.
func safe(s string) string {
	quoted := strconv.Quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}
