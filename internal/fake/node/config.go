// Package node answers the methods of a node, and those that the service adds to them, from
// the world.
package node

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/fake/wire"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// version is the version of the node that answers.
const version = "4.2.2"

// keyed reads the parameters of a node's method: a public key, others, and a configuration,
// which is optional. Least is the number of required ones.
func keyed(c *wire.Call, least int) (key string, others []json.RawMessage, refused *wire.Refusal) {
	args, refused := c.List()
	switch {
	case refused != nil:
		return "", nil, refused
	case len(args) < least:
		return "", nil, wire.InvalidParams("`params` should have at least %d argument(s)", least)
	case len(args) > least+1:
		return "", nil, wire.InvalidParams("Expected from %d to %d parameters. Got: %d", least, least+1, len(args))
	case json.Unmarshal(args[0], &key) != nil || args[0][0] != '"':
		return "", nil, wire.InvalidParams("Invalid params: invalid type: %s, expected a string.", wire.Kind(args[0]))
	}
	return key, args[1:], checkKey(key)
}

// checkKey refuses texts that are not public keys.
func checkKey(s string) *wire.Refusal { return checkSize(s, 32) }

// checkSize refuses texts that are not base58 of some bytes.
func checkSize(s string, size int) *wire.Refusal {
	if b, err := world.Unbase58(s); err != nil {
		return wire.InvalidParams("Invalid param: Invalid")
	} else if len(b) != size {
		return wire.InvalidParams("Invalid param: WrongSize")
	}
	return nil
}

// inContext is the result of a method that tells its slot.
func inContext(slot uint64, value any) []byte {
	return world.JSON(`{"context":{"apiVersion":?,"slot":?},"value":?}`, version, slot, value)
}

// A config is the last parameter of a node's method. A node ignores unknown members and
// commitments, and the data slice of what it parses itself; here they are refused.
type config struct {
	*wire.Params
	commitment string
	encoding   string // empty for the old form of base58
	part       *wire.Slice
	since      uint64 // the slot since which accounts have changed; 0 means any
	slot       uint64 // the newest at the commitment
}

// configOf reads the only one of args, which may be absent. Known are its members besides
// the commitment and the slot.
func configOf(c *wire.Call, args []json.RawMessage, known ...string) (config, *wire.Refusal) {
	o := config{Params: c.Members(args, append([]string{"commitment", "minContextSlot"}, known...)...)}
	if word, given := o.Text("commitment"); given {
		o.commitment = word
		if !c.Lenient && !slices.Contains([]string{"processed", "confirmed", "finalized"}, word) {
			o.Refuse(wire.InvalidParams("unknown commitment `%s`", word))
		}
	}
	o.slot = c.World.SlotOf(o.commitment)
	o.part = o.Slice()
	if word, given := o.Text("encoding"); given {
		switch word {
		case "base58", "base64", "base64+zstd", "jsonParsed":
			o.encoding = word
		case "binary": // the name of the old form
		default:
			o.Refuse(wire.InvalidParams("Invalid params: unknown variant `%s`, expected one of `binary`, `base58`, `base64`, `jsonParsed`, `base64+zstd`.", word))
		}
	}
	if o.part != nil && o.encoding == "jsonParsed" && !c.Lenient {
		o.Refuse(wire.InvalidParams("a data slice of jsonParsed"))
	}
	if o.Has("changedSinceSlot") {
		o.since = o.Integer("changedSinceSlot")
	}
	if o.Has("minContextSlot") {
		o.Refuse(notReached(o.Integer("minContextSlot"), o.slot))
	}
	return o, o.Refused
}

// signature returns a member that is a signature, empty if it is absent.
func (o config) signature(name string) string {
	text, given := o.Text(name)
	if given {
		o.Refuse(checkSignature(text))
	}
	return text
}

// commitmentOf reads a configuration that only has a commitment, without which a node
// refuses it.
func commitmentOf(c *wire.Call, args []json.RawMessage) (config, *wire.Refusal) {
	o, refused := configOf(c, args)
	if refused == nil && o.Members != nil && !o.Has("commitment") {
		refused = wire.InvalidParams("Invalid params: missing field `commitment`.")
	}
	return o, refused
}

// only reads the parameters of a method that has none but a configuration.
func only(c *wire.Call, known ...string) (config, *wire.Refusal) {
	args, refused := c.List()
	if len(args) > 1 {
		refused = wire.InvalidParams("Expected from 0 to 1 parameters. Got: %d", len(args))
	}
	if refused != nil {
		return config{}, refused
	}
	return configOf(c, args, known...)
}

// notReached refuses a minContextSlot that the node has not reached.
func notReached(least, slot uint64) *wire.Refusal {
	if least <= slot {
		return nil
	}
	return &wire.Refusal{Code: -32016, Message: "Minimum context slot has not been reached", Details: `{"contextSlot":` + strconv.FormatUint(slot, 10) + `}`}
}

// encoded returns the requested part of data in the requested encoding, which is not
// jsonParsed.
func (o config) encoded(data []byte) ([]byte, *wire.Refusal) {
	data = o.part.Of(data)
	switch {
	case o.encoding == "base64":
		return world.Encode([]string{base64.StdEncoding.EncodeToString(data), "base64"}), nil
	case o.encoding == "base64+zstd":
		return world.Encode([]string{base64.StdEncoding.EncodeToString(wire.Zstd(data)), "base64+zstd"}), nil
	case len(data) > 128:
		return nil, &wire.Refusal{Code: -32600, Message: "Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding."}
	case o.encoding == "base58":
		return world.Encode([]string{base58.Encode(data), "base58"}), nil
	}
	return world.Encode(base58.Encode(data)), nil
}

type amount struct {
	Amount   uint64          `json:"amount,string"`
	Decimals int             `json:"decimals"`
	UI       json.RawMessage `json:"uiAmount"`
	UIText   string          `json:"uiAmountString"`
}

func amountOf(raw uint64, decimals int) amount {
	return amount{raw, decimals, uiAmount(raw, decimals), world.Text(raw, decimals)}
}

// uiAmount writes an amount as a node does, which computes it as a float, or null if there
// are too many decimals for that.
func uiAmount(raw uint64, decimals int) json.RawMessage {
	if decimals > 19 {
		return wire.Null()
	}
	f, _ := world.Units(raw, decimals).Float64()
	text := strconv.FormatFloat(f, 'f', -1, 64)
	switch {
	case f != 0 && f < 1e-5 || f >= 1e16:
		text = strings.Replace(strconv.FormatFloat(f, 'e', -1, 64), "e-0", "e-", 1)
		text = strings.Replace(text, "e+", "e", 1)
	case !strings.Contains(text, "."):
		text += ".0"
	}
	return json.RawMessage(text)
}

// tooMany refuses more inputs than a node accepts in one call.
func tooMany(inputs, most int) *wire.Refusal {
	if inputs <= most {
		return nil
	}
	return wire.InvalidParams("Too many inputs provided; max %d", most)
}
