package rpc_test

import (
	"encoding/json"
	"math"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// parsed returns account data as a node (Agave 4.2.2) parsed it.
func parsed(t *testing.T) map[string]*rpc.Data {
	t.Helper()
	body, err := os.ReadFile("testdata/parsed.json")
	require.NoError(t, err)
	var all map[string]*rpc.Data
	require.NoError(t, json.Unmarshal(body, &all))
	return all
}

const (
	payer   types.Address = "5yKZaJ1YxcYmyfiiLvXWv8DoyGrGwvcBPDP28hmsqKGF"
	wallet  types.Address = "811Dv5AuND19q48ZS1nhnqmTSpXEXvvciUA1DEXiJaiu"
	another types.Address = "AcCKkPQWA1AwYfxggasJDmsNrxT4HMkAfb1W9YPw9dRS"
	feeMint types.Address = "BCad444MX7q218AQ5m3DNC3F8GSzpo8dfZjrKc9EcS1X"
)

func TestMintWithExtensions(t *testing.T) {
	t.Parallel()
	info, err := parsed(t)["t22Fee"].Mint()
	require.NoError(t, err)
	require.Equal(t, uint64(math.MaxUint64), info.RawSupply)
	require.Equal(t, "18446744073709.551615", info.Supply().String())
	require.Equal(t, payer, info.MintAuthority)
	require.Equal(t, payer, info.FreezeAuthority)
	require.True(t, info.IsInitialized)

	x := info.Extensions
	fee, err := x.TransferFeeConfig()
	require.NoError(t, err)
	half := rpc.TransferFee{BasisPoints: 250, RawMaximumFee: math.MaxUint64}
	require.Equal(t, &rpc.TransferFeeConfig{Authority: payer, WithdrawAuthority: payer, Older: half, Newer: half}, fee)
	metadata, err := x.TokenMetadata()
	require.NoError(t, err)
	require.Equal(t, &rpc.TokenMetadata{
		Mint: feeMint, Name: `Truth "token" é`, Symbol: "TRU", URI: "https://example.invalid/truth.json", UpdateAuthority: payer,
		Additional: [][2]string{{"colour", "blue"}},
	}, metadata)
	pointer, err := x.MetadataPointer()
	require.NoError(t, err)
	require.Equal(t, &rpc.MetadataPointer{Authority: payer, Address: feeMint}, pointer)
	delegate, err := x.PermanentDelegate()
	require.NoError(t, err)
	require.Equal(t, another, delegate)
	closer, err := x.MintCloseAuthority()
	require.NoError(t, err)
	require.Equal(t, payer, closer)
	require.True(t, x.Has("tokenMetadata"))
	require.JSONEq(t, `{"delegate":"AcCKkPQWA1AwYfxggasJDmsNrxT4HMkAfb1W9YPw9dRS"}`, string(x.State("permanentDelegate")))
}

func TestOtherExtensionsOfMints(t *testing.T) {
	t.Parallel()
	all := parsed(t)
	of := func(name string) rpc.Extensions {
		info, err := all[name].Mint()
		require.NoError(t, err)
		return info.Extensions
	}
	interest, err := of("t22Interest").InterestBearingConfig()
	require.NoError(t, err)
	require.Equal(t, int16(30000), interest.CurrentRate)
	require.Equal(t, int64(1795315230), interest.Initialized.Unix())
	scaled, err := of("t22Scaled").ScaledUIAmountConfig()
	require.NoError(t, err)
	effective := types.Time{Time: time.Unix(0, 0).UTC()}
	require.Equal(t, &rpc.ScaledUIAmountConfig{Authority: payer, Multiplier: "2.5", NewMultiplier: "2.5", Effective: effective}, scaled)
	paused, err := of("t22Scaled").Paused()
	require.NoError(t, err)
	require.False(t, paused)
	frozen, err := of("t22DefaultFrozen").DefaultAccountState()
	require.NoError(t, err)
	require.Equal(t, types.TokenStateFrozen, frozen)
	hook, err := of("t22Hook").TransferHook()
	require.NoError(t, err)
	require.Equal(t, &rpc.TransferHook{Authority: payer}, hook, "null is no program")
	require.True(t, of("t22NonTransferable").Has("nonTransferable"))

	plain := of("t22Plain")
	require.Nil(t, plain)
	require.False(t, plain.Has("nonTransferable"))
	for name, got := range accessors(plain) {
		require.NoError(t, got.err, name)
		require.Zero(t, got.value, name)
	}
}

type read struct {
	value any
	err   error
}

// accessors returns the results of the accessors of extensions, by the extension.
func accessors(x rpc.Extensions) map[string]read {
	as := func(value any, err error) read {
		if v := reflect.ValueOf(value); v.Kind() == reflect.Pointer && v.IsNil() {
			value = nil
		}
		return read{value, err}
	}
	one := func(f func() (any, error)) read { return as(f()) }
	return map[string]read{
		"transferFeeConfig":     one(func() (any, error) { return x.TransferFeeConfig() }),
		"transferFeeAmount":     one(func() (any, error) { return x.TransferFeeAmount() }),
		"tokenMetadata":         one(func() (any, error) { return x.TokenMetadata() }),
		"metadataPointer":       one(func() (any, error) { return x.MetadataPointer() }),
		"permanentDelegate":     one(func() (any, error) { return x.PermanentDelegate() }),
		"mintCloseAuthority":    one(func() (any, error) { return x.MintCloseAuthority() }),
		"defaultAccountState":   one(func() (any, error) { return x.DefaultAccountState() }),
		"transferHook":          one(func() (any, error) { return x.TransferHook() }),
		"pausableConfig":        one(func() (any, error) { return x.Paused() }),
		"interestBearingConfig": one(func() (any, error) { return x.InterestBearingConfig() }),
		"scaledUiAmountConfig":  one(func() (any, error) { return x.ScaledUIAmountConfig() }),
	}
}

// A mint whose fee cannot be read must not look like one without a fee.
func TestUnreadableExtensionsAreErrors(t *testing.T) {
	t.Parallel()
	for _, hidden := range []string{"unparseableExtension", ""} {
		for name, got := range accessors(rpc.Extensions{{Name: "immutableOwner"}, {Name: hidden}}) {
			require.EqualError(t, got.err, "extension "+name+": the node could not parse the extensions of the account; request EncodingBase64 to read its bytes")
			require.Zero(t, got.value, name)
		}
	}
	for _, state := range []string{"", `7`, `"x"`} {
		for name := range accessors(nil) {
			got := accessors(rpc.Extensions{{Name: name, State: json.RawMessage(state)}})[name]
			require.ErrorContains(t, got.err, "extension "+name+": ")
			require.Zero(t, got.value, name)
		}
	}
	for _, name := range []string{"transferFeeAmount", "pausableConfig", "permanentDelegate", "mintCloseAuthority", "defaultAccountState"} {
		got := accessors(rpc.Extensions{{Name: name, State: json.RawMessage(`{"other":null}`)}})[name]
		require.ErrorContains(t, got.err, "extension "+name+": the response has no ")
	}
	fee := func(maximum string) (*rpc.TransferFeeConfig, error) {
		one := `{"epoch":0,"transferFeeBasisPoints":500,"maximumFee":` + maximum + `}`
		state := `{"transferFeeConfigAuthority":null,"withdrawWithheldAuthority":null,"withheldAmount":0,"olderTransferFee":` + one + `,"newerTransferFee":` + one + `}`
		return rpc.Extensions{{Name: "transferFeeConfig", State: json.RawMessage(state)}}.TransferFeeConfig()
	}
	for _, maximum := range []string{`18446744073709551615`, `18446744073709552000`, `1.8446744073709552e19`, `"18446744073709552000"`} {
		got, err := fee(maximum)
		require.NoError(t, err, maximum)
		require.Equal(t, rpc.TransferFee{BasisPoints: 500, RawMaximumFee: math.MaxUint64}, got.At(1))
	}
	for _, maximum := range []string{`-1`, `1.5`, `"all"`, `null`} {
		_, err := fee(maximum)
		require.ErrorContains(t, err, "extension transferFeeConfig: ", maximum)
	}
	_, err := rpc.Extensions{{Name: "transferFeeConfig", State: json.RawMessage(`{"withheldAmount":0}`)}}.TransferFeeConfig()
	require.EqualError(t, err, "extension transferFeeConfig: the response has no olderTransferFee")
}

func TestFeesKeptInATokenAccount(t *testing.T) {
	t.Parallel()
	info, err := parsed(t)["t22FeeOther"].TokenAccount()
	require.NoError(t, err)
	fee, err := info.Extensions.TransferFeeAmount()
	require.NoError(t, err)
	require.Equal(t, uint64(25000000000000), fee)
}

func TestTransferFeesAreRoundedUpAndLimited(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		fee       rpc.TransferFee
		raw, want uint64
	}{
		{rpc.TransferFee{BasisPoints: 250, RawMaximumFee: math.MaxUint64}, 1000000000000000, 25000000000000}, // as a node took it
		{rpc.TransferFee{BasisPoints: 250, RawMaximumFee: math.MaxUint64}, 1, 1},
		{rpc.TransferFee{BasisPoints: 250, RawMaximumFee: 9}, 1000, 9},
		{rpc.TransferFee{BasisPoints: 10000, RawMaximumFee: math.MaxUint64}, math.MaxUint64, math.MaxUint64},
		{rpc.TransferFee{BasisPoints: 9999, RawMaximumFee: math.MaxUint64}, math.MaxUint64, 18444899399302180660},
		{rpc.TransferFee{BasisPoints: 0, RawMaximumFee: 9}, 1000, 0},
		{rpc.TransferFee{BasisPoints: 5, RawMaximumFee: 9}, 0, 0},
	} {
		require.Equal(t, row.want, row.fee.RawFee(row.raw))
	}
	config := rpc.TransferFeeConfig{Older: rpc.TransferFee{BasisPoints: 1}, Newer: rpc.TransferFee{Epoch: 7, BasisPoints: 2}}
	require.Equal(t, config.Older, config.At(6))
	require.Equal(t, config.Newer, config.At(7))
}

func TestAmountsOfTokenAccountsAndMintsAreRequired(t *testing.T) {
	t.Parallel()
	of := func(kind, info string) *rpc.Data {
		return &rpc.Data{Encoding: types.EncodingJSONParsed, Program: "spl-token", Type: kind, Info: json.RawMessage(info)}
	}
	for _, info := range []string{`{"mint":"a"}`, `{"tokenAmount":null}`, `{"tokenAmount":{"decimals":6}}`, `{"tokenAmount":{"amount":"5"}}`} {
		_, err := of("account", info).TokenAccount()
		require.ErrorContains(t, err, "account data: the response has no ", info)
	}
	for _, info := range []string{`{"decimals":6}`, `{"supply":null,"decimals":6}`, `{"supply":"5"}`} {
		_, err := of("mint", info).Mint()
		require.ErrorContains(t, err, "account data: the response has no ", info)
	}
	account, err := of("account", `{"tokenAmount":{"amount":"18446744073709552000","decimals":6.0}}`).TokenAccount()
	require.NoError(t, err)
	require.Equal(t, types.TokenAmount{RawAmount: math.MaxUint64, Decimals: 6}, account.TokenAmount)
}

func TestStakeWithoutItsNumbersIsAnError(t *testing.T) {
	t.Parallel()
	for _, info := range []string{
		`{"stake":null}`, `{"meta":null,"stake":null}`, `{"meta":{"rentExemptReserve":null},"stake":null}`,
		`{"meta":{"rentExemptReserve":"1"},"stake":{"creditsObserved":0}}`,
	} {
		_, err := (&rpc.Data{Encoding: types.EncodingJSONParsed, Program: "stake", Type: "delegated", Info: json.RawMessage(info)}).Stake()
		require.ErrorContains(t, err, "account data: the response has no ", info)
	}
}

func TestStakeAccounts(t *testing.T) {
	t.Parallel()
	all := parsed(t)
	info, err := all["stake"].Stake()
	require.NoError(t, err)
	require.Equal(t, payer, info.Meta.Authorized.Staker)
	require.Equal(t, wallet, info.Meta.Authorized.Withdrawer)
	require.Equal(t, uint64(2282880), info.Meta.RentExemptReserveLamports)
	require.Equal(t, uint64(7664), info.Stake.CreditsObserved)
	require.Equal(t, uint64(1000014503601948), info.Stake.Delegation.StakeLamports)
	require.Equal(t, uint64(math.MaxUint64), info.Stake.Delegation.DeactivationEpoch)

	idle, err := all["stakeIdle"].Stake()
	require.NoError(t, err)
	require.Nil(t, idle.Stake)
}

func TestNonceAccount(t *testing.T) {
	t.Parallel()
	info, err := parsed(t)["nonce"].Nonce()
	require.NoError(t, err)
	require.Equal(t, payer, info.Authority)
	require.Equal(t, types.Hash("F8Fp52TwETpCDhR9PeG7TvBL6kMzGyrhT1FRiFq4HSk4"), info.Blockhash)
	require.Equal(t, uint64(5000), info.FeeCalculator.LamportsPerSignature)
}

func TestLookupTables(t *testing.T) {
	t.Parallel()
	all := parsed(t)
	info, err := all["table"].LookupTable()
	require.NoError(t, err)
	require.Len(t, info.Addresses, 5)
	require.Equal(t, uint64(math.MaxUint64), info.DeactivationSlot)
	require.Equal(t, uint64(96), info.LastExtendedSlot)
	empty, err := all["tableEmpty"].LookupTable()
	require.NoError(t, err)
	require.Empty(t, empty.Addresses)
	require.Equal(t, uint64(97), empty.DeactivationSlot)
}

func TestViewsOfOtherAccountsAreErrors(t *testing.T) {
	t.Parallel()
	all := parsed(t)
	_, err := all["vote"].Mint()
	require.EqualError(t, err, "account data: not of program spl-token and type mint")
	_, err = all["mint"].Stake()
	require.EqualError(t, err, "account data: not of program stake and type initialized or delegated")
	_, err = all["nonce"].LookupTable()
	require.EqualError(t, err, "account data: not of program address-lookup-table and type lookupTable")
	bad := rpc.Data{Encoding: types.EncodingJSONParsed, Program: "stake", Type: "delegated", Info: json.RawMessage(`{"meta":{"authorized":{"staker":7}}}`)}
	_, err = bad.Stake()
	require.EqualError(t, err, "account data: the response has number at meta.authorized.staker where string is expected")
	bad.Info = json.RawMessage(`{"stake":{"delegation":{"stake":7}}}`)
	_, err = bad.Stake()
	require.EqualError(t, err, "account data: the response has number at stake.delegation.stake where uint64 in quotes is expected")
}
