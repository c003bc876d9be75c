package fake

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/types"
)

func (s *Service) tokenAccountsByDelegate(raw json.RawMessage) ([]byte, *rpcError) {
	var args []json.RawMessage
	if json.Unmarshal(raw, &args) != nil {
		return nil, badParam("Invalid params: invalid type: " + kind(raw) + ", expected an array")
	}
	if len(args) < 2 {
		return nil, badParam("`params` should have at least 2 argument(s)")
	}
	if len(args) > 3 {
		return nil, badParam("Expected from 2 to 3 parameters. Got: " + strconv.Itoa(len(args)))
	}
	var delegate string
	if json.Unmarshal(args[0], &delegate) != nil || args[0][0] != '"' {
		return nil, badParam("Invalid params: invalid type: " + kind(args[0]) + ", expected a string.")
	}
	if e := checkKey(delegate); e != nil {
		return nil, e
	}
	mint, program, e := tokenFilter(args[1])
	if e != nil {
		return nil, e
	}
	var config nodeConfig
	if len(args) == 3 {
		if config, e = readConfig(args[2]); e != nil {
			return nil, e
		}
	}

	found := []json.RawMessage{}
	for _, d := range delegations() {
		if delegate != Delegate || mint != "" && d.mint != mint || program != "" && d.program() != program {
			continue
		}
		if config.encoding == "jsonParsed" && d.mintGone {
			continue // a node leaves out what it cannot parse
		}
		data, e := d.encoded(config)
		if e != nil {
			return nil, e
		}
		found = append(found, d.text(data))
	}
	type context struct {
		Version string `json:"apiVersion"`
		Slot    uint64 `json:"slot"`
	}
	return encode(struct {
		Context context           `json:"context"`
		Value   []json.RawMessage `json:"value"`
	}{context{"2.2.16", config.slot()}, found}), nil
}

func badParam(message string) *rpcError { return &rpcError{code: -32602, message: message} }

// checkKey tells why a text is no public key, in a node's words.
func checkKey(s string) *rpcError {
	if b, err := unbase58(s); err != nil {
		return badParam("Invalid param: Invalid")
	} else if len(b) != 32 {
		return badParam("Invalid param: WrongSize")
	}
	return nil
}

// tokenFilter reads the filter: an object with one member, mint or programId.
func tokenFilter(raw json.RawMessage) (mint, program string, e *rpcError) {
	members, isObject := object(raw)
	if !isObject || len(members) != 1 {
		return "", "", badParam("Invalid params: invalid value: map, expected map with a single key.")
	}
	p := params{members: members}
	var given bool
	if mint, given = p.text("mint"); given && p.err == nil {
		if e := checkKey(mint); e != nil {
			return "", "", e
		}
		switch mint {
		case Wallet, Collector, Owner, Delegate:
			return "", "", badParam("Invalid param: not a Token mint")
		}
		if !isMint(mint) {
			return "", "", badParam("Invalid param: could not find mint")
		}
		return mint, "", nil
	}
	if program, given = p.text("programId"); given && p.err == nil {
		if e := checkKey(program); e != nil {
			return "", "", e
		}
		if program != string(types.TokenProgram) && program != string(types.Token2022Program) {
			return "", "", badParam("Invalid param: unrecognized Token program id")
		}
		return "", program, nil
	}
	return "", "", badParam("Invalid params: unknown variant, expected `mint` or `programId`, each with a string.")
}

// A nodeConfig is the last parameter of a node's method. A node ignores members
// and commitments that it does not know, and the slice of what it reads itself.
// A client that sends them is wrong, so they are refused.
type nodeConfig struct {
	commitment string
	encoding   string // empty: base58 in its old form
	part       *slice
}

func readConfig(raw json.RawMessage) (nodeConfig, *rpcError) {
	if string(raw) == "null" {
		return nodeConfig{}, nil
	}
	members, isObject := object(raw)
	if !isObject {
		return nodeConfig{}, badParam("Invalid params: invalid type: " + kind(raw) + ", expected a map.")
	}
	p := params{members: members}
	p.only("commitment", "minContextSlot", "encoding", "dataSlice")
	var c nodeConfig
	if word, given := p.text("commitment"); given {
		c.commitment = word
		if !slices.Contains([]string{"processed", "confirmed", "finalized"}, word) {
			p.invalidf("unknown commitment `%s`", word)
		}
	}
	c.part = p.slice()
	if word, given := p.text("encoding"); given {
		switch word {
		case "base58", "base64", "base64+zstd", "jsonParsed":
			c.encoding = word
		case "binary": // the old form by its name
		default:
			p.invalidf("Invalid params: unknown variant `%s`, expected one of `binary`, `base64`, `base58`, `jsonParsed`, `base64+zstd`.", word)
		}
	}
	if c.part != nil && c.encoding == "jsonParsed" {
		p.invalidf("a data slice of jsonParsed")
	}
	if p.has("minContextSlot") && p.integer("minContextSlot") > c.slot() && p.err == nil {
		p.fail(&rpcError{
			code: -32016, message: "Minimum context slot has not been reached",
			data: `{"contextSlot":` + strconv.FormatUint(c.slot(), 10) + `}`,
		})
	}
	return c, p.err
}

// slot is the newest slot at the commitment.
func (c nodeConfig) slot() uint64 {
	switch c.commitment {
	case "processed":
		return slot + 32
	case "confirmed":
		return slot + 31
	}
	return slot
}

// encoded returns the data of d in the encoding that is asked for.
func (d delegation) encoded(c nodeConfig) ([]byte, *rpcError) {
	if c.encoding == "jsonParsed" {
		return d.parsed(), nil
	}
	data := c.part.of(d.data())
	switch {
	case c.encoding == "base64", c.encoding == "base64+zstd" && d.mintGone: // a node may fall back to base64
		return encode([]string{base64.StdEncoding.EncodeToString(data), "base64"}), nil
	case c.encoding == "base64+zstd":
		return encode([]string{base64.StdEncoding.EncodeToString(zstd(data)), "base64+zstd"}), nil
	case len(data) > 128:
		return nil, &rpcError{code: -32600, message: "Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding."}
	case c.encoding == "base58":
		return encode([]string{base58.Encode(data), "base58"}), nil
	}
	return encode(base58.Encode(data)), nil
}

// zstd returns data as a zstd frame of one block that is not compressed.
func zstd(data []byte) []byte {
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd}
	if n := len(data); n < 256 {
		frame = append(frame, 0x20, byte(n)) // the size in one byte
	} else {
		frame = append(frame, 0x60)
		frame = binary.LittleEndian.AppendUint16(frame, uint16(n-256))
	}
	block := uint32(len(data))<<3 | 1 // the last one, raw
	frame = append(frame, byte(block), byte(block>>8), byte(block>>16))
	return append(frame, data...)
}

// uiAmount writes an amount as a node does, which computes it as a float; null
// when there are too many decimals for that.
func uiAmount(raw uint64, decimals int) json.RawMessage {
	if decimals > 19 {
		return json.RawMessage("null")
	}
	f, _ := units(raw, decimals).Float64()
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
