package fake

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math/bits"
	"slices"
)

// mint returns a token of the world or of an event.
func (s *Service) mint(address string) (token, bool) {
	if t, known := s.world.tokens[address]; known {
		return t, true
	}
	for _, list := range s.world.delegates {
		for _, d := range list {
			if d.mint == address {
				return d.token(), true
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, since := range s.recent {
		for _, h := range since.held {
			if !h.native && h.mint == address {
				return h.token, true
			}
		}
	}
	return token{}, false
}

// accountsOf returns the token accounts of a mint, sorted by address.
func (s *Service) accountsOf(mint string) []delegation {
	var all []delegation
	for _, wallet := range s.wallets() {
		for _, d := range s.ownedBy(wallet) {
			if d.mint == mint {
				all = append(all, d)
			}
		}
	}
	slices.SortFunc(all, byAddress)
	return all
}

func byAddress(a, b delegation) int { return cmp.Compare(a.address, b.address) }

// wallets returns the wallets that hold or held something.
func (s *Service) wallets() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Collect(maps.Keys(s.world.holders))
	for wallet := range s.recent {
		if s.world.holders[wallet] == nil {
			all = append(all, wallet)
		}
	}
	return all
}

// supply returns the sum of all token accounts of a mint. That of wrapped SOL is always
// 0 on chain.
func (s *Service) supply(mint string) uint64 {
	var sum uint64
	if mint == solMint {
		return 0
	}
	for _, d := range s.accountsOf(mint) {
		sum = plus(sum, d.amount)
	}
	return sum
}

// plus adds amounts. The largest is that of 64 bits, as on chain.
func plus(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry > 0 {
		return 1<<64 - 1
	}
	return sum
}

// ofMint answers a method of a node, whose first parameter is a mint, from the world. An
// address that a world with the data of a preset does not know has the golden answer.
func ofMint(method, unknown, wrong string, op func(s *Service, t token) any) operation {
	return func(s *Service, c *call) ([]byte, *refusal) {
		address, args, refused := c.keyed(1)
		if refused != nil {
			return nil, refused
		}
		t, isMint := s.mint(address)
		switch {
		case !isMint && s.knows(address):
			return nil, invalidParams("Invalid param: %s", wrong)
		case !isMint && s.world.preset:
			return fromMethod(method)(s, c)
		case !isMint:
			return nil, invalidParams("Invalid param: %s", unknown)
		}
		config, refused := s.commitmentOf(args)
		if refused != nil {
			return nil, refused
		}
		return inContext(config.slot(), op(s, t)), nil
	}
}

func tokenSupply(s *Service, t token) any { return amountOf(s.supply(t.mint), t.decimals) }

// largestAccounts returns the twenty largest token accounts.
func largestAccounts(s *Service, t token) any {
	type held struct {
		Address string `json:"address"`
		amount
	}
	all := s.accountsOf(t.mint)
	slices.SortFunc(all, func(a, b delegation) int { return cmp.Or(cmp.Compare(b.amount, a.amount), byAddress(b, a)) })
	largest := []held{}
	for _, d := range all[:min(len(all), 20)] {
		largest = append(largest, held{d.address, d.show(d.amount)})
	}
	return largest
}

// mintAccount returns the account of a mint without authorities.
func (s *Service) mintAccount(t token, config nodeConfig) (*nodeAccount, *refusal) {
	supply := s.supply(t.mint)
	var data json.RawMessage
	if config.encoding == "jsonParsed" {
		type info struct {
			Decimals        int     `json:"decimals"`
			FreezeAuthority *string `json:"freezeAuthority"`
			Initialized     bool    `json:"isInitialized"`
			MintAuthority   *string `json:"mintAuthority"`
			Supply          uint64  `json:"supply,string"`
		}
		data = parsedData("mint", t.program == token2022, info{Decimals: t.decimals, Initialized: true, Supply: supply}, mintSize)
	} else {
		raw := make([]byte, mintSize)
		binary.LittleEndian.PutUint64(raw[36:], supply)
		raw[44], raw[45] = byte(t.decimals), 1
		var refused *refusal
		if data, refused = config.encoded(raw); refused != nil {
			return nil, refused
		}
	}
	d := delegation{is2022: t.program == token2022}
	return &nodeAccount{Data: data, Lamports: 1461600, Owner: d.program(), RentEpoch: json.RawMessage(neverPaid), Space: mintSize}, nil
}

const mintSize = 82

// indexedAccounts lists the token accounts of a mint, an owner, or both, by page number,
// by cursor or between two addresses.
func indexedAccounts(s *Service, c *call) ([]byte, *refusal) {
	p := s.named(c.params, "owner", "mint", "limit", "page", "before", "after", "options", "cursor")
	keys := map[string]string{}
	for _, name := range []string{"owner", "mint", "before", "after", "cursor"} {
		key, given := p.text(name)
		if given && !isAddress(key) {
			p.refuse(invalid("Invalid pubkey " + key))
		}
		keys[name] = key
	}
	owner, mint := keys["owner"], keys["mint"]
	limit, at := p.paged(keys)
	show := &params{}
	if p.has("options") {
		show = p.inner("options", p.members["options"], "showUnverifiedCollections", "showCollectionMetadata", "showZeroBalance", "showInscription", "showFungible", "showGrandTotal")
		p.refuse(show.refused)
	}
	_, isMint := s.mint(mint)
	switch {
	case p.refused != nil:
		return nil, p.refused
	case owner+mint == "":
		return nil, &refusal{code: -32000, message: "Database Error: Custom Error: Either 'ownerAddress' or 'mintAddress' must be provided"}
	case s.world.preset && !isMint && !s.knows(owner):
		return fromMethod("getTokenAccounts")(s, c)
	}

	var all []delegation
	if owner != "" {
		all = s.ownedBy(owner)
	} else {
		all = s.accountsOf(mint)
	}
	zero := string(show.members["showZeroBalance"]) == "true"
	all = slices.DeleteFunc(all, func(d delegation) bool {
		return mint != "" && d.mint != mint || d.amount == 0 && !zero || d.address <= max(keys["cursor"], keys["after"]) || keys["before"] != "" && d.address >= keys["before"]
	})
	first := min(max(at-1, 0)*limit, len(all))
	return encode(s.indexed(all[first:min(first+limit, len(all))], limit, at)), nil
}

// paged reads the size and the number of a page, which is 0 unless the listing is by page.
func (p *params) paged(keys map[string]string) (limit, page int) {
	fail := func(message string) { p.refuse(&refusal{code: -32000, message: "Pagination Error. " + message}) }
	limit = 1000
	if p.has("limit") {
		if limit = int(min(p.integer("limit"), 1001)); limit > 1000 {
			fail("Limit should not be greater than 1000.")
		}
	}
	if p.has("page") {
		if page = int(min(p.integer("page"), 1_000_000)); page == 0 {
			fail("No Pagination Method Selected")
		}
	}
	bounds := keys["before"] + keys["after"]
	if page > 0 && keys["cursor"]+bounds != "" || keys["cursor"] != "" && bounds != "" {
		fail("Only one pagination parameter supported per query.")
	}
	return limit, page
}

// indexed returns a page of token accounts as the indexer sends it.
func (s *Service) indexed(accounts []delegation, limit, page int) any {
	type account struct {
		Address   string  `json:"address"`
		Mint      string  `json:"mint"`
		Owner     string  `json:"owner"`
		Amount    uint64  `json:"amount"`
		Delegate  *string `json:"delegate"`
		Delegated uint64  `json:"delegated_amount"`
		Closer    *string `json:"close_authority"`
		Frozen    bool    `json:"frozen"`
	}
	sent := struct {
		Slot     uint64    `json:"last_indexed_slot"`
		Total    int       `json:"total"`
		Limit    int       `json:"limit"`
		Page     int       `json:"page,omitempty"`
		Cursor   *string   `json:"cursor"`
		Accounts []account `json:"token_accounts"`
		Errors   []string  `json:"errors"`
	}{s.slot(), len(accounts), limit, page, nil, []account{}, []string{}}
	orNull := func(text string) *string {
		if text == "" {
			return nil
		}
		return &text
	}
	for _, d := range accounts {
		sent.Accounts = append(sent.Accounts, account{
			d.address, d.mint, d.owner, d.amount, orNull(d.delegate), d.delegated, orNull(d.closer), d.frozen,
		})
		if page == 0 {
			sent.Cursor = &d.address
		}
	}
	return sent
}
