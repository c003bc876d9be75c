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
	return s.tokenAccounts(s.ownedBy(wallet), args, "changedSinceSlot")
}

// tokenAccounts answers with those accounts that a filter, the first of args, selects.
func (s *Service) tokenAccounts(all []delegation, args []json.RawMessage, known ...string) ([]byte, *refusal) {
	found, config, _, refused := s.filtered(all, args, known...)
	if refused != nil {
		return nil, refused
	}
	return inContext(config.slot(), found), nil
}

// tokenAccountsByOwnerV2 answers with one page.
func tokenAccountsByOwnerV2(s *Service, wallet string, args []json.RawMessage) ([]byte, *refusal) {
	found, config, p, refused := s.filtered(s.ownedBy(wallet), args, "limit", "paginationKey", "changedSinceSlot")
	if refused != nil {
		return nil, refused
	}
	const most = 10_000
	limit := uint64(most)
	if p.has("limit") {
		limit = p.integer("limit")
	}
	after := p.key("paginationKey", false)
	if p.refused == nil && (limit < 1 || limit > most) {
		p.refuse(invalidParams("Invalid params: limit must be between 1 and %d", most))
	}
	if p.refused != nil {
		return nil, p.refused
	}
	total := len(found)
	found = slices.DeleteFunc(found, func(x nodeItem) bool { return x.Address <= after })
	found = found[:min(uint64(len(found)), limit)]
	page := struct {
		Context nodeContext `json:"context"`
		Items   []nodeItem  `json:"value"`
		Key     *string     `json:"paginationKey"`
		Total   int         `json:"totalResults"`
	}{nodeContext{nodeVersion, config.slot()}, found, nil, total}
	if len(found) > 0 {
		page.Key = &found[len(found)-1].Address
	}
	return encode(page), nil
}

// A nodeItem is an account in a listing.
type nodeItem struct {
	Address string       `json:"pubkey"`
	Account *nodeAccount `json:"account"`
}

// filtered returns those accounts that a filter, the first of args, selects, and the
// configuration, the second, with members besides those of all listings.
func (s *Service) filtered(all []delegation, args []json.RawMessage, known ...string) ([]nodeItem, nodeConfig, *params, *refusal) {
	mint, program, refused := s.tokenFilter(args[0])
	if refused != nil {
		return nil, nodeConfig{}, nil, refused
	}
	config, p, refused := s.lastConfig(args[1:], append(known, "encoding", "dataSlice")...)
	if refused != nil {
		return nil, config, p, refused
	}
	found := []nodeItem{}
	for _, d := range all {
		if mint != "" && d.mint != mint || program != "" && d.program() != program {
			continue
		}
		if config.encoding == "jsonParsed" && d.mintGone {
			continue // a node omits accounts that it cannot parse
		}
		if config.since > 0 && s.changed(d.owner, d.mint) < config.since {
			continue
		}
		data, refused := d.encoded(config)
		if refused != nil {
			return nil, config, p, refused
		}
		found = append(found, nodeItem{d.address, d.account(data)})
	}
	return found, config, p, nil
}

// tokenAccountBalance answers with the balance of a token account.
func tokenAccountBalance(s *Service, c *call) ([]byte, *refusal) {
	address, args, refused := c.keyed(1)
	if refused != nil {
		return nil, refused
	}
	for _, wallet := range s.wallets() {
		for _, d := range s.ownedBy(wallet) {
			if d.address == address {
				config, refused := s.commitmentOf(args)
				return inContext(config.slot(), d.show(d.amount)), refused
			}
		}
	}
	_, isMint := s.mint(address)
	switch {
	case isMint || s.knows(address):
		return nil, invalidParams("Invalid param: not a Token account")
	case s.world.preset:
		return fromMethod("getTokenAccountBalance")(s, c)
	}
	return nil, invalidParams("Invalid param: could not find account")
}

// commitmentOf reads a configuration that only has a commitment, without which a node
// refuses it.
func (s *Service) commitmentOf(args []json.RawMessage) (nodeConfig, *refusal) {
	config, p, refused := s.lastConfig(args)
	if refused == nil && p.members != nil && !p.has("commitment") {
		refused = invalidParams("Invalid params: missing field `commitment`.")
	}
	return config, refused
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
	since      uint64 // the slot since which accounts have changed; 0 means any
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
	if p.has("changedSinceSlot") {
		c.since = p.integer("changedSinceSlot")
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
