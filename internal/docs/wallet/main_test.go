package main

import (
	"testing"

	"github.com/solwire/solwire-go/internal/docs/hosts"
)

func TestMain(m *testing.M) { hosts.Main(m) }

func Example() {
	main()
	// Output:
	// SOL 1523.754213877
	// USDC 25310.123456
	// JitoSOL 120.000000001
}
