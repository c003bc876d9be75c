package wallet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// An Identity is what the service knows of who is behind a wallet.
type Identity struct {
	Address     types.Address `json:"address"`     // of the wallet; of a domain name, the one it leads to; empty when it leads to none
	Type        IdentityType  `json:"type"`        // IdentityUnknown when nothing is known
	Name        string        `json:"name"`        // empty when nothing is known
	Category    string        `json:"category"`    // in the service's words; empty when nothing is known
	Tags        []string      `json:"tags"`        // nil when nothing is known
	DomainNames []string      `json:"domainNames"` // the favourite .sol name first, the others by alphabet; nil when there is none
	InputDomain string        `json:"inputDomain"` // the domain name that was asked for; of Identities only, empty for an address
	Unresolved  bool          `json:"unresolved"`  // whether that domain name leads to no wallet
}

// Known reports whether the service knows who is behind the wallet. It is
// false where the service says that it does not, for a domain name that leads
// to no wallet, and for the zero Identity of a part that failed.
func (i Identity) Known() bool { return i.Type != "" && i.Type != IdentityUnknown }

// An IdentityType is the kind of an identity. Values without a constant here
// pass through.
type IdentityType string

// The types that are known to occur.
const (
	IdentityExchange IdentityType = "exchange" // a wallet of an exchange
	IdentityWallet   IdentityType = "wallet"   // a wallet of someone known
	IdentityUnknown  IdentityType = "unknown"  // nothing is known of the wallet
)

// maxIdentities is how many wallets one request can ask for.
const maxIdentities = 100

// Identity returns who is behind a wallet, which is an address or a domain name
// such as toly.sol. A name may lead to its previous owner for up to two hours
// after it was sold. It costs 100 credits; a Free plan does not include it,
// which is a [types.APIError] with status 403.
//
// Where nothing is known of the wallet, or the name leads to none, the error
// matches [types.ErrNotFound]; the service may also return an Identity of type
// [IdentityUnknown], so look at [Identity.Known]. What is neither an address
// nor a domain name is refused with [types.ErrInvalid] before anything is sent.
//
// REST: GET /v1/wallet/{wallet}/identity.
func (c *Client) Identity(ctx context.Context, wallet types.Address) (*Identity, error) {
	if err := checkName("wallet", wallet); err != nil {
		return nil, err
	}
	path := walletPath(wallet, "identity")
	var identity Identity
	if err := c.api.Get(ctx, path, nil, &identity); err != nil {
		return nil, err
	}
	if identity.Address == "" {
		return nil, transport.NoList("GET "+path, "address")
	}
	return &identity, nil
}

// Identities returns who is behind each of any number of wallets, which are
// addresses, domain names or both. Entry i belongs to wallets[i], also where a
// wallet occurs twice. It asks for 100 of them at a time, one part after the
// other; each part costs 100 credits. A Free plan does not include it, which is
// a [types.APIError] with status 403.
//
// A wallet of which nothing is known has the type [IdentityUnknown], and so has
// one that the service leaves out. A domain name that leads to no wallet has it
// too, and Unresolved is set. None of them is an error.
//
// A part that fails does not lose the others: its entries are the zero Identity,
// which has no Type, and the error joins the failures. So the result is of use
// though the error is not nil. When ctx ends, or the service refuses the key, the
// plan or its credits, the parts that are left are not asked for and stay zero.
// Only if ctx is nil, or one of the wallets is neither an address nor a domain
// name, is the result nil: then the error matches [types.ErrInvalid] and nothing
// was sent.
//
// REST: POST /v1/wallet/batch-identity.
func (c *Client) Identities(ctx context.Context, wallets []types.Address) ([]Identity, error) {
	if ctx == nil {
		return nil, argument.Invalid("ctx", "nil")
	}
	for i, wallet := range wallets {
		if err := checkName(fmt.Sprintf("wallets[%d]", i), wallet); err != nil {
			return nil, err
		}
	}
	all := make([]Identity, len(wallets))
	var failures []error
	for start := 0; start < len(wallets); start += maxIdentities {
		end := min(start+maxIdentities, len(wallets))
		if err := c.identities(ctx, wallets[start:end], all[start:end]); err != nil {
			failures = append(failures, err)
			if ctx.Err() != nil || refusesAll(err) { // every other part would say the same
				break
			}
		}
	}
	return all, errors.Join(failures...)
}

// refusesAll reports whether the service refuses the key, the plan or its
// credits, whatever is asked for.
func refusesAll(err error) bool {
	var refusal *types.APIError
	return errors.Is(err, types.ErrUnauthorized) || errors.Is(err, types.ErrQuotaExceeded) ||
		errors.As(err, &refusal) && refusal.StatusCode == http.StatusForbidden
}

// identities asks for one part. The service keeps the order, but may leave
// wallets out, so entries go where their names say. A domain name may come back
// as another one, or not at all; then the place tells, if nothing is left out.
func (c *Client) identities(ctx context.Context, wallets []types.Address, into []Identity) error {
	in := struct {
		Addresses []types.Address `json:"addresses"`
	}{wallets}
	var answer []Identity
	if err := c.api.Post(ctx, transport.Path("v1", "wallet", "batch-identity"), in, &answer); err != nil {
		return err
	}
	byName := places(answer)
	named := make([]bool, len(answer))
	for i, wallet := range wallets {
		at, ok := byName[string(wallet)]
		if !ok {
			at, ok = byName[folded(string(wallet))]
		}
		if ok {
			into[i], named[at] = answer[at], true
			into[i].Type = cmp.Or(answer[at].Type, IdentityUnknown)
		}
	}
	for i, wallet := range wallets {
		if into[i].Type != "" {
			continue
		}
		if len(answer) == len(wallets) && !named[i] && (isDomain(wallet) || answer[i].Address == "") {
			into[i] = answer[i]
		}
		into[i].Type = cmp.Or(into[i].Type, IdentityUnknown)
		if isDomain(wallet) {
			into[i].InputDomain = cmp.Or(into[i].InputDomain, string(wallet))
		} else {
			into[i].Address = cmp.Or(into[i].Address, wallet)
		}
	}
	return nil
}

// places returns where the entry of each name is in an answer. Spellings that
// somebody may have asked for go before those that only folding makes alike.
func places(answer []Identity) map[string]int {
	places := make(map[string]int, len(answer))
	add := func(name string, at int) {
		if _, taken := places[name]; !taken {
			places[name] = at
		}
	}
	for at, identity := range answer {
		add(identity.asked(), at)
	}
	for at, identity := range answer {
		add(folded(identity.asked()), at)
	}
	return places
}

// asked is the name that an entry says it is for.
func (i Identity) asked() string { return cmp.Or(i.InputDomain, string(i.Address)) }

// isDomain tells a domain name from an address, which has no dot.
func isDomain(wallet types.Address) bool { return strings.Contains(string(wallet), ".") }

// folded returns a name as it is compared: letter case counts in an address,
// but not in a domain name, of which the service may return another spelling.
func folded(name string) string {
	if isDomain(types.Address(name)) {
		return strings.ToLower(name)
	}
	return name
}

// checkName refuses what is neither an address nor a domain name, and with it
// what would ask for another path.
func checkName(argumentName string, wallet types.Address) error {
	if !isDomain(wallet) {
		return argument.Address(argumentName, wallet)
	}
	odd := func(r rune) bool {
		return strings.ContainsRune(`/\?#%`, r) || unicode.IsSpace(r) || unicode.IsControl(r)
	}
	labels := strings.Split(string(wallet), ".")
	if slices.Contains(labels, "") || strings.ContainsFunc(string(wallet), odd) {
		return argument.Invalid(argumentName, "neither an address nor a domain name")
	}
	return nil
}
