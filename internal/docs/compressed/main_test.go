package main

import (
	"testing"

	"github.com/solwire/solwire-go/internal/docs/hosts"
)

func TestMain(m *testing.M) { hosts.Main(m) }

func Example() {
	main()
	// Output:
	// 3500 accounts with 1397099207682975 lamports
}
