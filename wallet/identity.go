package wallet

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

const (
	identity   transport.Op = "wallet.Client.Identity GET /v1/wallet/{wallet}/identity"
	identities transport.Op = "wallet.Client.Identities POST /v1/wallet/batch-identity"
)

// An Identity is what the service knows about the owner of a wallet.
type Identity struct {
	Address     types.Address `json:"address"`     // empty if InputDomain does not resolve
	Type        IdentityType  `json:"type"`        // IdentityTypeUnknown for an unknown owner
	Name        string        `json:"name"`        // empty for an unknown owner
	Category    string        `json:"category"`    // empty for an unknown owner
	Tags        []string      `json:"tags"`        // nil for an unknown owner
	DomainNames []string      `json:"domainNames"` // the favorite .sol name first; nil without names
	InputDomain string        `json:"inputDomain"` // the requested domain name; only from Identities
	Unresolved  bool          `json:"unresolved"`  // whether InputDomain does not resolve
}

// Known reports whether the service knows the owner. It is false for an unknown
// wallet, an unresolved domain name and the zero Identity of a failed request.
func (i Identity) Known() bool { return i.Type != "" && i.Type != IdentityTypeUnknown }

// An IdentityType is the kind of owner. Other values than the constants pass through.
type IdentityType string

// The types of identities.
const (
	IdentityTypeExchange IdentityType = "exchange" // a wallet of an exchange
	IdentityTypeWallet   IdentityType = "wallet"   // a wallet with a known owner
	IdentityTypeUnknown  IdentityType = "unknown"  // a wallet without a known owner
)

// maxIdentities is the most wallets that one request may have.
const maxIdentities = 100

// Identity returns the owner of a wallet, given by its address or a domain name such
// as toly.sol. For an unknown owner or name, the error matches [types.ErrNotFound] or
// [Identity.Known] is false. It costs 100 credits, and the Free plan does not include
// it (status 403).
//
// REST: GET /v1/wallet/{wallet}/identity.
func (c *Client) Identity(ctx context.Context, wallet string) (*Identity, error) {
	if err := c.transport().Check(identity, checkName("wallet", wallet)); err != nil {
		return nil, err
	}
	return transport.Fetch(ctx, c.transport(), request(identity, types.Address(wallet), nil), (*Identity).missing)
}

func (i *Identity) missing() error { return transport.Require(i.Address != "", "address") }

// Identities returns the owners of any number of wallets, addresses and domain names
// mixed: element i is that of wallets[i], of [IdentityTypeUnknown] for an unknown
// owner. Each request of up to 100 wallets costs 100 credits. If requests fail, the
// error is a [types.BatchError] and the other results are valid.
//
// REST: POST /v1/wallet/batch-identity.
func (c *Client) Identities(ctx context.Context, wallets []string) ([]Identity, error) {
	if err := c.transport().Check(identities, checkNames(ctx, wallets)); err != nil {
		return nil, err
	}
	all := make([]Identity, len(wallets))
	err := transport.InParts(ctx, len(wallets), maxIdentities, func(start, end int) error {
		return c.identities(ctx, wallets[start:end], all[start:end])
	})
	return all, err
}

// identities sends one request. The service keeps the order but may omit unknown
// wallets, so entries are matched by name first. A domain name may come back in
// another spelling or not at all: such an entry is matched by position if the
// response has one entry per wallet.
func (c *Client) identities(ctx context.Context, wallets []string, into []Identity) error {
	in := struct {
		Addresses []string `json:"addresses"`
	}{wallets}
	found, err := transport.Fetch[[]Identity](ctx, c.transport(), transport.Request{Op: identities, Body: in}, nil)
	if err != nil {
		return err
	}
	entries := *found
	byName := places(entries)
	named := make([]bool, len(entries))
	for i, wallet := range wallets {
		at, ok := byName[wallet]
		if !ok {
			at, ok = byName[folded(wallet)]
		}
		if ok {
			into[i], named[at] = entries[at], true
			into[i].Type = cmp.Or(entries[at].Type, IdentityTypeUnknown)
		}
	}
	for i, wallet := range wallets {
		if into[i].Type != "" {
			continue
		}
		if len(entries) == len(wallets) && !named[i] && (isDomain(wallet) || entries[i].Address == "") {
			into[i] = entries[i]
		}
		into[i].Type = cmp.Or(into[i].Type, IdentityTypeUnknown)
		if isDomain(wallet) {
			into[i].InputDomain = cmp.Or(into[i].InputDomain, wallet)
		} else {
			into[i].Address = cmp.Or(into[i].Address, types.Address(wallet))
		}
	}
	return nil
}

// places returns the position of the entry for each name. The exact name of one entry
// takes precedence over the folded name of another.
func places(entries []Identity) map[string]int {
	places := make(map[string]int, len(entries))
	add := func(name string, at int) {
		if _, taken := places[name]; !taken {
			places[name] = at
		}
	}
	for at, entry := range entries {
		add(entry.input(), at)
	}
	for at, entry := range entries {
		add(folded(entry.input()), at)
	}
	return places
}

// input is the requested wallet that the entry names.
func (i Identity) input() string { return cmp.Or(i.InputDomain, string(i.Address)) }

// isDomain tells a domain name from an address, which has no dots.
func isDomain(wallet string) bool { return strings.Contains(wallet, ".") }

// folded returns a domain name in lower case. Addresses are case-sensitive.
func folded(name string) string {
	if isDomain(name) {
		return strings.ToLower(name)
	}
	return name
}

func checkNames(ctx context.Context, wallets []string) error {
	if ctx == nil {
		return argument.Invalid("ctx", "is nil")
	}
	return argument.Each("wallets", wallets, checkName)
}

// checkWallet refuses what is not an address. A domain name gets a hint.
func checkWallet(name string, wallet types.Address) error {
	if err := checkName(name, string(wallet)); err != nil || !isDomain(string(wallet)) {
		return err
	}
	return argument.Invalid(name+" "+argument.Quote(string(wallet)), "is a domain name; resolve it with Client.Identity")
}

// checkName refuses what is neither an address nor a domain name, such as text that
// would change the path of the request.
func checkName(name, wallet string) error {
	if !isDomain(wallet) {
		return argument.Address(name, types.Address(wallet))
	}
	invalid := func(r rune) bool {
		return strings.ContainsRune(`/\?#%`, r) || unicode.IsSpace(r) || unicode.IsControl(r)
	}
	labels := strings.Split(wallet, ".")
	if slices.Contains(labels, "") || strings.ContainsFunc(wallet, invalid) || !utf8.ValidString(wallet) {
		return argument.Invalid(name+" "+argument.Quote(wallet), "is neither an address nor a domain name")
	}
	return nil
}
