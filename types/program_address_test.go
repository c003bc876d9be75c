package types_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

// The accounts were made by the associated token program of a node of Agave 4.2.2. The last one
// is an account of USDC on mainnet.
func TestAssociatedTokenAddressIsTheAccountThatTheProgramMakes(t *testing.T) {
	t.Parallel()
	const (
		owner = "811Dv5AuND19q48ZS1nhnqmTSpXEXvvciUA1DEXiJaiu"
		other = "AcCKkPQWA1AwYfxggasJDmsNrxT4HMkAfb1W9YPw9dRS"
	)
	for _, row := range []struct{ wallet, mint, program, account types.Address }{
		{owner, "6nQztsh181HQhDQnCpgEnoF1stWmjg8eXuetVw4YQSwV", types.TokenProgram, "APQXmjUpibwXQS18oaW55kAoraDxtJZs6bWHbi5qtVps"},
		{owner, "6z1mzhrMJALQptWKW4cHHGxW9M7k6SudzuivEicAiomS", types.TokenProgram, "6uADcmQrpS7iWquAMcw7Ej1KsFpRLHwXdRBkC4WyS8HH"},
		{owner, "FXxzkcSmhjyW7rtA16fZt2VoTjarejttg6kWJDV29KBc", types.TokenProgram, "GRzVdC6mLY8NU2T5Xce4Sy58BxBhq1EFTcg6vaZWgqwH"},
		{owner, types.WrappedSOL, types.TokenProgram, "FUeMGCBLZhCztzVixYZb178VAZjW7JDx3RJsTho4n79c"},
		{owner, "BCad444MX7q218AQ5m3DNC3F8GSzpo8dfZjrKc9EcS1X", types.Token2022Program, "Dow9EXwQjQBVpVkgA3DPxp4Ur7qMbKbSUdT8cLWLbEQR"},
		{owner, "HFPY6spf8QsSyAwsJPJoT15WPkKkVxbeqgP49djt6XTF", types.Token2022Program, "FUZut2YbCkgbUTagh85RSP2mpiqK9pWjLY8NkW3gWrSf"},
		{other, "6nQztsh181HQhDQnCpgEnoF1stWmjg8eXuetVw4YQSwV", types.TokenProgram, "BZX1s1C9fXpRnUfYpA85BoLsY6WUdD6Y9UJSPsycAHVN"},
		{other, "BCad444MX7q218AQ5m3DNC3F8GSzpo8dfZjrKc9EcS1X", types.Token2022Program, "Age2zizkrYZa2p9SNnR7GfA3e8YYHS7HD5xggQcTCHqM"},
		{"3h1zGmCwsRJnVk5BuRNMLsPaQu1y2aqXqXDWYCgrp5UG", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", types.TokenProgram, "3uetDDizgTtadDHZzyy9BqxrjQcozMEkxzbKhfZF4tG3"},
	} {
		account, err := types.AssociatedTokenAddress(row.wallet, row.mint, row.program)
		require.NoError(t, err)
		require.Equal(t, row.account, account)
	}

	for _, row := range [][3]types.Address{
		{"toly.sol", types.WrappedSOL, types.TokenProgram},
		{owner, "", types.TokenProgram},
		{owner, types.WrappedSOL, ""},
		{owner, types.WrappedSOL, owner},
	} {
		_, err := types.AssociatedTokenAddress(row[0], row[1], row[2])
		require.ErrorIs(t, err, types.ErrInvalid)
	}
}

// The addresses and bumps are from the tests of @solana/addresses.
func TestProgramAddressHasTheHighestBumpThatIsNotAKey(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		program types.Address
		seeds   [][]byte
		address types.Address
		bump    uint8
	}{
		{"CZ3TbkgUYpDAJVEWpujQhDSgzNTeqbokrJmYa1j4HAZc", nil, "9tVtkyCGAHSDDBPwz7895aC3p2gJRjpu2v26o35FTUco", 255},
		{"EfTbwNBrSqSuCNBhWUHsBoBdSMWgRU1S47daqRNgW7aK", nil, "CKWT8KZ5GMzKpVRiAULWKPg1LiHt9U3NdAtbuTErHCTq", 251},
		{"9HT3iB4oX1aZPH5V8eNUGByKuwhfcKjBQ3x9rfEAuNeF", [][]byte{{1, 2, 3}}, "EeTcRajHcPh74C5D4GqZePac1wYB7Dj9ChTaNHaTH77V", 251},
		{"EKaNRGA37uiGRyRPMap5EZg9cmbT5mt7KWrGwKwAQ3rK", [][]byte{[]byte("hello")}, "6V76gtKMCmVVjrx4sxR9uB868HtZbL3piKEmadC7rSgf", 255},
		{"9PyoV2rqNtoboSvg2JD7GWhM5RQvHGwgdDvK7MCfpgX1", [][]byte{[]byte("hel"), []byte("lo")}, "E6npEurFu1UEbQFh1DsqBvny17XxUK2QPMgxD3Edn3aG", 251},
		{"H8gBP21L5ietkHgXcGbgQBCVVEdPUQyuP9Q5MPRLLSJu", [][]byte{[]byte("🚀")}, "46v3JvPtEPeQmH3euXydEbxYD6yfxeZjWSzkkYvvM5Pp", 251},
	} {
		address, bump, err := types.ProgramAddress(row.seeds, row.program)
		require.NoError(t, err)
		require.Equal(t, row.address, address)
		require.Equal(t, row.bump, bump)
	}

	_, _, err := types.ProgramAddress(make([][]byte, 15), types.TokenProgram)
	require.NoError(t, err)
	_, _, err = types.ProgramAddress(make([][]byte, 16), types.TokenProgram)
	require.EqualError(t, err, "16 seeds, at most 15: invalid argument")
	_, _, err = types.ProgramAddress([][]byte{make([]byte, 33)}, types.TokenProgram)
	require.EqualError(t, err, "seed 0 has 33 bytes, at most 32: invalid argument")
	_, _, err = types.ProgramAddress(nil, "")
	require.ErrorIs(t, err, types.ErrInvalid)
}
