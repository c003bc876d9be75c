package compressed_test

import (
	"encoding/base64"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

// tokenAccount returns an account of the compressed token program.
func tokenAccount(discriminator uint64, data []byte) *compressed.Account {
	return &compressed.Account{
		Owner: types.CompressedTokenProgram,
		Data:  &compressed.AccountData{Discriminator: discriminator, Bytes: data},
	}
}

// The service parses the accounts of transactions itself.
func TestParseTokenDataAgreesWithTheService(t *testing.T) {
	t.Parallel()
	got, err := client(t, captured(t, fakeapi.New(), "getTransactionWithCompressionInfoV2")).Transaction(t.Context(), signature)
	require.NoError(t, err)
	require.NotEmpty(t, got.Opened)
	for _, a := range slices.Concat(got.Closed, got.Opened) {
		data, err := compressed.ParseTokenData(&a.Account)
		require.NoError(t, err)
		require.Equal(t, a.TokenData, data)
	}
}

func TestParseTokenDataOfEachForm(t *testing.T) {
	t.Parallel()
	mint, owner, delegate := bytesOf(1, 32), bytesOf(2, 32), bytesOf(3, 32)
	start := slices.Concat(mint, owner, []byte{255, 255, 255, 255, 255, 255, 255, 255})
	want := compressed.TokenData{
		Mint: types.Address(text(mint)), Owner: types.Address(text(owner)), RawAmount: 1<<64 - 1, State: types.TokenStateInitialized,
	}
	for _, row := range []struct {
		rest   []byte
		change func(*compressed.TokenData)
	}{
		{[]byte{0, 0, 0}, func(*compressed.TokenData) {}},
		{[]byte{0, 1, 0}, func(d *compressed.TokenData) { d.State = types.TokenStateFrozen }},
		{slices.Concat([]byte{1}, delegate, []byte{0, 0}), func(d *compressed.TokenData) { d.Delegate = types.Address(text(delegate)) }},
		{[]byte{0, 0, 1}, func(d *compressed.TokenData) { d.TLV = []byte{} }},
		{[]byte{0, 0, 1, 7, 8}, func(d *compressed.TokenData) { d.TLV = []byte{7, 8} }},
	} {
		for _, discriminator := range []uint64{2, 216172782113783808, 288230376151711744} {
			data, err := compressed.ParseTokenData(tokenAccount(discriminator, slices.Concat(start, row.rest)))
			require.NoError(t, err)
			parsed := want
			row.change(&parsed)
			require.Equal(t, &parsed, data)
		}
	}
}

func TestParseTokenDataOfOtherAccountsFails(t *testing.T) {
	t.Parallel()
	whole, err := base64.StdEncoding.DecodeString("Fci4U9QOCVoeSJNu52uQTHTZkN+jGh5G5VqySLzUdo/IF0SuAAU/8W2JwQ9eoK7yn7i6O/dx7aXfmnaBmwIYnOgDAAAAAAAAAAAA")
	require.NoError(t, err)
	with := func(i int, b byte) []byte {
		data := slices.Clone(whole)
		data[len(data)+i] = b
		return data
	}
	for says, a := range map[string]*compressed.Account{
		"account has no data": {Owner: types.CompressedTokenProgram},
		"account does not belong to the compressed token program": {Owner: fakeapi.Owner, Data: &compressed.AccountData{Discriminator: 2, Bytes: whole}},
		"discriminator 3 does not belong to a token account":      tokenAccount(3, whole),
		"the state is 2, not 0 or 1":                              tokenAccount(2, with(-2, 2)),
		"the option of a delegate is 2, not 0 or 1":               tokenAccount(2, with(-3, 2)),
		"the option of extensions is 255, not 0 or 1":             tokenAccount(2, with(-1, 255)),
	} {
		_, err := compressed.ParseTokenData(a)
		require.EqualError(t, err, "compressed.ParseTokenData: "+says)
	}
	_, err = compressed.ParseTokenData(nil)
	require.Error(t, err)
	for n := range whole {
		_, err := compressed.ParseTokenData(tokenAccount(2, whole[:n]))
		require.EqualError(t, err, "compressed.ParseTokenData: data ends early")
	}
}
