package wallet

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opIdentity   = transport.Op{Method: "wallet.Client.Identity", Wire: "GET /v1/wallet/{wallet}/identity"}
	opIdentities = transport.Op{Method: "wallet.Client.Identities", Wire: "POST /v1/wallet/batch-identity"}
)

// An Identity describes the owner of a wallet.
type Identity struct {
	Address     types.Address `json:"address"`     // empty if InputDomain does not resolve
	Type        IdentityType  `json:"type"`        // IdentityTypeUnknown for an unknown owner
	Name        string        `json:"name"`        // empty for an unknown owner
	Category    string        `json:"category"`    // empty for an unknown owner
	Tags        []string      `json:"tags"`        // nil for an unknown owner
	DomainNames []string      `json:"domainNames"` // the favorite .sol name first; may be nil
	InputDomain string        `json:"inputDomain"` // the domain name of the request; Identities only
	Unresolved  bool          `json:"unresolved"`  // whether InputDomain does not resolve
}

// Known reports whether the service knows the owner. It is false for an unresolved domain name,
// and for nil, the result of a failed request.
func (i *Identity) Known() bool { return i != nil && i.Type != "" && i.Type != IdentityTypeUnknown }

// An IdentityType is the kind of owner. Other values than the constants pass through.
type IdentityType string

// The types of identities.
const (
	IdentityTypeExchange IdentityType = "exchange" // a wallet of an exchange
	IdentityTypeWallet   IdentityType = "wallet"   // a wallet with a known owner
	IdentityTypeUnknown  IdentityType = "unknown"  // a wallet without a known owner
)

// Identity returns the owner of a wallet, by its address or a domain name such as toly.sol. If the
// owner or name is unknown, it fails with [types.ErrNotFound], or [Identity.Known] is false. It
// costs 100 credits. The Free plan does not include it (status 403).
//
// REST: GET /v1/wallet/{wallet}/identity.
func (c *Client) Identity(ctx context.Context, wallet string) (*Identity, error) {
	return transport.Fetch(ctx, c.api, transport.Request{Op: opIdentity, Invalid: checkName("wallet", wallet), Path: []string{wallet}}, func(i *Identity) error {
		return transport.Require(i.Address != "", "address")
	})
}

// Identities returns the owners of any number of wallets, by their addresses or domain names.
// Result i is the owner of wallets[i]; an unknown owner has [IdentityTypeUnknown]. Each request
// of up to 100 wallets costs 100 credits. If requests fail, the error is a [types.BatchError].
// The results of failed requests are then nil, and the others are valid.
//
// REST: POST /v1/wallet/batch-identity.
func (c *Client) Identities(ctx context.Context, wallets []string) ([]*Identity, error) {
	if err := c.api.Check(opIdentities, checkNames(ctx, wallets)); err != nil {
		return nil, err
	}
	return paging.InParts(ctx, wallets, opIdentities.Facts().Inputs, func(part []string, into []*Identity, items *transport.Items) error {
		return c.identities(ctx, part, into, items)
	})
}

// identities sends one request. The service keeps the order but may omit unknown wallets, so
// entries are matched by name first. A domain name may be missing in its entry, or spelled
// differently. Such an entry is matched by position if the response has one entry per wallet.
func (c *Client) identities(ctx context.Context, wallets []string, into []*Identity, items *transport.Items) error {
	in := struct {
		Addresses []string `json:"addresses"`
	}{wallets}
	items.ByID = true
	found, err := transport.Fetch[[]Identity](ctx, c.api, transport.Request{Op: opIdentities, About: wallets, Body: in, Items: items}, nil)
	if err != nil {
		return err
	}
	entries := *found
	for _, e := range items.Unreadable {
		// it may be of any wallet
		if len(entries) != len(wallets) && !slices.Contains(wallets, e.ID) {
			return items.Err()
		}
	}
	byName := places(entries)
	matched := make([]bool, len(entries))
	for i, wallet := range wallets {
		at, ok := byName[wallet]
		if !ok {
			at, ok = byName[folded(wallet)]
		}
		if ok {
			entry := entries[at] // a copy: wallets may repeat
			into[i], matched[at] = &entry, true
		}
	}
	for i, wallet := range wallets {
		if into[i] == nil {
			into[i] = new(Identity)
			if len(entries) == len(wallets) && !matched[i] && (isDomain(wallet) || entries[i].Address == "") {
				*into[i] = entries[i]
			}
			into[i].complete(wallet)
		}
		into[i].Type = cmp.Or(into[i].Type, IdentityTypeUnknown)
	}
	return nil
}

// complete sets the requested wallet in an entry that does not name it.
func (i *Identity) complete(wallet string) {
	if isDomain(wallet) {
		i.InputDomain = cmp.Or(i.InputDomain, wallet)
	} else {
		i.Address = cmp.Or(i.Address, types.Address(wallet))
	}
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
func (i *Identity) input() string { return cmp.Or(i.InputDomain, string(i.Address)) }

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

// checkWallet refuses an invalid address. A domain name gets a hint.
func checkWallet(name string, wallet types.Address) error {
	if err := checkName(name, string(wallet)); err != nil || !isDomain(string(wallet)) {
		return err
	}
	return argument.Invalid(name+" "+argument.Quote(string(wallet)), "is a domain name; resolve it with Client.Identity")
}

// checkName refuses text other than an address or a domain name, since it could change the
// path of the request.
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
