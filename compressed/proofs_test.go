package compressed_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

func TestHashesRepeatedAcrossRequestsAreSentOnce(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	all := hashes(1000)
	var proofs []string
	for _, h := range all {
		proofs = append(proofs, `{"hash":"`+string(h)+`","root":"r"}`)
	}
	s.Answer(200, `{"context":{"slot":1},"value":[`+strings.Join(proofs, ",")+`]}`)
	got, err := client(t, s).AccountProofs(t.Context(), append(all, all[7]))
	require.NoError(t, err)
	require.Len(t, s.Requests(), 1)
	require.Len(t, got, 1001)
	require.Equal(t, all[7], got[1000].Hash)
}

// The service answers 32 zero bytes in place of the hash of a queued account.
func TestProofOfAQueuedAccountHasItsHash(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"context":{"slot":1},"value":{"hash":"11111111111111111111111111111111","root":"r","proveByIndex":true,"treeContext":{"tree":"`+usdc+`"}}}`)
	proof, err := client(t, s).AccountProof(t.Context(), anAccount)
	require.NoError(t, err)
	require.Equal(t, types.Hash(anAccount), proof.Hash)
	require.Equal(t, types.Address(usdc), proof.Tree)
}

func TestNullInPlaceOfAProofIsAnError(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"context":{"slot":1},"value":[null]}`)
	_, err := client(t, s).AccountProofs(t.Context(), []types.Hash{anAccount})
	require.EqualError(t, err, "getMultipleCompressedAccountProofsV2: item 2zegR9LX5hwy52E9VdvzYiAUtvaoFLHAYB4ecEa8QJuy cannot be read: item 0 of the response is null")
}

func TestNewAddressInAnotherTreeNeedsVersion2(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	v1 := client(t, s).WithVersion(compressed.WireVersion1)
	_, err := v1.NewAddressProofs(t.Context(), []compressed.NewAddress{{Address: usdc}, {Address: usdc, Tree: fakeapi.Owner}})
	require.ErrorIs(t, err, types.ErrInvalid)
	require.EqualError(t, err, `compressed.Client.NewAddressProofs: Tree "`+fakeapi.Owner+`" requires WireVersion2; WireVersion1 has AddressTreeV1 only: invalid argument`)
	require.Empty(t, s.Requests())
	s.Answer(200, `{"context":{"slot":1},"value":[{"address":"`+usdc+`"}]}`)
	_, err = client(t, s).NewAddressProofs(t.Context(), []compressed.NewAddress{{Address: usdc}})
	require.NoError(t, err)
	require.Contains(t, s.Requests()[0].Body, `"params":[{"address":"`+usdc+`","tree":"`+string(compressed.AddressTreeV1)+`"}]`)
}

func TestNewAddressInAnotherTreeFailsWhereVersion2IsUnknown(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, unknownMethod)
	_, err := client(t, s).NewAddressProofs(t.Context(), []compressed.NewAddress{{Address: usdc, Tree: fakeapi.Owner}})
	require.ErrorContains(t, err, `" requires WireVersion2; WireVersion1 has AddressTreeV1 only`)
	require.Equal(t, []string{"getMultipleNewAddressProofsV2"}, methods(s))
}

// Indexers send arrays of numbers, and the service documents base64.
func TestProofBytesHaveTwoForms(t *testing.T) {
	t.Parallel()
	for form, says := range map[string]string{
		`[0,1,255]`: "",
		`"AAH/"`:    "",
		`[256]`:     "number 256",
		`{}`:        "the response has object where base64 is expected",
	} {
		s := fakeapi.New()
		s.Answer(200, `{"context":{"slot":1},"value":{"compressedProof":{"a":`+form+`,"b":[],"c":null},"accounts":[{}],"addresses":[]}}`)
		proof, err := client(t, s).ValidityProof(t.Context(), []types.Hash{anAccount}, nil)
		if says != "" {
			require.ErrorContains(t, err, says, form)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, &compressed.ZKProof{A: []byte{0, 1, 255}, B: []byte{}}, proof.Proof)
	}
}

func TestValidityProofOfVersion1IsSplitIntoAccountsAndAddresses(t *testing.T) {
	t.Parallel()
	c := client(t, captured(t, fakeapi.New(), "getValidityProof"))
	proof, err := c.WithVersion(compressed.WireVersion1).ValidityProof(t.Context(), []types.Hash{anAccount}, []compressed.NewAddress{{Address: usdc}})
	require.NoError(t, err)
	require.Equal(t, []compressed.ProvenAccount{{
		Hash: "whceFTCicZnpaVAErC9aZH4qzKUFHzSTe7JDqZi5YZJ", Root: "2qbdgzAKbtLU5qovmDhPPYckXf3bLrBqqbbzLrVrWBTw",
		RootIndex: 200, LeafIndex: 17677, Tree: "5uJ5kxJgg8K35b9Hsbtu2YUaQcPBKddyyqUX6RasEhyR",
	}}, proof.Accounts)
	require.Equal(t, []compressed.ProvenAddress{{
		Address: "erApnM97UPBvqfxW5TSTJ7bQmhdoRTV14oaoc7hHnnS", Root: "2DTG1EeYyHnDQR4dXYnBRmmgmZCf4rhE7rJMB8Bhouzo",
		Tree: compressed.AddressTreeV1,
	}}, proof.Addresses)
}

func TestValidityProofWithoutAllInputsIsAnError(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	c := client(t, s)
	for v, name := range map[compressed.WireVersion]string{compressed.WireVersion1: "getValidityProof", compressed.WireVersion2: "getValidityProofV2"} {
		captured(t, s, name)
		_, err := c.WithVersion(v).ValidityProof(t.Context(), hashes(3), nil)
		require.ErrorContains(t, err, "for 3")
	}
	s.Answer(200, `{"context":{"slot":1},"value":{"compressedProof":null,"accounts":[{"rootIndex":{"proveByIndex":false}}],"addresses":[]}}`)
	_, err := c.ValidityProof(t.Context(), hashes(1), nil)
	require.EqualError(t, err, "getValidityProofV2 of 1113diW7pnisfdBvHTXP7wvW5k5Ky1e5DVuF7aXQpX: the response has no compressedProof")
}

// An indexer proved an address that exists, with itself as its neighbor.
func TestProofOfAnExistingAddressIsRefused(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"context":{"slot":1},"value":[{"address":"`+usdc+`","lowerRangeAddress":"`+anAccount+`","higherRangeAddress":"`+usdc+`"}]}`)
	proofs, err := client(t, s).NewAddressProofs(t.Context(), []compressed.NewAddress{{Address: usdc}})
	require.ErrorIs(t, err, compressed.ErrRefused)
	require.Equal(t, []*compressed.NewAddressProof{nil}, proofs)
}

// An indexer that reorders a list must not lead to somebody else's account.
func TestAnswersAboutAnotherAccountAreErrors(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(*compressed.Client) error{
		`{"items":[null,{"hash":"` + anAccount + `","lamports":0}]}`: func(c *compressed.Client) error {
			_, err := c.Accounts(t.Context(), []types.Hash{anAccount, usdc})
			return err
		},
		`{"items":[{"hash":"` + anAccount + `","lamports":0,"address":"` + anAccount + `"}]}`: func(c *compressed.Client) error {
			_, err := c.AccountsByAddress(t.Context(), []types.Address{usdc})
			return err
		},
		`{"hash":"` + anAccount + `","root":"` + usdc + `"}`: func(c *compressed.Client) error {
			_, err := c.AccountProof(t.Context(), usdc)
			return err
		},
		`[{"hash":"` + anAccount + `","root":"` + usdc + `"}]`: func(c *compressed.Client) error {
			_, err := c.AccountProofs(t.Context(), []types.Hash{usdc})
			return err
		},
		`[{"address":"` + anAccount + `"}]`: func(c *compressed.Client) error {
			_, err := c.NewAddressProofs(t.Context(), []compressed.NewAddress{{Address: usdc}})
			return err
		},
	} {
		s := fakeapi.New()
		s.Answer(200, `{"context":{"slot":1},"value":`+name+`}`)
		require.ErrorContains(t, call(client(t, s)), "another a", name)
	}
}
