package fake

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
)

// nodeVersion is the version of the node that answers.
const nodeVersion = "2.2.16"

// ofWallet answers a method of a node, whose first parameter is an address, from the
// world. A wallet that a world with the data of a preset does not know has the golden
// answer of the method, which is of another world.
func ofWallet(method string, least int, op func(s *Service, wallet string, args []json.RawMessage) ([]byte, *refusal)) operation {
	return func(s *Service, c *call) ([]byte, *refusal) {
		wallet, args, refused := c.keyed(least)
		if refused != nil {
			return nil, refused
		}
		if s.world.preset && !s.knows(wallet) {
			return fromMethod(method)(s, c)
		}
		return op(s, wallet, args)
	}
}

// keyed reads the parameters of a node's method: a public key, others, and a
// configuration, which is optional. Least is the number of required ones.
func (c *call) keyed(least int) (key string, others []json.RawMessage, refused *refusal) {
	var args []json.RawMessage
	switch {
	case json.Unmarshal(c.params, &args) != nil:
		return "", nil, invalidParams("Invalid params: invalid type: %s, expected an array", kind(c.params))
	case len(args) < least:
		return "", nil, invalidParams("`params` should have at least %d argument(s)", least)
	case len(args) > least+1:
		return "", nil, invalidParams("Expected from %d to %d parameters. Got: %d", least, least+1, len(args))
	case json.Unmarshal(args[0], &key) != nil || args[0][0] != '"':
		return "", nil, invalidParams("Invalid params: invalid type: %s, expected a string.", kind(args[0]))
	}
	return key, args[1:], checkKey(key)
}

// knows reports whether an address is a wallet of the world.
func (s *Service) knows(wallet string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.world.holders[wallet] != nil || s.recent[wallet] != nil
}

// inContext is the result of a method that tells its slot.
func inContext(slot uint64, value any) []byte {
	return encode(struct {
		Context nodeContext `json:"context"`
		Value   any         `json:"value"`
	}{nodeContext{nodeVersion, slot}, value})
}

type nodeContext struct {
	Version string `json:"apiVersion"`
	Slot    uint64 `json:"slot"`
}

func balanceOf(s *Service, wallet string, args []json.RawMessage) ([]byte, *refusal) {
	config, _, refused := s.lastConfig(args)
	if refused != nil {
		return nil, refused
	}
	return inContext(config.slot(), s.has(wallet, nativeSOL().mint)), nil
}

// signaturesOf lists the transactions that name a wallet, newest first.
func signaturesOf(s *Service, wallet string, args []json.RawMessage) ([]byte, *refusal) {
	_, p, refused := s.lastConfig(args, "limit", "before", "until")
	if refused != nil {
		return nil, refused
	}
	limit := uint64(1000)
	if p.has("limit") {
		limit = p.integer("limit")
	}
	if p.refused == nil && (limit < 1 || limit > 1000) {
		p.refuse(invalidParams("Invalid limit; max 1000"))
	}
	before, _ := p.text("before")
	until, _ := p.text("until")
	if p.refused != nil {
		return nil, p.refused
	}
	type named struct {
		Time      *int64          `json:"blockTime"`
		Status    string          `json:"confirmationStatus"`
		Err       json.RawMessage `json:"err"`
		Memo      *string         `json:"memo"`
		Signature string          `json:"signature"`
		Slot      uint64          `json:"slot"`
	}
	list := s.transactionsOf(wallet)
	if before != "" {
		// A node knows no transaction before one that it does not know.
		i := slices.IndexFunc(list, func(x transaction) bool { return x.signature == before })
		list = list[min(len(list), cmp.Or(i+1, len(list))):]
	}
	found := []named{}
	for i := range list {
		x := &list[i]
		if x.signature == until || uint64(len(found)) == limit {
			break
		}
		if x.reach != itself {
			continue
		}
		sent := named{Status: "finalized", Err: null(), Signature: x.signature, Slot: s.slotOf(x)}
		if x.failure != "" {
			sent.Err = encode(x.failure)
		}
		if !s.untimed(x) {
			at := s.timeOf(x).Unix()
			sent.Time = &at
		}
		found = append(found, sent)
	}
	return encode(found), nil
}

// ownedBy returns the token accounts of a wallet, sorted by address.
func (s *Service) ownedBy(wallet string) []delegation {
	var all []delegation
	for _, h := range s.holdings(wallet) {
		if h.native {
			continue
		}
		all = append(all, s.accountsFor(wallet, h)...)
	}
	slices.SortFunc(all, byAddress)
	return all
}

// accountsFor returns the token accounts of a wallet in which it has a holding: those
// of the world, otherwise one that is made up.
func (s *Service) accountsFor(wallet string, h holding) []delegation {
	var all []delegation
	for _, d := range s.owned[wallet] {
		if d.mint == h.mint {
			all = append(all, d)
		}
	}
	if all == nil {
		all = []delegation{{
			address: madeTokenAccount(wallet, h.mint), mint: h.mint, owner: wallet, decimals: h.decimals, is2022: h.program == token2022,
		}}
	}
	rest := h.raw
	for i := range all {
		d := &all[i]
		if h.mint == solMint {
			d.reserve = 2039280
		}
		if i == len(all)-1 { // what happened since the start changes the last one
			d.amount = rest
		}
		d.amount = min(d.amount, rest)
		rest -= d.amount
	}
	return all
}

func accountInfo(s *Service, c *call) ([]byte, *refusal) {
	address, args, refused := c.keyed(1)
	if refused != nil {
		return nil, refused
	}
	found, config, refused := s.accountsAt([]string{address}, args)
	if refused != nil {
		return nil, refused
	}
	if s.world.preset && found[0] == nil {
		return fromMethod("getAccountInfo")(s, c)
	}
	return inContext(config.slot(), found[0]), nil
}

func multipleAccounts(s *Service, c *call) ([]byte, *refusal) {
	var args []json.RawMessage
	var addresses []string
	if json.Unmarshal(c.params, &args) != nil || len(args) < 1 || len(args) > 2 || json.Unmarshal(args[0], &addresses) != nil {
		return nil, invalidParams("Invalid params: expected an array of addresses and a configuration")
	}
	if refused := tooMany("getMultipleAccounts", len(addresses)); refused != nil {
		return nil, refused
	}
	found, config, refused := s.accountsAt(addresses, args[1:])
	if refused != nil {
		return nil, refused
	}
	if s.world.preset && !slices.ContainsFunc(found, func(a json.RawMessage) bool { return a != nil }) {
		return fromMethod("getMultipleAccounts")(s, c)
	}
	return inContext(config.slot(), found), nil
}

// accountsAt returns accounts of the world as they are sent: wallets, their token
// accounts, and mints. Those that do not exist are nil.
func (s *Service) accountsAt(addresses []string, args []json.RawMessage) ([]json.RawMessage, nodeConfig, *refusal) {
	config, _, refused := s.lastConfig(args, "encoding", "dataSlice", "changedSinceSlot")
	if refused != nil {
		return nil, config, refused
	}
	tokens := map[string]delegation{}
	for _, wallet := range s.wallets() {
		for _, d := range s.ownedBy(wallet) {
			tokens[d.address] = d
		}
	}
	found := make([]json.RawMessage, len(addresses))
	for i, address := range addresses {
		if refused := checkKey(address); refused != nil {
			return nil, config, refused
		}
		var account *nodeAccount
		changed := uint64(0) // mints do not change
		if d, isToken := tokens[address]; isToken {
			data, refused := d.encoded(config)
			if refused != nil {
				return nil, config, refused
			}
			account, changed = d.account(data), s.changed(d.owner, d.mint)
		} else if t, isMint := s.mint(address); isMint {
			if account, refused = s.mintAccount(t, config); refused != nil {
				return nil, config, refused
			}
		} else if lamports := s.has(address, nativeSOL().mint); lamports > 0 {
			account, changed = walletAccount(lamports, config), s.changed(address, nativeSOL().mint)
		}
		switch {
		case account != nil && changed < config.since:
			found[i] = json.RawMessage(`{"status":"unchanged"}`)
		case account != nil:
			found[i] = encode(account)
		}
	}
	return found, config, nil
}

// changed returns the slot of the last transaction that changed how much of a mint a
// wallet holds, 0 if there is none.
func (s *Service) changed(wallet, mint string) uint64 {
	_, last := s.balance(wallet, asset{mint: mint}, func(int, *transaction) bool { return true })
	if last == nil {
		return 0
	}
	return s.slotOf(last)
}

// walletAccount returns the account of a wallet, which has no data.
func walletAccount(lamports uint64, config nodeConfig) *nodeAccount {
	if config.encoding == "jsonParsed" { // a node sends what it cannot parse in base64
		config.encoding = "base64"
	}
	data, _ := config.encoded(nil)
	const system = "11111111111111111111111111111111"
	return &nodeAccount{Data: data, Lamports: lamports, Owner: system, RentEpoch: json.RawMessage(neverPaid)}
}

// clusterNodes answers getClusterNodes with one node.
func clusterNodes(_ *Service, c *call) ([]byte, *refusal) {
	var args []json.RawMessage
	if len(c.params) > 0 && json.Unmarshal(c.params, &args) != nil || len(args) > 0 {
		return nil, invalidParams("Invalid parameters: No parameters were expected")
	}
	identity := seed(42).item(0)
	return fmt.Appendf(nil, `[{"clientId":"Agave","featureSet":3073396398,"gossip":"192.0.2.1:8001","pubkey":%q,"pubsub":null,"rpc":null,`+
		`"serveRepair":"192.0.2.1:8012","shredVersion":50093,"tpu":null,"tpuForwards":null,"tpuForwardsQuic":"192.0.2.1:8010",`+
		`"tpuQuic":"192.0.2.1:8009","tpuVote":"192.0.2.1:8005","tvu":"192.0.2.1:8002","version":%q}]`, identity.address(), nodeVersion), nil
}
