// Package types has what the packages of this client for Helius and Solana share: the
// [Config] that clients are created from, their errors, and the types of addresses,
// amounts, times and pages.
//
// # Errors
//
// An error response of the service is an [APIError]. errors.Is recognizes the common
// cases: [ErrNotFound], [ErrUnauthorized], [ErrRateLimited] and others. An invalid
// argument or Config matches [ErrInvalid], and nothing is sent then.
//
// # Keys of other libraries
//
// Public keys of other Go libraries are mostly named arrays of 32 bytes, such as
// PublicKey in package github.com/gagliardetto/solana-go and in package
// github.com/blocto/solana-go-sdk/common:
//
//	address := types.AddressOf(publicKey)
//
//	key, err := address.Key()
//	if err != nil {
//		return err
//	}
//	publicKey = PublicKey(key)
//
// Package crypto/ed25519 has slices: use [AddressFromBytes] and [Address.Bytes].
package types
