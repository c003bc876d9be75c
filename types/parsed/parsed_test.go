package parsed_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/parsed"
)

const (
	program types.Address = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"
	wallet  types.Address = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
	pool    types.Address = "8x5VqbHA8D7NkD52uNuS5nnt3PwA8pLD34ymskeSo2Wn"
	account types.Address = "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo"
	usdc    types.Address = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
)

// The file is written by hand from the service's documentation.
func results(t *testing.T, unmarshal func([]byte, any) error) []parsed.Result {
	t.Helper()
	body, err := os.ReadFile("testdata/results.json")
	require.NoError(t, err)
	var all []parsed.Result
	require.NoError(t, unmarshal(body, &all))
	return all
}

func TestResultsDecodeFromTheWire(t *testing.T) {
	t.Parallel()
	inner := 1
	failed := &parsed.Transaction{
		Slot: 1, FeeLamports: 5000, Status: parsed.StatusError,
		TransactionError: json.RawMessage(`{"InstructionError":[0,{"Custom":1}]}`),
		DecodedError: &parsed.DecodedError{
			ProgramID: program, ProgramName: "p", Code: 1, Name: "n",
		},
		AttemptedNativeTransfers: []parsed.NativeTransfer{{ToUserAccount: wallet, Lamports: math.MaxUint64}},
		AttemptedTokenTransfers: []parsed.TokenTransfer{{
			ToUserAccount: wallet, ToTokenAccount: account, RawAmount: math.MaxUint64,
			TokenStandard: types.TokenStandardUnknown, Mint: usdc,
		}},
		Summary: &parsed.Summary{
			Type: parsed.SummaryTypeSwap, Description: "d", ParsedData: json.RawMessage(`{"inAmount":"70000000"}`),
		},
		Instructions: []parsed.Instruction{{
			InnerInstructionIndex: &inner, StackHeight: 2, ProgramID: program, Accounts: []types.Address{wallet}, Data: "3Bxs",
			ProgramName: "p", Name: "swap",
			Decoded: &parsed.Decoded{
				Args:     json.RawMessage(`{"amount":"18446744073709551615"}`),
				Accounts: []parsed.Account{{Name: "user", Address: wallet, IsSigner: true, IsWritable: true}},
			},
		}},
	}
	want := []parsed.Result{
		{
			Signature:    "caDyTGu8dJ3qFfZpxhyni8DKjgWQapcfiX7MpJ8R67FdiSMcyNHyKjwskBCv45X4CVFZK4nrCCATdW9zysMQFoJ",
			ParserStatus: parsed.StatusError, ParserError: &parsed.ParserError{Code: parsed.ParserErrorNotFound, Message: "not found"},
		},
		{
			Signature:    "5G7Zzq8J63xVUVheNVuW9KaXmXvFB8Zh6kLEmoRiedVTXTN5crxWY9qZiyPfaWM6xpWf3aMTtGaQZsc1xPt8fHVi",
			ParserStatus: parsed.StatusOK, Parsed: failed,
		},
	}
	for name, unmarshal := range map[string]func([]byte, any) error{"encoding/json": json.Unmarshal, "decode": decode.JSON} {
		got := results(t, unmarshal)
		require.Equal(t, want, got[:2], name)
		stored, err := json.Marshal(got)
		require.NoError(t, err)
		var restored []parsed.Result
		require.NoError(t, unmarshal(stored, &restored))
		require.Equal(t, got, restored, name)
	}
}

func TestUnknownValuesPassThrough(t *testing.T) {
	t.Parallel()
	swap := results(t, decode.JSON)[2].Parsed
	require.Equal(t, parsed.SummaryType("something_new"), swap.Summary.Type)
	require.Nil(t, swap.Summary.ParsedData)
	require.Equal(t, types.TokenStandard("SomethingNew"), swap.TokenTransfers()[0].TokenStandard)
	require.Nil(t, swap.TransactionError)
	require.Nil(t, swap.Instructions[0].Decoded)
	require.Nil(t, swap.Instructions[0].InnerInstructionIndex)
}

func TestFailedTransactionsHaveNoTransfers(t *testing.T) {
	t.Parallel()
	tx := results(t, decode.JSON)[1].Parsed
	tx.FeePayer = pool
	for name, tx := range map[string]parsed.Transaction{
		"failed":          *tx,
		"unknown status":  {Status: "PENDING", FeePayer: pool, FeeLamports: 5000, AttemptedNativeTransfers: tx.AttemptedNativeTransfers},
		"OK, with an Err": {Status: parsed.StatusOK, TransactionError: tx.TransactionError, FeePayer: pool, FeeLamports: 5000, AttemptedTokenTransfers: tx.AttemptedTokenTransfers},
	} {
		require.True(t, tx.Failed(), name)
		require.Empty(t, tx.NativeTransfers(), name)
		require.Empty(t, tx.TokenTransfers(), name)
		require.Equal(t, []parsed.Change{{Account: pool, Mint: types.NativeSOLMint, Decimals: 9, Fee: decimal.New(5000, -9)}}, tx.Changes(), name)
	}
	require.Equal(t, "failed swap (n): no transfers, fee 0.000005 SOL", tx.Describe(pool, nil))
	require.Equal(t, "failed swap (n): no transfers", tx.Describe(wallet, nil))
}

func TestChangesAreExact(t *testing.T) {
	t.Parallel()
	swap := results(t, decode.JSON)[2].Parsed
	amount := decimal.RequireFromString
	got := swap.Changes()
	type sum struct{ in, out, fee, net string }
	sums := map[[2]types.Address]sum{}
	for _, c := range got {
		sums[[2]types.Address{c.Account, c.Mint}] = sum{c.In.String(), c.Out.String(), c.Fee.String(), c.Net().String()}
	}
	require.Equal(t, map[[2]types.Address]sum{
		{wallet, types.NativeSOLMint}: {"0.1", "0.6", "0.000005", "-0.500005"},
		{pool, types.NativeSOLMint}:   {"0.6", "0.1", "0", "0.5"},
		{pool, usdc}:                  {"0", "36893488147419.10323", "0", "-36893488147419.10323"}, // above 64 bits
		{wallet, usdc}:                {"36893488147419.10323", "0", "0", "36893488147419.10323"},
		// minted to an account of an unknown owner
		{account, program}: {"18446744073709551615", "0", "0", "18446744073709551615"},
	}, sums)
	require.Equal(t, wallet, got[0].Account)
	require.True(t, amount("0.000005").Equal(got[0].Fee))
	require.Equal(t, "something_new: -0.5 SOL, +36893488147419.10323 EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v, fee 0.000005 SOL", swap.Describe(wallet, nil))
	require.Equal(t, "something_new: -0.5 SOL, +36893488147419.10323 USDC, fee 0.000005 SOL",
		swap.Describe(wallet, map[types.Address]string{"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v": "USDC"}))
}

// A transfer without an amount is not a transfer of nothing.
func TestTransfersHaveAmounts(t *testing.T) {
	t.Parallel()
	for body, missing := range map[string]string{
		`{"nativeTransfers":[{"amount":0},{"amount":null}]}`:       "nativeTransfers[1].amount",
		`{"nativeTransfers":[null]}`:                               "nativeTransfers[0].amount",
		`{"tokenTransfers":[{"rawTokenAmount":5},{"decimals":6}]}`: "tokenTransfers[1].rawTokenAmount",
	} {
		var lacks decode.MissingError
		require.ErrorAs(t, decode.JSON([]byte(body), new(parsed.Transaction)), &lacks)
		require.Equal(t, missing, lacks.Member)
	}
}

func TestTransfersToTheSenderAreNotNone(t *testing.T) {
	t.Parallel()
	tx := parsed.Transaction{Status: parsed.StatusOK, AttemptedNativeTransfers: []parsed.NativeTransfer{{FromUserAccount: wallet, ToUserAccount: wallet, Lamports: 5}}}
	require.Equal(t, "transaction: no net change", tx.Describe(wallet, nil))
	require.Equal(t, "transaction: no transfers", tx.Describe(pool, nil))
}

func TestArgumentsAreReadByName(t *testing.T) {
	t.Parallel()
	d := &parsed.Decoded{
		Args:     json.RawMessage(`{"amount":"18446744073709551615","slippage":50,"to":"x","terms":{"min":"9007199254740993","n":-1,"big":"18446744073709551616"},"no":null}`),
		Accounts: []parsed.Account{{Name: "user", Address: wallet}},
	}
	for _, row := range []struct {
		names []string
		want  any    // nil for none
		err   string // empty for none
	}{
		{[]string{"amount"}, uint64(math.MaxUint64), ""},
		{[]string{"slippage"}, uint64(50), ""},
		{[]string{"terms", "min"}, uint64(9007199254740993), ""},
		{[]string{"terms", "n"}, nil, "argument terms.n: -1 is not a whole number of 64 bits"},
		{[]string{"to"}, nil, "argument to: a value is not a whole number of 64 bits"},
		{[]string{"no"}, nil, ""},
		{[]string{"no", "of"}, nil, ""},
		{[]string{"amount", "of"}, nil, "argument of: the response has string where object is expected"},
		{[]string{"absent"}, nil, ""},
		{[]string{"absent", "of"}, nil, ""},
	} {
		got, err := d.Uint64(row.names[0], row.names[1:]...)
		if row.want != nil {
			require.Equal(t, row.want, *got, row.names)
		} else {
			require.Nil(t, got, row.names)
		}
		if row.err != "" {
			require.EqualError(t, err, row.err, row.names)
		} else {
			require.NoError(t, err, row.names)
		}
	}
	text, err := d.Text("terms", "big")
	require.NoError(t, err)
	require.Equal(t, "18446744073709551616", *text)
	text, err = d.Text("slippage")
	require.EqualError(t, err, "argument slippage: the response has number where string is expected")
	require.Nil(t, text)
	user, ok := d.Account("user")
	require.True(t, ok)
	require.Equal(t, wallet, user.Address)
	_, ok = d.Account("pool")
	require.False(t, ok)

	d = nil // of an instruction that is not decoded
	arg, err := d.Arg("amount")
	require.NoError(t, err)
	require.Nil(t, arg)
	_, ok = d.Account("user")
	require.False(t, ok)
}

func TestParserErrorMatchesNotFound(t *testing.T) {
	t.Parallel()
	missing := results(t, decode.JSON)[0].ParserError
	require.ErrorIs(t, missing, types.ErrNotFound)
	require.EqualError(t, missing, "transaction is not parsed: transaction_not_found: not found")
	require.NotErrorIs(t, &parsed.ParserError{Code: "parse_failed"}, types.ErrNotFound)
}

func TestParserErrorSaysWhatIsKnown(t *testing.T) {
	t.Parallel()
	require.EqualError(t, &parsed.ParserError{}, "transaction is not parsed")
	require.EqualError(t, &parsed.ParserError{Code: "parse_failed"}, "transaction is not parsed: parse_failed")
	require.EqualError(t, &parsed.ParserError{Message: "unknown format"}, "transaction is not parsed: unknown format")
}
