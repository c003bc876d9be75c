package compressed

import (
	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// checkOptional is argument.Address for an option that may be empty.
func checkOptional(name string, a types.Address) error {
	if a == "" {
		return nil
	}
	return argument.Address(name, a)
}
