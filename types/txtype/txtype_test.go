package txtype_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types/txtype"
)

type constant struct{ name, value string }

func TestConstantsAreTheDocumentedTypes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/transaction-types.txt")
	require.NoError(t, err)
	listed := strings.Fields(string(text))
	require.Len(t, listed, 572)
	require.True(t, slices.IsSorted(listed))
	require.Len(t, slices.Compact(slices.Clone(listed)), len(listed), "no duplicates")

	var want []constant
	for _, value := range listed {
		want = append(want, constant{goName(value), value})
	}
	require.Equal(t, want, declared(t, "txtype.go"))
}

func TestConstantNames(t *testing.T) {
	t.Parallel()
	for got, want := range map[txtype.Type]string{
		txtype.Any:                          "ANY",
		txtype.NFTSale:                      "NFT_SALE",
		txtype.CompressedNFTMint:            "COMPRESSED_NFT_MINT",
		txtype.TakeLoan:                     "TAKE_LOAN",
		txtype.BorrowCNFTPerpetual:          "BORROW_CNFT_PERPETUAL",
		txtype.MigrateToPNFT:                "MIGRATE_TO_PNFT",
		txtype.StakeSOL:                     "STAKE_SOL",
		txtype.StubIDBuild:                  "STUB_ID_BUILD",
		txtype.IDLMissingTypes:              "IDL_MISSING_TYPES",
		txtype.InitializePositionPDA:        "INITIALIZE_POSITION_PDA",
		txtype.InitializeLBPair:             "INITIALIZE_LB_PAIR",
		txtype.CreateAMM:                    "CREATE_AMM",
		txtype.SettlePNL:                    "SETTLE_PNL",
		txtype.UpdatePricingV2:              "UPDATE_PRICING_V2",
		txtype.InitReferrerStateAndShortURL: "INIT_REFERRER_STATE_AND_SHORT_URL",
	} {
		require.Equal(t, want, string(got))
	}
}

// goName returns the name of a constant: the words of its value, with initialisms in
// capitals.
func goName(value string) string {
	initialisms := strings.Fields("NFT CNFT PNFT SOL URL ID IDL PDA LB AMM PNL V2")
	var b strings.Builder
	for word := range strings.SplitSeq(value, "_") {
		if !slices.Contains(initialisms, word) {
			word = word[:1] + strings.ToLower(word[1:])
		}
		b.WriteString(word)
	}
	return b.String()
}

// declared returns the constants of a Go file in order. All of them must be of type
// Type.
func declared(t *testing.T, file string) []constant {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	require.NoError(t, err)

	var all []constant
	for _, decl := range parsed.Decls {
		block, ok := decl.(*ast.GenDecl)
		if !ok || block.Tok != token.CONST {
			continue
		}
		for _, spec := range block.Specs {
			c, ok := spec.(*ast.ValueSpec)
			require.True(t, ok)
			require.Len(t, c.Names, 1)
			require.Len(t, c.Values, 1, c.Names[0].Name)
			typ, ok := c.Type.(*ast.Ident)
			require.True(t, ok, c.Names[0].Name)
			require.Equal(t, "Type", typ.Name, c.Names[0].Name)
			literal, ok := c.Values[0].(*ast.BasicLit)
			require.True(t, ok, c.Names[0].Name)
			value, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			all = append(all, constant{c.Names[0].Name, value})
		}
	}
	return all
}
