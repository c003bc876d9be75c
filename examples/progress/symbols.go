package progress

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// AddSymbols adds the symbols of tokens to symbols, where the service knows them. They have the
// start of the mint, as anybody can use any symbol. It costs 10 credits, unless symbols has all.
func AddSymbols(ctx context.Context, cfg types.Config, symbols map[types.Address]string, mints ...types.Address) error {
	symbols[types.NativeSOLMint], symbols[types.SOL], symbols[types.WrappedSOL] = "SOL", "SOL", "SOL or wSOL"
	missing := map[types.Address]bool{}
	for _, m := range mints {
		if symbols[m] == "" {
			missing[m] = true
		}
	}
	client, err := das.New(cfg)
	if err != nil {
		return err
	}
	mints = slices.Sorted(maps.Keys(missing))
	assets, err := client.Assets(ctx, mints, nil)
	for i, a := range assets {
		symbols[mints[i]] = string(mints[i])
		if a != nil && a.TokenInfo != nil && a.TokenInfo.Symbol != "" {
			symbols[mints[i]] = fmt.Sprintf("%s (%.4s…)", Printable(a.TokenInfo.Symbol, 20), mints[i])
		}
	}
	return err
}

// Printable makes the text of a stranger safe to show. It removes control characters and marks
// that change the direction of text, and keeps at most a number of characters.
func Printable(s string, most int) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s))
	if chars := []rune(s); len(chars) > most {
		return string(chars[:most-1]) + "…"
	}
	return s
}
