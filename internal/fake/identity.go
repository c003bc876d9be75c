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

// An identity is what the service knows of an address.
type identity struct {
	Address  string   `json:"address"`
	Type     string   `json:"type"`
	Name     string   `json:"name,omitempty"`
	Category string   `json:"category,omitempty"`
	Tags     []string `json:"tags,omitzero"`
	Domains  []string `json:"domainNames,omitempty"`
}

// identities are the known ones.
func identities() []identity {
	return []identity{
		{Exchange, "exchange", "Binance 1", "Centralized Exchange", []string{"Centralized Exchange"}, nil},
		{"2ojv9BAiHUrvsm9gxDe7fJSzbNZSJcxZvf8dqmWGHG8S", "exchange", "Binance 2", "Centralized Exchange", []string{"Centralized Exchange", "Hot Wallet"}, nil},
		{Wallet, "wallet", "toly.sol", "Wallet", []string{}, []string{"toly.sol", "demo.bonk", "wallet.abc"}},
	}
}

// known returns the identity of an address. It is false if nothing is known.
func (s *Service) known(address string) (identity, bool) {
	for _, i := range s.world.identities {
		if i.Address == address {
			return i, true
		}
	}
	return identity{Address: address, Type: "unknown"}, false
}

// resolve returns the address for an address or a domain name. The address is
// empty if the domain does not exist.
func (s *Service) resolve(name string) (address string, isDomain bool, refused *refusal) {
	switch {
	case !strings.Contains(name, ".") && !isAddress(name):
		return "", false, badAddress(name)
	case !strings.Contains(name, "."):
		return name, false, nil
	case slices.Contains(strings.Split(name, "."), "") || strings.ContainsAny(name, " /"):
		return "", true, &refusal{http.StatusBadRequest, "Invalid domain name", fmt.Sprintf("'%s' is not a valid domain name", name)}
	}
	return s.world.domains[strings.ToLower(name)], true, nil
}

// domains are the addresses of names.
func domains() map[string]string {
	return map[string]string{
		"toly.sol":      Wallet,
		"demo.bonk":     Wallet,
		"wallet.abc":    Wallet,
		"collector.sol": Collector,
		"nameless.sol":  solMint,
	}
}

func identityOf(s *Service, c *call) ([]byte, *refusal) {
	if refused := c.query.refused(); refused != nil {
		return nil, refused
	}
	name := c.path["wallet"]
	address, _, refused := s.resolve(name)
	if refused != nil {
		return nil, refused
	}
	if address == "" {
		return nil, &refusal{http.StatusNotFound, fmt.Sprintf("Domain '%s' could not be resolved", name), ""}
	}
	i, isKnown := s.known(address)
	if !isKnown {
		return nil, &refusal{http.StatusNotFound, "No identity information available for this address", ""}
	}
	return encode(i), nil
}

func batchIdentity(s *Service, c *call) ([]byte, *refusal) {
	if refused := c.query.refused(); refused != nil {
		return nil, refused
	}
	if !c.json {
		return nil, badRequest("Content-Type must be application/json")
	}
	var names []string
	members, isObject := object(c.body)
	if !isObject || len(members) != 1 && !s.Lenient || json.Unmarshal(members["addresses"], &names) != nil {
		return nil, badRequest("the body must have addresses and nothing else")
	}
	if len(names) < 1 || len(names) > 100 {
		return nil, badRequest("addresses must have between 1 and 100 entries")
	}
	type entry struct {
		Address *string `json:"address"`
		identity
		Input      string `json:"inputDomain,omitempty"`
		Unresolved bool   `json:"unresolved,omitempty"`
	}
	var entries []entry
	for _, name := range names {
		address, isDomain, refused := s.resolve(name)
		if refused != nil {
			return nil, refused
		}
		e := entry{Address: &address}
		if isDomain {
			e.Input = name
		}
		if address == "" {
			e.Address, e.Unresolved = nil, true
		}
		e.identity, _ = s.known(address)
		e.Domains = nil // sent for single addresses only
		entries = append(entries, e)
	}
	return encode(entries), nil
}
