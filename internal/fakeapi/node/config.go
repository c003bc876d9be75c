// Package node answers the methods of a node from the world, and the methods that the service
// adds to them.
package node

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// version is the version of the node that answers.
const version = "4.4.0"

// arguments decodes the parameters of a node's method: the required ones and at most one other, a
// configuration.
func arguments(c *wire.Call, required ...any) (others []json.RawMessage) {
	args, n := c.List(), len(required)
	if len(args) < n {
		c.Invalid("`params` should have at least %d argument(s)", n)
		return nil
	}
	if len(args) > n+1 {
		c.Invalid("Expected from %d to %d parameters. Got: %d", n, n+1, len(args))
	}
	for i, into := range required {
		if kind := wire.Kind(args[i]); kind == "null" || json.Unmarshal(args[i], into) != nil {
			c.Invalid("Invalid params: invalid type: %s.", kind)
		}
	}
	return args[n:]
}

// keyed decodes parameters. The first one is a public key.
func keyed(c *wire.Call, required ...any) (key string, others []json.RawMessage) {
	others = arguments(c, slices.Concat([]any{&key}, required)...)
	checkSize(c, key, 32)
	return key, others
}

// configured decodes a public key and a configuration.
func configured(c *wire.Call) (key string, o config) {
	key, args := keyed(c)
	return key, configOf(c, args)
}

// checkSize refuses a text that is not base58 of the size in bytes: 32 for public keys, 64 for
// signatures.
func checkSize(c *wire.Call, s string, size int) {
	if b, err := world.Unbase58(s); err != nil || len(b) != size {
		c.Invalid("Invalid param: WrongSize")
	}
}

// inContext returns a result with its context: the version of the node and the slot.
func inContext(slot uint64, value any) []byte {
	return world.JSON(`{"context":{"apiVersion":?,"slot":?},"value":?}`, version, slot, value)
}

// A config is the last parameter of a node's method. It has the members of all methods, and each
// method reads some. A node ignores unknown members and commitments, and the data slice of parsed
// accounts.
type config struct {
	*wire.Call `json:"-"`

	Commitment string `json:"commitment"`
	// empty or binary for the old form of base58
	Encoding string      `json:"encoding"                          oneof:"binary base58 base64 jsonParsed base64+zstd"`
	Part     *wire.Slice `json:"dataSlice"`
	Since    uint64      `json:"changedSinceSlot"` // 0 means any
	MinSlot  uint64      `json:"minContextSlot"`
	Context  bool        `json:"withContext"`
	Sort     bool        `json:"sortResults"`
	Limit    *uint64     `json:"limit"`
	After    string      `json:"paginationKey"`
	Before   string      `json:"before"`
	Until    string      `json:"until"`
	Wallets  string      `json:"filter"                            oneof:"circulating nonCirculating"`
	Epoch    uint64      `json:"epoch"` // 0 means the last one
	Totals   bool        `json:"excludeNonCirculatingAccountsList"`

	Filters []json.RawMessage `json:"filters"`

	slot     uint64 // the newest at the commitment
	notifies bool   // sends a text in place of data that is too large
}

// configOf reads the configuration in args, which may be empty.
func configOf(c *wire.Call, args []json.RawMessage) config {
	o := config{Call: c}
	c.Options(args, &o)
	o.slot = c.World.SlotOf(o.Commitment)
	c.Reached(o.MinSlot, o.slot)
	return o
}

// limit returns the size of a page.
func (o config) limit(refusal string) uint64 {
	most := uint64(o.Facts.Items)
	if o.Limit == nil {
		return most
	}
	if *o.Limit < 1 || *o.Limit > most {
		o.Invalid(refusal, most)
	}
	return *o.Limit
}

// encoded returns the requested part of data in the requested encoding, which is not
// jsonParsed.
func (o config) encoded(data []byte) json.RawMessage {
	data = o.Part.Of(data)
	if len(data) > 128 && !strings.HasPrefix(o.Encoding, "base64") {
		if o.notifies {
			return world.Encode("error: data too large for bs58 encoding")
		}
		o.Fail(-32600, "Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.")
		return nil
	}
	if text := binaryOf(o.Encoding, data); text != nil {
		return text
	}
	return world.Encode(base58.Encode(data))
}

// binaryOf returns data in a binary encoding, with its name, nil for another encoding.
func binaryOf(encoding string, data []byte) json.RawMessage {
	var encoded any = data
	switch encoding {
	case "base64":
	case "base64+zstd":
		encoded = wire.Zstd(data)
	case "base58":
		encoded = base58.Encode(data)
	default:
		return nil
	}
	return world.JSON(`[?,?]`, encoded, encoding)
}

const amountMembers = `"amount":?,"decimals":?,"uiAmount":?,"uiAmountString":?}`

// amountOf returns an amount of a token, after further members.
func amountOf(raw uint64, decimals int, more string, values ...any) json.RawMessage {
	return world.JSON("{"+more+amountMembers, append(values, world.Text(raw, 0), decimals, uiAmount(raw, decimals), world.Text(raw, decimals))...)
}

// uiAmount writes an amount as a node does, which computes it as a float, or null if there
// are too many decimals for that.
func uiAmount(raw uint64, decimals int) json.RawMessage {
	if decimals > 19 {
		return nil
	}
	f, _ := world.Units(raw, decimals).Float64()
	return world.Encode(f)
}

// checkCount refuses more inputs than a node accepts in one call.
func checkCount(c *wire.Call, inputs int) {
	if inputs > c.Facts.Inputs {
		c.Invalid("Too many inputs provided; max %d", c.Facts.Inputs)
	}
}
