package types_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
)

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

func TestAddressesAreBase58OfTheirKeys(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		address types.Address
		key     string
	}{
		{types.SystemProgram, "0000000000000000000000000000000000000000000000000000000000000000"},
		{"JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG", "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"},
		{types.WrappedSOL, "069b8857feab8184fb687f634618c035dac439dc1aeb3b5598a0f00000000001"},
		{types.NativeSOLMint, "069b8857feab8184fb687f634618c035dac439dc1aeb3b5598a0f00000000000"},
		{types.TokenProgram, "06ddf6e1d765a193d9cbe146ceeb79ac1cb485ed5f5b37913a8cf5857eff00a9"},
		{types.Token2022Program, "06ddf6e1ee758fde18425dbce46ccddab61afc4d83b90d27febdf928d8a18bfc"},
		{types.Address(types.MainnetGenesisHash), "45296998a6f8e2a784db5d9f95e18fc23f70441a1039446801089879b08c7ef0"},
		{types.Address(types.DevnetGenesisHash), "ce59db5080fc2c6d3bcf7ca90712d3c2e5e6c28f27f0dfbb9953bdb0894c03ab"},
		{types.Address(types.TestnetGenesisHash), "3a132ece10305ec1830725502fa2b7e7eb8157e9123d4c1f654a71787161dc21"},
		{types.VoteProgram, "0761481d357474bb7c4d7624ebd3bdb3d8355e73d11043fc0da3538000000000"},
		{types.StakeProgram, "06a1d8179137542a983437bdfe2a7ab2557f535c8a78722b68a49dc000000000"},
		{types.ComputeBudgetProgram, "0306466fe5211732ffecadba72c39be7bc8ce5bbc5f7126b2c439b3a40000000"},
		{types.MemoProgram, "054a535a992921064d24e87160da387c7c35b5ddbc92bb81e41fa8404105448d"},
		{types.AssociatedTokenProgram, "8c97258f4e2489f1bb3d1029148e0d830b5a1399daff1084048e7bd8dbe9f859"},
		{types.BubblegumProgram, "988b80eb79352869b224745f59ddbf8a2658ca13dc68812126351cae07c1a5a5"},
		{types.CompressedTokenProgram, "0915a35723794e8fb65d075b6b72699c38dd02e5948b75b0e5a0418e80975b44"},
	} {
		want, err := hex.DecodeString(row.key)
		require.NoError(t, err)

		parsed, err := types.ParseAddress(string(row.address))
		require.NoError(t, err)
		require.Equal(t, row.address, parsed)

		got, err := row.address.Bytes()
		require.NoError(t, err)
		require.Equal(t, want, got)

		got, err = types.Hash(row.address).Bytes()
		require.NoError(t, err)
		require.Equal(t, want, got)

		address, err := types.AddressFromBytes(want)
		require.NoError(t, err)
		require.Equal(t, row.address, address)

		key, err := row.address.Key()
		require.NoError(t, err)
		require.Equal(t, [32]byte(want), key)
		type publicKey [32]byte // of another library
		require.Equal(t, row.address, types.AddressOf(publicKey(key)))
	}
}

func TestSignaturesAre64BytesInBase58(t *testing.T) {
	t.Parallel()
	zeros, err := types.Signature(strings.Repeat("1", 64)).Bytes()
	require.NoError(t, err)
	require.Equal(t, make([]byte, 64), zeros)

	// One less than 2^512: the largest signature, and the longest text.
	ones, err := types.Signature("67rpwLCuS5DGA8KGZXKsVQ7dnPb9goRLoKfgGbLfQg9WoLUgNY77E2jT11fem3coV9nAkguBACzrU1iyZM4B8roQ").Bytes()
	require.NoError(t, err)
	require.Equal(t, bytes.Repeat([]byte{255}, 64), ones)
}

func TestInvalidBase58IsRefused(t *testing.T) {
	t.Parallel()
	const system, token = string(types.SystemProgram), string(types.TokenProgram)
	for _, row := range []struct{ name, text, want string }{
		{"empty", "", "address has length 0, not 32 to 44: invalid argument"},
		{"SOL", "SOL", "address has length 3, not 32 to 44: invalid argument"},
		{"one byte less", system[1:], "address has length 31, not 32 to 44: invalid argument"},
		{"one byte more", system + "1", "address has 33 bytes, not 32: invalid argument"},
		{"44 times 1", strings.Repeat("1", 44), "address has 44 bytes, not 32: invalid argument"},
		{"31 bytes in 43 characters", "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofL", "address has 31 bytes, not 32: invalid argument"},
		{"above 2^256", strings.Repeat("z", 44), "address has 33 bytes, not 32: invalid argument"},
		{"2^256", "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH", "address has 33 bytes, not 32: invalid argument"},
		{"too long", token + "11", "address has length 45, not 32 to 44: invalid argument"},
		{"0 is not base58", "0" + token[1:], "address is not base58: invalid argument"},
		{"O is not base58", "O" + token[1:], "address is not base58: invalid argument"},
		{"I is not base58", "I" + token[1:], "address is not base58: invalid argument"},
		{"l is not base58", "l" + token[1:], "address is not base58: invalid argument"},
		{"hexadecimal", strings.Repeat("0f", 20), "address is not base58: invalid argument"},
		{"space around", " " + token + "\n", "address begins or ends with white space; trim it: invalid argument"},
		{"domain name", "a.very.long.domain.name.in.some.land.sol", "address is not base58: invalid argument"},
		{"slashes", "../../../../../../../../../../../../", "address is not base58: invalid argument"},
		{"NUL", strings.Repeat("\x00", 40), "address is not base58: invalid argument"},
		{"not ASCII", strings.Repeat("é", 20), "address is not base58: invalid argument"},
		{"not UTF-8", strings.Repeat("\xff", 40), "address is not base58: invalid argument"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			parsed, err := types.ParseAddress(row.text)
			require.EqualError(t, err, row.want)
			require.ErrorIs(t, err, types.ErrInvalid)
			require.Empty(t, parsed)

			b, err := types.Address(row.text).Bytes()
			require.ErrorIs(t, err, types.ErrInvalid)
			require.Nil(t, b)

			key, err := types.Address(row.text).Key()
			require.EqualError(t, err, row.want)
			require.Zero(t, key)

			_, err = types.Hash(row.text).Bytes()
			require.EqualError(t, err, "hash"+strings.TrimPrefix(row.want, "address"))
			require.ErrorIs(t, err, types.ErrInvalid)
		})
	}

	for text, want := range map[string]string{
		system:                   "signature has length 32, not 64 to 88: invalid argument",
		strings.Repeat("1", 65):  "signature has 65 bytes, not 64: invalid argument",
		strings.Repeat("z", 88):  "signature has 65 bytes, not 64: invalid argument",
		strings.Repeat("1", 89):  "signature has length 89, not 64 to 88: invalid argument",
		strings.Repeat("0", 64):  "signature is not base58: invalid argument",
		token + token[:20] + "I": "signature is not base58: invalid argument",
	} {
		_, err := types.Signature(text).Bytes()
		require.EqualError(t, err, want)
		require.ErrorIs(t, err, types.ErrInvalid)
	}
}

// Decoding base58 takes quadratic time: ten megabytes would take minutes.
func TestHugeTextIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("z", 10<<20)
	start := time.Now()
	_, err := types.ParseAddress(huge)
	require.EqualError(t, err, "address has length 10485760, not 32 to 44: invalid argument")
	_, err = types.Hash(huge).Bytes()
	require.ErrorIs(t, err, types.ErrInvalid)
	_, err = types.Signature(huge).Bytes()
	require.ErrorIs(t, err, types.ErrInvalid)
	require.Less(t, time.Since(start), 10*time.Second)
}

func TestAddressFromBytesNeeds32Bytes(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 31, 33, 64} {
		address, err := types.AddressFromBytes(make([]byte, size))
		require.EqualError(t, err, fmt.Sprintf("public key has %d bytes, not 32: invalid argument", size))
		require.Empty(t, address)
	}
}

func TestIsNativeSOL(t *testing.T) {
	t.Parallel()
	require.True(t, types.Address("SOL").IsNativeSOL())
	require.True(t, types.NativeSOLMint.IsNativeSOL())
	for _, other := range []types.Address{
		types.WrappedSOL, // may be wrapped SOL
		"sol", "", "11111111111111111111111111111111", types.TokenProgram,
	} {
		require.False(t, other.IsNativeSOL(), other)
	}
}

func TestDataSliceEncodesZeros(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(&types.DataSlice{})
	require.NoError(t, err)
	require.Equal(t, `{"offset":0,"length":0}`, string(b))

	b, err = json.Marshal(types.DataSlice{Offset: 18446744073709551615, Length: 8})
	require.NoError(t, err)
	require.Equal(t, `{"offset":18446744073709551615,"length":8}`, string(b))
}

// A text is an address exactly if its number in base 58, with a zero byte for each
// leading 1, has 32 bytes. The bytes encode to the same text.
func FuzzAddress(f *testing.F) {
	for _, text := range []string{
		"", "1", "SOL", "11111111111111111111111111111111", "111111111111111111111111111111111",
		string(types.WrappedSOL), string(types.NativeSOLMint), string(types.TokenProgram),
		"JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG", "JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH",
		strings.Repeat("z", 44), strings.Repeat("0", 44), strings.Repeat("\xff", 44), strings.Repeat("1", 64),
		"67rpwLCuS5DGA8KGZXKsVQ7dnPb9goRLoKfgGbLfQg9WoLUgNY77E2jT11fem3coV9nAkguBACzrU1iyZM4B8roQ",
		strings.Repeat("z", 1<<16),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want, ok := decoded(text)

		address, err := types.ParseAddress(text)
		if !ok || len(want) != 32 {
			require.ErrorIs(t, err, types.ErrInvalid)
			require.Empty(t, address)
		} else {
			require.NoError(t, err)
			require.Equal(t, text, string(address))
			got, err := address.Bytes()
			require.NoError(t, err)
			require.Equal(t, want, got)
			again, err := types.AddressFromBytes(got)
			require.NoError(t, err)
			require.Equal(t, address, again)
		}

		got, err := types.Signature(text).Bytes()
		if !ok || len(want) != 64 {
			require.ErrorIs(t, err, types.ErrInvalid)
			require.Nil(t, got)
		} else {
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	})
}

// decoded decodes base58 in a simple way, unless it is longer than any signature.
func decoded(text string) (b []byte, ok bool) {
	if len(text) > 100 {
		return nil, false
	}
	n := new(big.Int)
	for _, c := range []byte(text) {
		digit := strings.IndexByte(alphabet, c)
		if digit < 0 {
			return nil, false
		}
		n.Add(n.Mul(n, big.NewInt(58)), big.NewInt(int64(digit)))
	}
	zeros := len(text) - len(strings.TrimLeft(text, "1"))
	return append(make([]byte, zeros), n.Bytes()...), true
}
