package webhooks

import (
	"fmt"
	"slices"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

// maxAddresses is how many addresses a webhook can watch, on every plan.
const maxAddresses = 100_000

// A Type says what a webhook delivers and from which network. Types without a
// constant here pass through both ways.
type Type string

// The types of webhooks.
const (
	Enhanced       Type = "enhanced"       // parsed transactions: [EnhancedTransaction]
	Raw            Type = "raw"            // transactions as a node gives them, sooner than parsed: [RawTransaction]
	Discord        Type = "discord"        // messages for people, to the URL of a Discord webhook
	EnhancedDevnet Type = "enhancedDevnet" // as Enhanced, from devnet
	RawDevnet      Type = "rawDevnet"      // as Raw, from devnet
	DiscordDevnet  Type = "discordDevnet"  // as Discord, from devnet
)

// A TxnStatus says which transactions a webhook delivers. Enhanced webhooks
// never deliver failed ones. Other words pass through both ways.
type TxnStatus string

// The statuses a webhook can ask for.
const (
	AnyStatus TxnStatus = "all"
	Succeeded TxnStatus = "success"
	Failed    TxnStatus = "failed"
)

// An Encoding is that of account data. It is left over from a type of webhook
// that is no more. Other words pass through both ways.
type Encoding string

// JSONParsed is the one encoding that webhooks still know.
const JSONParsed Encoding = "jsonParsed"

// Settings are what can be chosen about a webhook. Fields that are not set are
// not sent. In an edit, which replaces everything, they lose their value.
type Settings struct {
	// URL is where events are posted: https, and reachable by the service,
	// which refuses loopback hosts. Required.
	URL string `json:"webhookURL,omitempty"`

	// TransactionTypes are the types to deliver; [txtype.Any] stands for all.
	// What the service makes of none is not documented, so name them.
	// Raw webhooks deliver all types, whatever is said here.
	TransactionTypes []txtype.Type `json:"transactionTypes,omitempty"`

	// AccountAddresses are the accounts to watch: at most 100 000, and at
	// least one in an edit.
	AccountAddresses []types.Address `json:"accountAddresses,omitempty"`

	Type       Type      `json:"webhookType,omitempty"` // required
	AuthHeader Secret    `json:"authHeader,omitempty"`  // comes back in the Authorization header of each delivery, as it is; empty means none
	Encoding   Encoding  `json:"encoding,omitempty"`    // empty means the service's default
	TxnStatus  TxnStatus `json:"txnStatus,omitempty"`   // empty means the service's default
}

// A Webhook is a webhook as the service has it.
type Webhook struct {
	ID      string        `json:"webhookID"` // a UUID, by which other calls name the webhook
	Wallet  types.Address `json:"wallet"`    // of the account that the webhook belongs to
	Project string        `json:"project"`   // empty when the service did not say
	Active  *bool         `json:"active"`    // nil when the service did not say
	Settings
}

// A Summary is a webhook as [Client.List] returns it. It holds at most 100 of
// the webhook's addresses, and is no [Settings] so that it is not written back
// by mistake: the other addresses would be lost.
type Summary struct {
	ID               string          `json:"webhookID"`        // a UUID, by which other calls name the webhook
	Wallet           types.Address   `json:"wallet"`           // of the account that the webhook belongs to
	Project          string          `json:"project"`          // empty when the service did not say
	Active           *bool           `json:"active"`           // nil when the service did not say
	URL              string          `json:"webhookURL"`       // where events are posted
	TransactionTypes []txtype.Type   `json:"transactionTypes"` // may be empty for raw webhooks, which deliver all
	AccountAddresses []types.Address `json:"accountAddresses"` // the first 100 at most
	Type             Type            `json:"webhookType"`      // what it delivers, and from which network
	AuthHeader       Secret          `json:"authHeader"`       // empty means none
	Encoding         Encoding        `json:"encoding"`         // empty when the service did not say
	TxnStatus        TxnStatus       `json:"txnStatus"`        // empty when the service did not say
}

// wire returns s as it is sent: with the secret in clear.
func (s Settings) wire() any {
	return struct {
		Settings
		AuthHeader string `json:"authHeader,omitempty"`
	}{s, string(s.AuthHeader)}
}

// check refuses settings that cannot work. Addresses and a secret that the
// webhook had before come from the service and pass as they are.
func (s Settings) check(before Settings) error {
	switch {
	case s.URL == "":
		return argument.Invalid("URL", "missing")
	case s.Type == "":
		return argument.Invalid("Type", "missing")
	case len(s.AccountAddresses) > maxAddresses:
		return argument.Invalid("AccountAddresses", fmt.Sprintf("%d of at most %d", len(s.AccountAddresses), maxAddresses))
	}
	if s.AuthHeader == mask || s.AuthHeader != before.AuthHeader {
		if err := s.AuthHeader.check("AuthHeader"); err != nil {
			return err
		}
	}
	return checkAddresses("AccountAddresses", s.AccountAddresses, set(before.AccountAddresses))
}

// checkEdit refuses what only an edit cannot do.
func (s Settings) checkEdit() error {
	if len(s.AccountAddresses) == 0 {
		return argument.Invalid("AccountAddresses", "none, but the service wants at least one; use Delete or SetActive instead")
	}
	return nil
}

func checkAddresses(name string, addresses []types.Address, known map[types.Address]bool) error {
	for i, a := range addresses {
		if known[a] {
			continue
		}
		if _, err := a.Bytes(); err != nil {
			return fmt.Errorf("%s[%d]: %w", name, i, err)
		}
	}
	return nil
}

// clone returns a copy of s that shares nothing with it.
func (s Settings) clone() Settings {
	s.TransactionTypes = slices.Clone(s.TransactionTypes)
	s.AccountAddresses = slices.Clone(s.AccountAddresses)
	return s
}

// same reports whether s and t are sent alike.
func (s Settings) same(t Settings) bool {
	return s.URL == t.URL &&
		slices.Equal(s.TransactionTypes, t.TransactionTypes) &&
		slices.Equal(s.AccountAddresses, t.AccountAddresses) &&
		s.Type == t.Type &&
		s.AuthHeader == t.AuthHeader &&
		s.Encoding == t.Encoding &&
		s.TxnStatus == t.TxnStatus
}
