package conformance_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets the heap grow: the tests decode and drop small documents by the thousand, and
// collecting them was a third of their time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}
