package wallet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

func TestMoments(t *testing.T) {
	t.Parallel()
	for want, at := range map[string]wallet.Moment{
		"slot=0":                wallet.AtSlot(0),
		"slot=9007199254740993": wallet.AtSlot(9007199254740993),
		"time=0":                wallet.AtTime(time.Unix(0, 0)),
		"time=1763645581":       wallet.AtTime(time.Unix(1763645581, 999_999_999)),
		"time=1763645580":       wallet.AtTime(time.Date(2025, 11, 20, 19, 18, 0, 0, time.FixedZone("", 5*3600+45*60))),
		"time=253402300800":     wallet.AtTime(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)),
	} {
		s := fakeapi.New()
		s.Answer(200, `{"balance":"1.5","balanceRaw":"1500000000"}`)
		_, err := client(t, s).BalanceAt(t.Context(), fakeapi.Wallet, types.NativeSOLMint, at)
		require.NoError(t, err)
		require.Equal(t, "mint="+string(types.NativeSOLMint)+"&"+want, s.Requests()[0].Query.Encode())
	}
}

func TestMomentsBefore1970AreRefused(t *testing.T) {
	t.Parallel()
	for seconds, at := range map[string]time.Time{"-1": time.Unix(0, -1), "-62135596800": {}} {
		_, err := answering(t).BalanceAt(t.Context(), fakeapi.Wallet, types.NativeSOLMint, wallet.AtTime(at))
		require.EqualError(t, err, "wallet.Client.BalanceAt: at Unix time "+seconds+" is before 1970: invalid argument")
	}
}

func TestBalanceOfZeroIsAResult(t *testing.T) {
	t.Parallel()
	for _, zero := range []string{`"0"`, `0`, `"0.000"`} {
		balance, err := answering(t, `{"balance":`+zero+`,"asOf":null}`).BalanceAt(t.Context(), fakeapi.Wallet, types.NativeSOLMint, wallet.AtSlot(1))
		require.NoError(t, err)
		require.True(t, balance.Amount.IsZero())
		require.Nil(t, balance.AsOf)
	}
}
