package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/rpc/stream/internal/merge"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/parsed"
)

var opParsedTransactions = op("stream.Client.ParsedTransactions", "parsedTransactionSubscribe")

// ParsedTransactionsOptions are the options of [Client.ParsedTransactions]. A transaction has to
// match all options, and one element of each list. Accounts or Programs are required.
type ParsedTransactionsOptions struct {
	// Accounts are accounts that an instruction names; at most 100. A transfer of tokens to a
	// wallet may name only its token account: see [types.AssociatedTokenAddress]. Wire name:
	// accounts.include.
	Accounts []types.Address

	Programs         []types.Address // called directly or by another program; at most 10
	InstructionNames []string        // regardless of case and separators; at most 50

	// Roles are the accounts of an instruction by their role in its program, such as authority;
	// at most 20. All of them have to match. Wire name: accounts.roles.
	Roles map[string]types.Address

	// Outcome is types.OutcomeAll or types.OutcomeSucceeded; empty means all. Wire name:
	// includeFailed.
	Outcome types.Outcome

	HideInner bool // instructions of cross-program invocations do not match. Wire name: includeCpi

	// SinceSlot continues after a restart: see Resume in the package comment. It needs Accounts.
	// 0 means from now on.
	SinceSlot uint64
}

// A ParsedTransactionEvent is a parsed transaction of a stream.
type ParsedTransactionEvent struct {
	Signature types.Signature `json:"signature"`

	// Parsed is nil if the service could not parse the transaction: ParserError says why. Parsed has
	// a BlockTime only if it comes from the history.
	Parsed      *parsed.Transaction `json:"parsed"`
	ParserError *parsed.ParserError `json:"parserError"`

	Position
}

// ParsedTransactions iterates over confirmed transactions, decoded by Parsed Events of Helius, on
// mainnet only. A transfer of tokens to a wallet may name only its token account:
// [Client.Transactions] has such transactions too. Without Accounts, the transactions of a gap are
// lost.
//
// It works on every plan. Each event costs 1 credit, whatever its size. After a gap, the history
// of each account costs 10 credits per 100 transactions, and at least 20.
//
// WebSocket method: parsedTransactionSubscribe.
func (c *Client) ParsedTransactions(ctx context.Context, opts *ParsedTransactionsOptions) iter.Seq2[ParsedTransactionEvent, error] {
	o := argument.Options(opts)
	invalid := o.check()
	if c.parsedSubs == nil {
		invalid = argument.Invalid("types.Config: Network devnet", "has no Parsed Events; set Network to mainnet")
	}
	item := notified(opParsedTransactions, (*parsedNotification).item)
	m := merge.Merge[ParsedTransactionEvent]{Wants: o.wants, Since: o.SinceSlot}
	if len(o.Accounts) > 0 {
		m.History = o.history(c)
	}
	s := subscription{op: opParsedTransactions, invalid: invalid, subs: c.parsedSubs, params: o.params()}
	return follow(ctx, c, s, func(result json.RawMessage) parsedItem {
		c.api.Charge(opParsedTransactions.Wire, 1)
		return item(result)
	}, func(e *ParsedTransactionEvent, id string) {
		e.Signature = types.Signature(id)
	}, m)
}

func (o *ParsedTransactionsOptions) check() error {
	for name, role := range o.Roles {
		if err := argument.Address("Roles["+argument.Quote(name)+"]", role); err != nil {
			return err
		}
	}
	switch {
	case len(o.Accounts)+len(o.Programs) == 0:
		return argument.Invalid("Accounts", "and Programs are empty")
	case o.SinceSlot != 0 && len(o.Accounts) == 0:
		return argument.Invalid("SinceSlot", "needs Accounts, since programs have no history")
	}
	return cmp.Or(argument.OneOf("Outcome", o.Outcome, "", types.OutcomeAll, types.OutcomeSucceeded), argument.Fields(o))
}

func (o *ParsedTransactionsOptions) params() []any {
	type accounts struct {
		Include []types.Address          `json:"include,omitempty"`
		Roles   map[string]types.Address `json:"roles,omitempty"`
	}
	type config struct {
		Commitment types.Commitment `json:"commitment"`
		Details    string           `json:"details"`
	}
	type filter struct {
		Programs []types.Address `json:"programs,omitempty"`
		Names    []string        `json:"instructionNames,omitempty"`
		Accounts *accounts       `json:"accounts,omitempty"`
		Failed   bool            `json:"includeFailed"`
		Inner    bool            `json:"includeCpi"`
	}
	f := filter{Programs: o.Programs, Names: o.InstructionNames, Failed: o.Outcome != types.OutcomeSucceeded, Inner: !o.HideInner}
	if len(o.Accounts)+len(o.Roles) > 0 {
		f.Accounts = &accounts{o.Accounts, o.Roles}
	}
	return []any{f, config{types.CommitmentConfirmed, "full"}}
}

// history reads the histories of all accounts. Parsed Events does not tell the slot it has
// reached: the second fill finds late transactions.
func (o *ParsedTransactionsOptions) history(c *Client) merge.History[ParsedTransactionEvent] {
	return historyOf(c, pagePrice(), o.Accounts, func(ctx context.Context, account types.Address, since, until uint64, cursor string) types.List[parsed.Result] {
		return c.parsed.History(ctx, account, &parsedapi.HistoryOptions{
			// as the stream
			Ascending: true, SinceSlot: since, UntilSlot: until + merge.Margin + 1, TokenAccounts: types.TokenAccountHistoryNone, PageOptions: types.PageOptions{Cursor: cursor},
		})
	}, resultItem)
}

type parsedItem = merge.Item[ParsedTransactionEvent]

func resultItem(r parsed.Result) parsedItem {
	item := parsedItem{ID: string(r.Signature), Value: ParsedTransactionEvent{Signature: r.Signature, Parsed: r.Parsed, ParserError: r.ParserError}}
	if r.Parsed != nil {
		item.Slot = r.Parsed.Slot
	}
	return item
}

// wants applies the filters that histories do not have. Unreadable transactions pass.
func (o *ParsedTransactionsOptions) wants(e *ParsedTransactionEvent) bool {
	t := e.Parsed
	if t == nil {
		return true
	}
	if o.Outcome == types.OutcomeSucceeded && t.Failed() {
		return false
	}
	return len(o.Programs)+len(o.InstructionNames)+len(o.Roles) == 0 && !o.HideInner ||
		slices.ContainsFunc(t.Instructions, func(i parsed.Instruction) bool { return o.matches(&i) })
}

func (o *ParsedTransactionsOptions) matches(i *parsed.Instruction) bool {
	if o.HideInner && i.InnerInstructionIndex != nil {
		return false
	}
	if len(o.Programs) > 0 && !slices.Contains(o.Programs, i.ProgramID) {
		return false
	}
	same := func(name string) bool { return plainName(name) == plainName(i.Name) }
	if len(o.InstructionNames) > 0 && !slices.ContainsFunc(o.InstructionNames, same) {
		return false
	}
	for role, address := range o.Roles {
		if account, ok := i.Decoded.Account(role); !ok || account.Address != address {
			return false
		}
	}
	return true
}

// plainName is a name without case and separators.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// A plainParsed is a parsed.Transaction without its UnmarshalJSON.
type plainParsed parsed.Transaction

// A parsedNotification is the value of a parsedTransactionSubscribe notification. HTTP places
// and names its members otherwise.
type parsedNotification struct {
	Value struct {
		Transaction struct {
			plainParsed

			Signature types.Signature `json:"signature"`
			Status    string          `json:"status"`
		} `json:"transaction"`
		Instructions []parsed.Instruction `json:"instructions"`
	} `json:"value"`
}

func (in *parsedNotification) item() parsedItem {
	sent := &in.Value.Transaction
	if sent.Status == "" {
		return parsedItem{}
	}
	t := parsed.Transaction(sent.plainParsed)
	t.Status, t.TransactionError, t.Instructions = parsed.Status(strings.ToUpper(sent.Status)), decode.Present(t.TransactionError), in.Value.Instructions
	return resultItem(parsed.Result{Signature: sent.Signature, Parsed: &t})
}
