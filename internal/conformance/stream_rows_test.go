package conformance_test

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
)

// firstOf returns a call that reads the first event of a stream.
func firstOf[E any](open func(context.Context, *stream.Client) iter.Seq2[E, error]) call {
	return func(ctx context.Context, c *clients) (any, error) {
		for event, err := range open(ctx, c.stream) {
			if err != nil {
				return nil, err
			}
			return event, nil
		}
		return nil, errors.New("the stream ended")
	}
}

// badStreamAddress returns the refusals of an address of a stream.
func badStreamAddress(name string, open func(types.Address) call) []refusal {
	return badAddress(name, func(ctx context.Context, c *clients, a types.Address) (any, error) { return open(a)(ctx, c) })
}

func streamRows() []row {
	account := func(a types.Address, o *stream.AccountOptions) call {
		return firstOf(func(ctx context.Context, c *stream.Client) iter.Seq2[stream.AccountEvent, error] {
			return c.Account(ctx, a, o)
		})
	}
	program := func(a types.Address, o *stream.ProgramAccountsOptions) call {
		return firstOf(func(ctx context.Context, c *stream.Client) iter.Seq2[stream.AccountEvent, error] {
			return c.ProgramAccounts(ctx, a, o)
		})
	}
	logs := func(a types.Address, o *stream.LogsOptions) call {
		return firstOf(func(ctx context.Context, c *stream.Client) iter.Seq2[stream.LogsEvent, error] {
			return c.Logs(ctx, a, o)
		})
	}
	allLogs := func(o *stream.AllLogsOptions) call {
		return firstOf(func(ctx context.Context, c *stream.Client) iter.Seq2[stream.LogsEvent, error] {
			return c.AllLogs(ctx, o)
		})
	}
	transactions := func(o *stream.TransactionsOptions) call {
		return firstOf(func(ctx context.Context, c *stream.Client) iter.Seq2[stream.TransactionEvent, error] {
			return c.Transactions(ctx, o)
		})
	}
	parsed := func(o *stream.ParsedTransactionsOptions) call {
		return firstOf(func(ctx context.Context, c *stream.Client) iter.Seq2[stream.ParsedTransactionEvent, error] {
			return c.ParsedTransactions(ctx, o)
		})
	}
	confirm := func(s types.Signature, opts *stream.ConfirmOptions) call {
		return func(ctx context.Context, c *clients) (any, error) {
			status, err := c.stream.Confirm(ctx, s, opts)
			return resultOf(status, err)
		}
	}
	of := []types.Address{owner}
	return []row{
		{
			method: "stream.Client.Account", wire: "accountSubscribe", golden: "stream/accountSubscribe",
			minimal: account(owner, nil), full: account(owner, &stream.AccountOptions{Commitment: types.CommitmentFinalized, Encoding: types.EncodingBase64}),
			refused: []refusal{
				{account(owner, &stream.AccountOptions{Encoding: types.EncodingJSON}), `Encoding "json" is not jsonParsed, base64 or base64+zstd`},
			},
		},
		{
			method: "stream.Client.ProgramAccounts", wire: "programSubscribe", golden: "stream/programSubscribe",
			minimal: program(token2022, nil),
			full: program(token2022, &stream.ProgramAccountsOptions{
				AccountOptions: stream.AccountOptions{Commitment: types.CommitmentFinalized, Encoding: types.EncodingBase64Zstd},
				Filters:        []types.Filter{types.DataSize(165), types.MemcmpAddress(0, mint)}, SinceSlot: 5,
			}),
			refused: []refusal{
				{program(token2022, &stream.ProgramAccountsOptions{Filters: []types.Filter{{}}}), "Filters[0] has no condition; make it with types.Memcmp, MemcmpAddress or DataSize"},
			},
		},
		{
			method: "stream.Client.Logs", wire: "logsSubscribe", golden: "stream/logsSubscribe",
			minimal: logs(owner, nil), full: logs(owner, &stream.LogsOptions{Commitment: types.CommitmentFinalized, SinceSlot: 5}),
			refused: []refusal{
				{logs(owner, &stream.LogsOptions{Commitment: types.CommitmentProcessed}), notProcessed},
			},
		},
		{
			method: "stream.Client.AllLogs", wire: "logsSubscribe", golden: "stream/logsSubscribe-all",
			minimal: allLogs(nil), full: allLogs(&stream.AllLogsOptions{Commitment: types.CommitmentFinalized, FillFromBlocks: true, SinceSlot: 5}),
			refused: []refusal{
				{allLogs(&stream.AllLogsOptions{SinceSlot: 5}), "SinceSlot needs FillFromBlocks"},
				{allLogs(&stream.AllLogsOptions{Commitment: types.CommitmentProcessed}), notProcessed},
			},
		},
		{
			method: "stream.Client.Transactions", wire: "transactionSubscribe", golden: "stream/transactionSubscribe",
			minimal: transactions(&stream.TransactionsOptions{Accounts: of}),
			full: transactions(&stream.TransactionsOptions{
				Accounts: of, Required: []types.Address{delegate}, Excluded: []types.Address{mint}, TokenAccounts: types.TokenAccountHistoryAll,
				Outcome: types.OutcomeSucceeded, Commitment: types.CommitmentFinalized, Encoding: types.EncodingJSONParsed, SinceSlot: 5,
			}),
			refused: append(badStreamAddress("Accounts[0]", func(a types.Address) call {
				return transactions(&stream.TransactionsOptions{Accounts: []types.Address{a}})
			}), refusal{transactions(nil), "Accounts is empty, which would be all transactions of the chain"},
				refusal{transactions(&stream.TransactionsOptions{Accounts: of, Commitment: types.CommitmentProcessed}), notProcessed},
				refusal{transactions(&stream.TransactionsOptions{Accounts: of, Encoding: types.EncodingBase64Zstd}), `Encoding "base64+zstd" is not jsonParsed, base64 or base58`},
				refusal{transactions(&stream.TransactionsOptions{Accounts: of, Outcome: "bad"}), `Outcome "bad" is not all, success or failed`}),
		},
		{
			method: "stream.Client.ParsedTransactions", wire: "parsedTransactionSubscribe", golden: "stream/parsedTransactionSubscribe",
			minimal: parsed(&stream.ParsedTransactionsOptions{Accounts: of}),
			full: parsed(&stream.ParsedTransactionsOptions{
				Accounts: of, Programs: []types.Address{token2022}, InstructionNames: []string{"transfer"}, Roles: map[string]types.Address{"source": owner},
				Outcome: types.OutcomeSucceeded, HideInner: true, SinceSlot: 5,
			}),
			refused: append(badStreamAddress("Accounts[0]", func(a types.Address) call {
				return parsed(&stream.ParsedTransactionsOptions{Accounts: []types.Address{a}})
			}), refusal{parsed(nil), "Accounts and Programs are empty"},
				refusal{parsed(&stream.ParsedTransactionsOptions{Accounts: of, Outcome: types.OutcomeFailed}), `Outcome "failed" is not all or success`}),
		},
		{
			method: "stream.Client.Slots", wire: "slotSubscribe", golden: "stream/slotSubscribe",
			minimal: firstOf(func(ctx context.Context, c *stream.Client) iter.Seq2[stream.SlotEvent, error] {
				return c.Slots(ctx, nil)
			}),
		},
		{
			method: "stream.Client.Roots", wire: "rootSubscribe", golden: "stream/rootSubscribe",
			minimal: firstOf(func(ctx context.Context, c *stream.Client) iter.Seq2[stream.RootEvent, error] {
				return c.Roots(ctx, nil)
			}),
		},
		{
			method: "stream.Client.Confirm", wire: "signatureSubscribe", golden: "stream/signatureSubscribe",
			minimal: confirm(types.Signature(strings.Repeat("2", 88)), nil),
			full:    confirm(types.Signature(strings.Repeat("2", 88)), &stream.ConfirmOptions{Commitment: types.CommitmentFinalized}),
		},
	}
}
