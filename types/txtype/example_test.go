package txtype_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/types/enhanced"
	"github.com/solwire/solwire-go/types/txtype"
)

// A type without a constant passes through.
func ExampleType() {
	var t enhanced.Transaction
	if err := json.Unmarshal([]byte(`{"type": "TELEPORT"}`), &t); err != nil {
		log.Fatal(err)
	}
	switch t.Type {
	case txtype.Swap, txtype.Transfer:
		fmt.Println("a swap or a transfer")
	default:
		fmt.Println("another type:", t.Type)
	}
	// Output: another type: TELEPORT
}
