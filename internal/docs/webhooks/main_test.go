package main

import (
	"testing"

	"github.com/solwire/solwire-go/internal/docs/hosts"
)

func TestMain(m *testing.M) { hosts.Main(m) }

func Example() {
	main()
	// Output:
	// https://example.com/swaps [SWAP] [86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY]
}
