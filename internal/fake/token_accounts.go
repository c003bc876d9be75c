package fake

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/types"
)

func tokenAccountsByDelegate(s *Service, c *call) ([]byte, *refusal) {
	delegate, args, refused := c.keyed(2)
	if refused != nil {
		return nil, refused
	}
	return s.tokenAccounts(s.world.delegates[delegate], args)
}

func tokenAccountsByOwner(s *Service, wallet string, args []json.RawMessage) ([]byte, *refusal) {
	return s.tokenAccounts(s.ownedBy(wallet), args)
}

// tokenAccounts answers with those accounts that a filter, the first of args, selects.
func (s *Service) tokenAccounts(all []delegation, args []json.RawMessage) ([]byte, *refusal) {
	mint, program, refused := s.tokenFilter(args[0])
	if refused != nil {
		return nil, refused
	}
	config, _, refused := s.lastConfig(args[1:], "encoding", "dataSlice")
	if refused != nil {
		return nil, refused
	}
	type item struct {
		Address string       `json:"pubkey"`
		Account *nodeAccount `json:"account"`
	}
	found := []item{}
	for _, d := range all {
		if mint != "" && d.mint != mint || program != "" && d.program() != program {
			continue
		}
		if config.encoding == "jsonParsed" && d.mintGone {
			continue // a node omits accounts that it cannot parse
		}
		data, refused := d.encoded(config)
		if refused != nil {
			return nil, refused
		}
		found = append(found, item{d.address, d.account(data)})
	}
	return inContext(config.slot(), found), nil
}

// checkKey refuses texts that are not public keys, in the words of a node.
func checkKey(s string) *refusal {
	if b, err := unbase58(s); err != nil {
		return invalidParams("Invalid param: Invalid")
	} else if len(b) != 32 {
		return invalidParams("Invalid param: WrongSize")
	}
	return nil
}

// tokenFilter reads the filter: an object with one member, mint or programId.
func (s *Service) tokenFilter(raw json.RawMessage) (mint, program string, refused *refusal) {
	members, isObject := object(raw)
	if !isObject || len(members) != 1 {
		return "", "", invalidParams("Invalid params: invalid value: map, expected map with a single key.")
	}
	p := params{members: members}
	mint, isMint := p.text("mint")
	program, isProgram := p.text("programId")
	if !isMint && !isProgram || p.refused != nil {
		return "", "", invalidParams("Invalid params: unknown variant, expected `mint` or `programId`, each with a string.")
	}
	if refused := checkKey(mint + program); refused != nil {
		return "", "", refused
	}
	_, exists := s.mint(mint)
	switch {
	case isMint && slices.Contains([]string{Wallet, Collector, Owner, Delegate}, mint):
		refused = invalidParams("Invalid param: not a Token mint")
	case isMint && !exists:
		refused = invalidParams("Invalid param: could not find mint")
	case isProgram && program != string(types.TokenProgram) && program != string(types.Token2022Program):
		refused = invalidParams("Invalid param: unrecognized Token program id")
	}
	return mint, program, refused
}

// A nodeConfig is the last parameter of a node's method. A node ignores unknown
// members and commitments, and the data slice of what it parses itself; here
// they are refused.
type nodeConfig struct {
	commitment string
	encoding   string // empty for the old form of base58
	part       *slice
	finalized  uint64 // the newest finalized slot
}

// lastConfig reads the only one of args, which may be absent. Known are its
// members besides the commitment and the slot.
func (s *Service) lastConfig(args []json.RawMessage, known ...string) (nodeConfig, *params, *refusal) {
	if len(args) == 0 || string(args[0]) == "null" {
		return nodeConfig{finalized: s.slot()}, new(params), nil
	}
	members, isObject := object(args[0])
	if !isObject {
		return nodeConfig{}, nil, invalidParams("Invalid params: invalid type: %s, expected a map.", kind(args[0]))
	}
	p := &params{members: members, lenient: s.Lenient}
	if !s.Lenient {
		p.only(append([]string{"commitment", "minContextSlot"}, known...)...)
	}
	c := s.readConfig(p)
	return c, p, p.refused
}

func (s *Service) readConfig(p *params) nodeConfig {
	c := nodeConfig{finalized: s.slot()}
	if word, given := p.text("commitment"); given {
		c.commitment = word
		if !s.Lenient && !slices.Contains([]string{"processed", "confirmed", "finalized"}, word) {
			p.refuse(invalidParams("unknown commitment `%s`", word))
		}
	}
	c.part = p.slice()
	if word, given := p.text("encoding"); given {
		switch word {
		case "base58", "base64", "base64+zstd", "jsonParsed":
			c.encoding = word
		case "binary": // the name of the old form
		default:
			p.refuse(invalidParams("Invalid params: unknown variant `%s`, expected one of `binary`, `base64`, `base58`, `jsonParsed`, `base64+zstd`.", word))
		}
	}
	if c.part != nil && c.encoding == "jsonParsed" && !s.Lenient {
		p.refuse(invalidParams("a data slice of jsonParsed"))
	}
	if p.has("minContextSlot") {
		p.refuse(notReached(p.integer("minContextSlot"), c.slot()))
	}
	return c
}

// notReached refuses a minContextSlot that the node has not reached.
func notReached(least, slot uint64) *refusal {
	if least <= slot {
		return nil
	}
	return &refusal{-32016, "Minimum context slot has not been reached", `{"contextSlot":` + strconv.FormatUint(slot, 10) + `}`}
}

// slot is the newest slot at the commitment.
func (c nodeConfig) slot() uint64 {
	switch c.commitment {
	case "processed":
		return c.finalized + 32
	case "confirmed":
		return c.finalized + 31
	}
	return c.finalized
}

// encoded returns the data of d in the requested encoding.
func (d delegation) encoded(c nodeConfig) ([]byte, *refusal) {
	if c.encoding == "jsonParsed" {
		return d.parsed(), nil
	}
	if c.encoding == "base64+zstd" && d.mintGone { // a node may fall back to base64
		c.encoding = "base64"
	}
	return c.encoded(d.data())
}

// encoded returns the requested part of data in the requested encoding, which is not
// jsonParsed.
func (c nodeConfig) encoded(data []byte) ([]byte, *refusal) {
	data = c.part.of(data)
	switch {
	case c.encoding == "base64":
		return encode([]string{base64.StdEncoding.EncodeToString(data), "base64"}), nil
	case c.encoding == "base64+zstd":
		return encode([]string{base64.StdEncoding.EncodeToString(zstdFrame(data)), "base64+zstd"}), nil
	case len(data) > 128:
		return nil, &refusal{code: -32600, message: "Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding."}
	case c.encoding == "base58":
		return encode([]string{base58.Encode(data), "base58"}), nil
	}
	return encode(base58.Encode(data)), nil
}

// uiAmount writes an amount as a node does, which computes it as a float, or
// null if there are too many decimals for that.
func uiAmount(raw uint64, decimals int) json.RawMessage {
	if decimals > 19 {
		return null()
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
