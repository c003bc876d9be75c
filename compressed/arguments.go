package compressed

import (
	"fmt"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// checkHash refuses text that is not 32 bytes in base58.
func checkHash(name string, h types.Hash) error {
	if h == "" {
		return argument.Invalid(name, "is empty")
	}
	if _, err := h.Bytes(); err != nil {
		return fmt.Errorf("%s %s: %w", name, argument.Quote(string(h)), err)
	}
	return nil
}

// checkSignature refuses text that is not 64 bytes in base58.
func checkSignature(name string, s types.Signature) error {
	if s == "" {
		return argument.Invalid(name, "is empty")
	}
	if _, err := s.Bytes(); err != nil {
		return fmt.Errorf("%s %s: %w", name, argument.Quote(string(s)), err)
	}
	return nil
}

// checkOptional is argument.Address for an option that may be empty.
func checkOptional(name string, a types.Address) error {
	if a == "" {
		return nil
	}
	return argument.Address(name, a)
}
