package notify

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/solwire/solwire-go/internal/fakeapi/decoded"
	"github.com/solwire/solwire-go/internal/fakeapi/node"
	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// A subscription is the request of a client.
type subscription struct {
	id           uint64
	notification string         // the method of the notifications
	key          string         // the signature that it waits for and ends with
	after        time.Time      // when it begins to notify; zero before the response is written
	commitment   string         // that transactions must have reached
	queue        []world.Update // not sent yet

	// notices returns the results to send about an update.
	notices func(u world.Update) []json.RawMessage

	// slots returns the results to send about slots; nil for subscriptions to updates.
	slots func(newest func(commitment string) uint64) []json.RawMessage
}

// A maker reads the parameters of a subscription. The world is locked. Its result does not count
// after a refusal.
type maker func(c *wire.Call, args []json.RawMessage) *subscription

// subscriptions are the subscriptions by the first word of their methods.
func subscriptions() map[string]maker {
	return map[string]maker{
		"account":           toAccounts(false),
		"program":           toAccounts(true),
		"logs":              toLogs,
		"signature":         toSignature,
		"slot":              toSlots,
		"root":              toRoots,
		"transaction":       toTransactions,
		"parsedTransaction": toParsed,
	}
}

// Methods returns the names of all methods, sorted.
func Methods() []string {
	var all []string
	for name := range subscriptions() {
		all = append(all, name+"Subscribe", name+"Unsubscribe")
	}
	slices.Sort(all)
	return all
}

func toAccounts(program bool) maker {
	return func(c *wire.Call, _ []json.RawMessage) *subscription {
		to := node.SubscribedTo(c, program)
		told, of := map[string]string{}, uint64(0)
		return &subscription{commitment: to.Commitment, notices: func(u world.Update) (all []json.RawMessage) {
			slot := u.Transaction.Slot
			if of != slot {
				of = slot
				clear(told)
			}
			for _, address := range u.Accounts {
				// nodes send the last state of a slot, once
				if value := to.Value(address, slot); value != nil && told[address] != string(value) {
					all, told[address] = append(all, wire.InContext(slot, value)), string(value)
				}
			}
			return all
		}}
	}
}

func toLogs(c *wire.Call, args []json.RawMessage) *subscription {
	var word string
	var filter struct {
		Mentions []string `json:"mentions"`
	}
	switch {
	case json.Unmarshal(args[0], &word) == nil && (word == "all" || word == "allWithVotes"):
	case json.Unmarshal(args[0], &filter) != nil || filter.Mentions == nil:
		c.Invalid("Invalid params: expected all, allWithVotes or mentions")
	case len(filter.Mentions) != 1:
		c.Invalid("Invalid Request: Only 1 address supported")
	default:
		keys(c, filter.Mentions)
	}
	return &subscription{commitment: commitmentOf(args), notices: func(u world.Update) []json.RawMessage {
		x := u.Transaction
		m := node.MessageOf(c.World, x)
		if len(filter.Mentions) > 0 && !slices.Contains(m.Keys, filter.Mentions[0]) {
			return nil
		}
		return []json.RawMessage{wire.InContext(x.Slot, world.JSON(`{"signature":?,"err":?,"logs":?}`, x.Signature, x.Reason().Err, m.Logs))}
	}}
}

func toSignature(c *wire.Call, args []json.RawMessage) *subscription {
	var signature string
	if json.Unmarshal(args[0], &signature) != nil {
		c.Invalid("Invalid params: invalid type: %s, expected a string.", wire.Kind(args[0]))
	} else if b, err := world.Unbase58(signature); err != nil || len(b) != 64 {
		c.Invalid("Invalid Request: Invalid signature provided")
	}
	return &subscription{commitment: commitmentOf(args), key: signature, notices: func(u world.Update) []json.RawMessage {
		return []json.RawMessage{wire.InContext(u.Transaction.Slot, world.JSON(`{"err":?}`, u.Transaction.Reason().Err))}
	}}
}

// commitmentOf reads the commitment in the options. As on a node, an unknown one is finalized.
func commitmentOf(args []json.RawMessage) string {
	var o struct{ Commitment string }
	if len(args) > 1 {
		_ = json.Unmarshal(args[1], &o)
	}
	return o.Commitment
}

func toSlots(*wire.Call, []json.RawMessage) *subscription {
	return &subscription{slots: func(newest func(string) uint64) []json.RawMessage {
		slot := newest("processed")
		return []json.RawMessage{world.JSON(`{"slot":?,"parent":?,"root":?}`, slot, slot-1, newest("finalized"))}
	}}
}

// toRoots notifies each root twice, as nodes do.
func toRoots(*wire.Call, []json.RawMessage) *subscription {
	return &subscription{slots: func(newest func(string) uint64) []json.RawMessage {
		root := world.Encode(newest("finalized"))
		return []json.RawMessage{root, root}
	}}
}

// A transactionFilter is the first parameter of transactionSubscribe.
type transactionFilter struct {
	Vote          *bool    `json:"vote"`
	Failed        *bool    `json:"failed"`
	Signature     string   `json:"signature"`
	Include       []string `json:"accountInclude"`
	Exclude       []string `json:"accountExclude"`
	Required      []string `json:"accountRequired"`
	TokenAccounts string   `json:"tokenAccounts"`

	reach int
}

func toTransactions(c *wire.Call, args []json.RawMessage) *subscription {
	var f transactionFilter
	o := struct {
		Commitment string `json:"commitment"                     oneof:"processed confirmed finalized"`
		Encoding   string `json:"encoding"                       oneof:"base58 base64 base64+zstd json jsonParsed"`
		Details    string `json:"transactionDetails"             oneof:"full signatures accounts none"`
		Rewards    bool   `json:"showRewards"`
		Version    *int   `json:"maxSupportedTransactionVersion"`
	}{Encoding: "base64", Details: "full"}
	c.Decode(args[0], &f, false)
	if len(args) > 1 {
		c.Decode(args[1], &o, false)
	}
	if !slices.Contains([]string{"", "none", "balanceChanged", "all"}, f.TokenAccounts) {
		c.Invalid("Invalid tokenAccounts value '%s', expected one of: none, balanceChanged, all", f.TokenAccounts)
	}
	keys(c, slices.Concat(f.Include, f.Exclude, f.Required))
	f.reach = c.Reach(f.TokenAccounts, "none")
	return &subscription{commitment: o.Commitment, notices: func(u world.Update) []json.RawMessage {
		x := u.Transaction
		if !f.wants(c.World, x) {
			return nil
		}
		if o.Details == "none" {
			return []json.RawMessage{world.JSON(`{"slot":?}`, x.Slot)}
		}
		var text json.RawMessage
		if o.Details != "signatures" {
			text = node.Text(c.World, x, node.Options{Encoding: o.Encoding, NoSlot: true, Version: o.Version != nil, Short: o.Details == "accounts"})
		}
		return []json.RawMessage{world.JSON(`{"signature":?,"slot":?,"transactionIndex":?,"transaction":~}`, x.Signature, x.Slot, x.Index, text)}
	}}
}

func (f *transactionFilter) wants(w *world.World, x *world.Transaction) bool {
	failed := x.Failure != ""
	if f.Failed != nil && *f.Failed != failed || f.Signature != "" && f.Signature != x.Signature {
		return false
	}
	reaches := w.Reaches(x)
	within := func(most int) func(string) bool {
		return func(key string) bool { reach, reached := reaches[key]; return reached && reach <= most }
	}
	named, included := within(world.Named), within(f.reach)
	return (len(f.Include) == 0 || slices.ContainsFunc(f.Include, included)) && !slices.ContainsFunc(f.Exclude, named) &&
		!slices.ContainsFunc(f.Required, func(key string) bool { return !named(key) })
}

func toParsed(c *wire.Call, args []json.RawMessage) *subscription {
	var f decoded.Filter
	c.Decode(args[0], &f, true)
	if len(f.Programs)+len(f.Accounts.Include) == 0 {
		c.Invalid("at least one of programs or accounts.include is required")
	}
	return &subscription{commitment: "confirmed", notices: func(u world.Update) []json.RawMessage {
		if value := f.Value(c.World, u.Transaction); value != nil {
			return []json.RawMessage{wire.InContext(u.Transaction.Slot, value)}
		}
		return nil
	}}
}

// keys refuses texts that are not addresses.
func keys(c *wire.Call, all []string) {
	for _, key := range all {
		if !world.IsAddress(key) {
			c.Invalid("Invalid Request: Invalid pubkey provided")
		}
	}
}
