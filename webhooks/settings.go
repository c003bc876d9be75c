package webhooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

// maxAddresses is the most addresses that a webhook can watch, on every plan.
const maxAddresses = 100_000

// A Type is the form of the events of a webhook, and their network. Values without a constant
// here pass through.
type Type string

// The types of webhooks.
const (
	TypeEnhanced       Type = "enhanced"       // parsed: [enhanced.Transaction]
	TypeRaw            Type = "raw"            // as a node encodes it, and sooner: [tx.Transaction]
	TypeDiscord        Type = "discord"        // messages to the URL of a Discord webhook
	TypeEnhancedDevnet Type = "enhancedDevnet" // TypeEnhanced from devnet
	TypeRawDevnet      Type = "rawDevnet"      // TypeRaw from devnet
	TypeDiscordDevnet  Type = "discordDevnet"  // TypeDiscord from devnet
)

// Settings are the settings of a webhook. Fields that are not set are not sent, and
// [Client.Replace] resets them.
type Settings struct {
	// URL is where events are posted. It must be https and public, except with package
	// types/fake. Required.
	URL string `json:"webhookURL,omitempty"`

	// TransactionTypes are the types to deliver; [txtype.Any] means all. The service does not
	// document the meaning of an empty list. Raw webhooks always deliver all types.
	TransactionTypes []txtype.Type `json:"transactionTypes,omitempty"`

	// AccountAddresses are the accounts to watch, at most 100 000, and about 95 000 on some plans.
	// Divide more addresses among several webhooks. These can share the URL of a Receiver, but not
	// of a Keeper of package webhooks/keeper.
	AccountAddresses []types.Address `json:"accountAddresses,omitempty"`

	// Type is required.
	Type Type `json:"webhookType,omitempty"`

	// AuthHeader is sent as the Authorization header of each delivery, unchanged.
	// Empty means no header.
	AuthHeader Secret `json:"authHeader,omitempty"`

	Encoding types.Encoding `json:"encoding,omitempty"` // of raw account data; empty means the default
	// Outcome selects transactions by their success. Enhanced webhooks never deliver failed
	// ones. Empty means the default of the service. Wire name: txnStatus.
	Outcome types.Outcome `json:"txnStatus,omitempty"`
}

// A Webhook is a webhook with its settings.
type Webhook struct {
	ID      string        `json:"webhookID"` // a UUID
	Wallet  types.Address `json:"wallet"`    // owner of the webhook
	Project string        `json:"project"`   // empty when unknown
	Active  *bool         `json:"active"`    // nil when unknown
	Settings
}

// A Summary is a webhook as [Client.Webhooks] returns it, with at most 100 of its
// addresses. It has no [Settings], so that it cannot be written back: that would
// remove the other addresses.
type Summary struct {
	ID               string          `json:"webhookID"`        // a UUID
	Wallet           types.Address   `json:"wallet"`           // owner of the webhook
	Project          string          `json:"project"`          // empty when unknown
	Active           *bool           `json:"active"`           // nil when unknown
	URL              string          `json:"webhookURL"`       // where events are posted
	TransactionTypes []txtype.Type   `json:"transactionTypes"` // may be empty for raw webhooks
	AccountAddresses []types.Address `json:"accountAddresses"` // at most the first 100
	Type             Type            `json:"webhookType"`      // its form
	AuthHeader       Secret          `json:"authHeader"`       // empty means no header
	Encoding         types.Encoding  `json:"encoding"`         // empty when unknown
	Outcome          types.Outcome   `json:"txnStatus"`        // empty when unknown
}

// wire returns the request body for s, with the secret in clear text.
func (s Settings) wire() any {
	return struct {
		Settings
		AuthHeader string `json:"authHeader,omitempty"`
	}{s, string(s.AuthHeader)}
}

// check refuses settings that cannot work. Addresses and a secret that the webhook
// already had came from the service and are not checked.
func (s Settings) check(before Settings) error {
	switch {
	case s.URL == "":
		return argument.Invalid("URL", "is empty")
	case s.Type == "":
		return argument.Invalid("Type", "is empty")
	}
	if s.AuthHeader == mask || s.AuthHeader != before.AuthHeader {
		if err := s.AuthHeader.check("AuthHeader"); err != nil {
			return err
		}
	}
	return checkAddresses("AccountAddresses", s.AccountAddresses, set(before.AccountAddresses))
}

// checkReplace refuses settings that only Create accepts.
func (s Settings) checkReplace() error {
	if len(s.AccountAddresses) == 0 {
		return argument.Invalid("AccountAddresses", "is empty, and the service wants at least one; use Delete or SetActive instead")
	}
	return nil
}

func checkAddresses(name string, addresses []types.Address, known map[types.Address]bool) error {
	if len(addresses) > maxAddresses {
		return argument.Invalid(name, fmt.Sprintf("has %d addresses; a webhook takes %d; divide them among several webhooks", len(addresses), maxAddresses))
	}
	return argument.Each(name, addresses, func(name string, a types.Address) error {
		if known[a] {
			return nil
		}
		return argument.Address(name, a)
	})
}

// clone returns a deep copy of s.
func (s Settings) clone() Settings {
	s.TransactionTypes = slices.Clone(s.TransactionTypes)
	s.AccountAddresses = slices.Clone(s.AccountAddresses)
	return s
}

// same reports whether s and t are equal on the wire.
func (s Settings) same(t Settings) bool {
	a, _ := json.Marshal(s.wire()) // never fails
	b, _ := json.Marshal(t.wire())
	return bytes.Equal(a, b)
}
