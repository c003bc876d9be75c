//go:build !race

// The race detector makes sync.Pool drop items at random.

package rpc

import (
	"testing"

	"github.com/solwire/solwire-go/internal/bench"
)

func TestAllocationsPerItem(t *testing.T) { bench.CheckAllocs(t, listings()) }
