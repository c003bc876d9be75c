package fake

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Exchange is the address of a known exchange.
const Exchange = "HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664"

// An identity is what is known of an address.
type identity struct {
	Address  string   `json:"address"`
	Type     string   `json:"type"`
	Name     string   `json:"name,omitempty"`
	Category string   `json:"category,omitempty"`
	Tags     []string `json:"tags,omitzero"`
	Domains  []string `json:"domainNames,omitempty"`
}

// identities are those that the service knows. Of the last it knows only that
// there is something: it answers with status 200 and without a name.
func identities() []identity {
	return []identity{
		{Exchange, "exchange", "Binance 1", "Centralized Exchange", []string{"Centralized Exchange"}, nil},
		{"2ojv9BAiHUrvsm9gxDe7fJSzbNZSJcxZvf8dqmWGHG8S", "exchange", "Binance 2", "Centralized Exchange", []string{"Centralized Exchange", "Hot Wallet"}, nil},
		{Wallet, "wallet", "toly.sol", "Wallet", []string{}, []string{"toly.sol", "demo.bonk", "wallet.abc"}},
		{Collector, "unknown", "", "", nil, nil},
	}
}

// resolve returns the address that a domain name leads to, however it is
// spelled; empty if there is none.
func resolve(name string) string {
	return map[string]string{
		"toly.sol":      Wallet,
		"demo.bonk":     Wallet,
		"wallet.abc":    Wallet,
		"collector.sol": Collector,
		"nameless.sol":  solMint,
	}[strings.ToLower(name)]
}

// known returns what is known of an address.
func known(address string) (identity, bool) {
	for _, i := range identities() {
		if i.Address == address {
			return i, true
		}
	}
	return identity{Address: address, Type: "unknown"}, false
}

// checkName tells whether a name is a domain, and why it is neither that nor an
// address.
func checkName(name string) (isDomain bool, refused *answer) {
	if !strings.Contains(name, ".") {
		if !isAddress(name) {
			a := badAddress(name)
			return false, &a
		}
		return false, nil
	}
	if slices.Contains(strings.Split(name, "."), "") || strings.ContainsAny(name, " /") {
		a := refusal(http.StatusBadRequest, "Invalid domain name", fmt.Sprintf("'%s' is not a valid domain name", name))
		return true, &a
	}
	return true, nil
}

func identityOf(name string, q *query) answer {
	if a, refused := q.finish(solMint); refused { // the name need not be an address
		return a
	}
	isDomain, refused := checkName(name)
	if refused != nil {
		return *refused
	}
	address := name
	if isDomain {
		if address = resolve(name); address == "" {
			return refusal(http.StatusNotFound, fmt.Sprintf("Domain '%s' could not be resolved", name), "")
		}
	}
	i, isKnown := known(address)
	if !isKnown {
		return refusal(http.StatusNotFound, "No identity information available for this address", "")
	}
	return ok(encode(i))
}

func batchIdentity(contentType string, body []byte, q *query) answer {
	if a, refused := q.finish(solMint); refused {
		return a
	}
	if contentType != "application/json" {
		return badRequest("Content-Type must be application/json")
	}
	var names []string
	members, isObject := object(body)
	if !isObject || len(members) != 1 || json.Unmarshal(members["addresses"], &names) != nil {
		return badRequest("the body must have addresses and nothing else")
	}
	if len(names) < 1 || len(names) > 100 {
		return badRequest("addresses must have between 1 and 100 entries")
	}
	type entry struct {
		Address *string `json:"address"`
		identity
		Input      string `json:"inputDomain,omitempty"`
		Unresolved bool   `json:"unresolved,omitempty"`
	}
	var entries []entry
	for _, name := range names {
		isDomain, refused := checkName(name)
		if refused != nil {
			return *refused
		}
		e := entry{Address: &name}
		address := name
		if isDomain {
			e.Input = name
			if address = resolve(name); address == "" {
				e.Address, e.Unresolved = nil, true
			} else {
				e.Address = &address
			}
		}
		e.identity, _ = known(address)
		e.Domains = nil // only the answer about one address has them
		entries = append(entries, e)
	}
	return ok(encode(entries))
}
