package wallet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

func TestBalanceAtSendsEveryMoment(t *testing.T) {
	t.Parallel()
	for want, at := range map[string]wallet.Moment{
		"slot=0":                    wallet.AtSlot(0),
		"slot=9007199254740993":     wallet.AtSlot(9007199254740993),
		"time=0":                    wallet.AtTime(time.Unix(0, 0)),
		"time=1763645581":           wallet.AtTime(time.Unix(1763645581, 999_999_999)),
		"time=253402300800":         wallet.AtTime(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)),
		"time=1763645580":           wallet.AtTime(time.Date(2025, 11, 20, 19, 18, 0, 0, time.FixedZone("", 5*3600+45*60))),
		"slot=18446744073709551615": wallet.AtSlot(18446744073709551615),
	} {
		s := fake.New()
		s.Answer(200, `{"balance":"1.5","balanceRaw":"1500000000"}`)
		balance, err := client(t, s).BalanceAt(t.Context(), fake.Wallet, types.NativeSOLMint, at)
		require.NoError(t, err)
		require.Equal(t, "mint=So11111111111111111111111111111111111111111&"+want, s.Requests()[0].Query.Encode())
		require.Equal(t, "1.5", balance.Amount.String())
		require.Equal(t, uint64(1500000000), balance.AmountRaw)
		require.Nil(t, balance.AsOf)
	}
}

func TestBalanceAtRefusesArgumentsBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	s := fake.New()
	c := client(t, s)
	for _, row := range []struct {
		wallet, mint types.Address
		at           wallet.Moment
		text         string
	}{
		{"toly.sol", types.NativeSOLMint, wallet.AtSlot(1), "wallet: "},
		{fake.Wallet, "", wallet.AtSlot(1), "mint: "},
		{fake.Wallet, "USDC", wallet.AtSlot(1), "mint: "},
		{fake.Wallet, types.SOL, wallet.AtSlot(1), "mint: native SOL is types.NativeSOLMint here"},
		{fake.Wallet, types.NativeSOLMint, wallet.Moment{}, "at: no moment; use AtSlot or AtTime"},
		{fake.Wallet, types.NativeSOLMint, wallet.AtTime(time.Time{}), "at: before 1970"},
		{fake.Wallet, types.NativeSOLMint, wallet.AtTime(time.Unix(-1, 0)), "at: before 1970"},
		{fake.Wallet, types.NativeSOLMint, wallet.AtTime(time.Unix(0, -1)), "at: before 1970"},
	} {
		balance, err := c.BalanceAt(t.Context(), row.wallet, row.mint, row.at)
		require.ErrorIs(t, err, types.ErrInvalid, row.text)
		require.ErrorContains(t, err, row.text)
		require.Nil(t, balance)
	}
	require.Empty(t, s.Requests())
}
