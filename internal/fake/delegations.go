package fake

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/types"
)

// A delegation is a token account, from which a delegate may spend unless it is empty.
type delegation struct {
	address    string
	mint       string
	owner      string
	delegate   string
	decimals   int
	amount     uint64
	delegated  uint64
	frozen     bool
	reserve    uint64 // the rent-exempt reserve of wrapped SOL; 0 for other tokens
	closer     string // the close authority
	extensions []extension
	is2022     bool
	mintGone   bool   // the mint was closed, so the account cannot be parsed
	uiText     string // the amounts as the mint tells a node to show them
	rentEpoch  string // JSON; empty for the usual one, "-" for none
	noSpace    bool   // as from an old node
	odd        bool   // for hostile worlds only
}

// An extension of a Token-2022 account, stored and parsed.
type extension struct {
	name  string
	kind  uint16
	data  []byte
	state string // JSON, or empty
}

func (d delegation) program() string {
	if d.is2022 {
		return string(types.Token2022Program)
	}
	return string(types.TokenProgram)
}

// token returns what the account says about its mint.
func (d delegation) token() token {
	t := token{mint: d.mint, decimals: d.decimals, program: spl}
	if d.is2022 {
		t.program = token2022
	}
	return t
}

// delegations are the token accounts from which Delegate may spend, sorted by
// address, as a node lists them. Odd ones are those that strict clients may refuse.
func delegations(odd bool) []delegation {
	tokens := wellKnown()
	pyusd, ai16z := tokens[3], tokens[34]
	immutable := extension{name: "immutableOwner", kind: 7}
	all := []delegation{
		{mint: usdcMint, decimals: 6, owner: Wallet, amount: 25310123456, delegated: 1000000000},
		{mint: usdcMint, decimals: 6, amount: 5, delegated: 1<<64 - 1}, // more than the account holds
		{mint: usdcMint, decimals: 6, amount: 0, delegated: 2500000, frozen: true},
		{mint: tokens[7].mint, decimals: 6, owner: Wallet, amount: 18250771204, delegated: 18250771204, closer: Collector},
		{odd: true, mint: tokens[9].mint, decimals: 5, amount: 1<<64 - 1, delegated: 1, rentEpoch: "18446744073709552000"},
		{odd: true, mint: tokens[10].mint, decimals: 6, amount: 700000, delegated: 700000, rentEpoch: "1.8446744073709552e19"},
		{odd: true, mint: tokens[11].mint, decimals: 6, amount: 1, delegated: 1, rentEpoch: "0", noSpace: true},
		{odd: true, mint: tokens[13].mint, decimals: 9, amount: 1, delegated: 1000000000, rentEpoch: "-"},
		{mint: solMint, decimals: 9, owner: Wallet, amount: 2500000000, delegated: 500000000, reserve: 2039280},
		{mint: pyusd.mint, decimals: 6, owner: Wallet, is2022: true, amount: 1800250000, delegated: 250000, extensions: []extension{
			immutable,
			{"transferFeeAmount", 2, []byte{255, 255, 255, 255, 255, 255, 255, 255}, `{"withheldAmount":18446744073709551615}`},
			{"memoTransfer", 8, []byte{1}, `{"requireIncomingTransferMemos":true}`},
			{"cpiGuard", 11, []byte{0}, `{"lockCpi":false}`},
			{"transferHookAccount", 15, []byte{0}, `{"transferring":false}`},
			{"confidentialTransferFeeAmount", 17, make([]byte, 64), `{"withheldAmount":"` + base64.StdEncoding.EncodeToString(make([]byte, 64)) + `"}`},
		}},
		{mint: ai16z.mint, decimals: 9, is2022: true, amount: 320400000000, delegated: 1, extensions: []extension{
			immutable, {name: "nonTransferableAccount", kind: 13}, {name: "pausableAccount", kind: 27},
		}},
		{odd: true, mint: made(0), decimals: 20, is2022: true, amount: 1<<64 - 1, delegated: 7},               // too many decimals to parse
		{odd: true, mint: made(1), decimals: 6, is2022: true, amount: 42000000, delegated: 42, uiText: "inf"}, // a broken multiplier
		{odd: true, mint: made(2), decimals: 6, is2022: true, amount: 42000000, delegated: 42, uiText: "NaN"}, // likewise
		{odd: true, mint: made(3), decimals: 9, is2022: true, amount: 9007199254740993, delegated: 1, frozen: true, extensions: []extension{
			{"unparseableExtension", 4242, []byte{1, 2, 3}, ""},
		}},
		{odd: true, mint: made(4), decimals: 2, is2022: true, amount: 12345, delegated: 45, mintGone: true},
	}
	for i := range 24 { // ordinary ones
		t := tokens[1+i%12]
		s := seed(9).item(i)
		d := delegation{mint: t.mint, decimals: t.decimals, amount: s.next() >> 20, is2022: t.program == token2022}
		d.delegated = d.amount / uint64(1+s.below(50))
		all = append(all, d)
	}
	for i := range all {
		s := seed(8).item(i)
		all[i].address = s.address()
		if all[i].owner == "" {
			all[i].owner = s.address()
		}
		all[i].delegate = Delegate
	}
	all = slices.DeleteFunc(all, func(d delegation) bool { return d.odd && !odd })
	slices.SortFunc(all, func(a, b delegation) int { return cmp.Compare(a.address, b.address) })
	return all
}

// made is the i-th mint that only delegations use.
func made(i int) string {
	s := seed(10).item(i)
	return s.address()
}

// data returns the account as the token program stores it.
func (d delegation) data() []byte {
	key := func(b []byte, address string) []byte {
		raw, _ := base58.Decode(address)
		return append(b, raw...)
	}
	order := binary.LittleEndian
	b := key(key(nil, d.mint), d.owner)
	b = order.AppendUint64(b, d.amount)
	if d.delegate != "" {
		b = key(order.AppendUint32(b, 1), d.delegate)
	} else {
		b = append(b, make([]byte, 36)...)
	}
	if d.frozen {
		b = append(b, 2)
	} else {
		b = append(b, 1)
	}
	if d.reserve > 0 {
		b = order.AppendUint64(order.AppendUint32(b, 1), d.reserve)
	} else {
		b = append(b, make([]byte, 12)...)
	}
	b = order.AppendUint64(b, d.delegated)
	if d.closer != "" {
		b = key(order.AppendUint32(b, 1), d.closer)
	} else {
		b = append(b, make([]byte, 36)...)
	}
	if len(d.extensions) > 0 {
		b = append(b, 2) // an account, not a mint
		for _, e := range d.extensions {
			b = order.AppendUint16(b, e.kind)
			b = order.AppendUint16(b, uint16(len(e.data)))
			b = append(b, e.data...)
		}
	}
	return b
}

type amount struct {
	Amount   uint64          `json:"amount,string"`
	Decimals int             `json:"decimals"`
	UI       json.RawMessage `json:"uiAmount"`
	UIText   string          `json:"uiAmountString"`
}

func (d delegation) show(raw uint64) amount {
	if d.uiText != "" {
		return amount{raw, d.decimals, null(), d.uiText}
	}
	return amountOf(raw, d.decimals)
}

func amountOf(raw uint64, decimals int) amount {
	return amount{raw, decimals, uiAmount(raw, decimals), shown(raw, decimals)}
}

// parsed returns the data as jsonParsed.
func (d delegation) parsed() []byte {
	type named struct {
		Name  string          `json:"extension"`
		State json.RawMessage `json:"state,omitempty"`
	}
	type info struct {
		Mint      string  `json:"mint"`
		Owner     string  `json:"owner"`
		Amount    amount  `json:"tokenAmount"`
		Delegate  string  `json:"delegate,omitempty"`
		Delegated *amount `json:"delegatedAmount,omitempty"`
		State     string  `json:"state"`
		Native    bool    `json:"isNative"`
		Reserve   *amount `json:"rentExemptReserve,omitempty"`
		Closer    string  `json:"closeAuthority,omitempty"`
		More      []named `json:"extensions,omitempty"`
	}
	shown := info{
		Mint: d.mint, Owner: d.owner, Amount: d.show(d.amount), Delegate: d.delegate,
		State: "initialized", Native: d.reserve > 0, Closer: d.closer,
	}
	if d.frozen {
		shown.State = "frozen"
	}
	if d.delegate != "" {
		delegated := d.show(d.delegated)
		shown.Delegated = &delegated
	}
	if d.reserve > 0 {
		reserve := d.show(d.reserve)
		shown.Reserve = &reserve
	}
	for _, e := range d.extensions {
		shown.More = append(shown.More, named{e.name, json.RawMessage(e.state)})
	}
	return parsedData("account", d.is2022, shown, len(d.data()))
}

// parsedData returns data of a token program as jsonParsed.
func parsedData(kind string, is2022 bool, info any, space int) []byte {
	program := "spl-token"
	if is2022 {
		program = "spl-token-2022"
	}
	type inner struct {
		Info any    `json:"info"`
		Type string `json:"type"`
	}
	return encode(struct {
		Parsed  inner  `json:"parsed"`
		Program string `json:"program"`
		Space   int    `json:"space"`
	}{inner{info, kind}, program, space})
}

// A nodeAccount is an account as a node sends it.
type nodeAccount struct {
	Data       json.RawMessage `json:"data"`
	Executable bool            `json:"executable"`
	Lamports   uint64          `json:"lamports"`
	Owner      string          `json:"owner"`
	RentEpoch  json.RawMessage `json:"rentEpoch,omitempty"`
	Space      int             `json:"space,omitempty"`
}

// neverPaid is the rent epoch of accounts that are rent-exempt.
const neverPaid = "18446744073709551615"

// account returns the account with this data.
func (d delegation) account(data json.RawMessage) *nodeAccount {
	h := &nodeAccount{Data: data, Lamports: 2039280, Owner: d.program(), RentEpoch: json.RawMessage(neverPaid), Space: len(d.data())}
	if d.reserve > 0 {
		h.Lamports = d.reserve + d.amount
	}
	switch d.rentEpoch {
	case "":
	case "-":
		h.RentEpoch = nil
	default:
		h.RentEpoch = json.RawMessage(d.rentEpoch)
	}
	if d.noSpace {
		h.Space = 0
	}
	return h
}
