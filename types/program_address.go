package types

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"filippo.io/edwards25519"
)

// The limits of the seeds of a program address, which the runtime enforces.
const (
	maxSeeds = 16 // with the bump
	maxSeed  = 32 // bytes
)

// AssociatedTokenAddress returns the address of the associated token account of a wallet: the
// account to which wallets and programs send the tokens of mint. The owner of the mint is the
// tokenProgram: [TokenProgram] or [Token2022Program]. The account need not exist, and a wallet may
// have other accounts of the mint. If an argument is not an address, the error matches
// [ErrInvalid].
func AssociatedTokenAddress(wallet, mint, tokenProgram Address) (Address, error) {
	if !slices.Contains([]Address{TokenProgram, Token2022Program}, tokenProgram) {
		return "", fmt.Errorf("tokenProgram %q is not a token program; use TokenProgram or Token2022Program: %w", tokenProgram, ErrInvalid)
	}
	seeds := make([][]byte, 3)
	for i, address := range []Address{wallet, tokenProgram, mint} {
		key, err := address.Bytes()
		if err != nil {
			return "", fmt.Errorf("%s: %w", [...]string{"wallet", "tokenProgram", "mint"}[i], err)
		}
		seeds[i] = key
	}
	address, _, err := ProgramAddress(seeds, AssociatedTokenProgram)
	return address, err
}

// ProgramAddress returns the address that a program derives from seeds, and its bump. The bump is
// an additional seed of one byte: the highest one for an address without a private key (off the
// Ed25519 curve). More than 15 seeds, a seed of more than 32 bytes, or an invalid program address
// fail with [ErrInvalid].
func ProgramAddress(seeds [][]byte, program Address) (address Address, bump uint8, err error) {
	if len(seeds) >= maxSeeds {
		return "", 0, fmt.Errorf("%d seeds, at most %d: %w", len(seeds), maxSeeds-1, ErrInvalid)
	}
	for i, seed := range seeds {
		if len(seed) > maxSeed {
			return "", 0, fmt.Errorf("seed %d has %d bytes, at most %d: %w", i, len(seed), maxSeed, ErrInvalid)
		}
	}
	id, err := program.Bytes()
	if err != nil {
		return "", 0, fmt.Errorf("program: %w", err)
	}
	text := slices.Concat(seeds...)
	last := len(text)
	text = append(append(append(text, 0), id...), "ProgramDerivedAddress"...)
	for bump := 255; bump >= 0; bump-- {
		text[last] = uint8(bump)
		if key := sha256.Sum256(text); !onCurve(key[:]) {
			return AddressOf(key), uint8(bump), nil
		}
	}
	return "", 0, fmt.Errorf("no program address for these seeds: %w", ErrInvalid)
}

// onCurve reports whether a key is a point of the Ed25519 curve. Like the runtime, it accepts a
// point that is not in the canonical form.
func onCurve(key []byte) bool {
	_, err := new(edwards25519.Point).SetBytes(key)
	return err == nil
}
