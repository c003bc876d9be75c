package conformance_test

import (
	"strings"

	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
)

func streamRows() []row {
	transactions := func(o *stream.TransactionsOptions) call { return calling("stream.Client.Transactions", o) }
	parsed := func(o *stream.ParsedTransactionsOptions) call { return calling("stream.Client.ParsedTransactions", o) }
	badAccounts := func(f func([]types.Address) call) []refusal {
		return badAddress("Accounts[0]", func(a types.Address) call { return f([]types.Address{a}) })
	}
	of := []types.Address{owner}
	return finished([]row{
		{
			method: "stream.Client.Account", wire: "accountSubscribe", golden: "stream/accountSubscribe",
			args: []any{owner}, options: &stream.AccountOptions{Commitment: types.CommitmentFinalized, Encoding: types.EncodingBase64},
			refused: []refusal{
				{calling("stream.Client.Account", owner, &stream.AccountOptions{Encoding: types.EncodingJSON}), `Encoding "json" is not jsonParsed, base64 or base64+zstd`},
			},
		},
		{
			method: "stream.Client.ProgramAccounts", wire: "programSubscribe", golden: "stream/programSubscribe",
			args: []any{token2022},
			options: &stream.ProgramAccountsOptions{
				AccountOptions: stream.AccountOptions{Commitment: types.CommitmentFinalized, Encoding: types.EncodingBase64Zstd},
				Filters:        []types.Filter{types.DataSize(165), types.MemcmpAddress(0, mint)}, SinceSlot: 5,
			},
			refused: []refusal{
				{calling("stream.Client.ProgramAccounts", token2022, &stream.ProgramAccountsOptions{Filters: []types.Filter{{}}}), "Filters[0] has no condition; make it with types.Memcmp, MemcmpAddress or DataSize"},
			},
		},
		{
			method: "stream.Client.Logs", wire: "logsSubscribe", golden: "stream/logsSubscribe",
			args: []any{owner}, options: &stream.LogsOptions{Commitment: types.CommitmentFinalized, SinceSlot: 5},
			refused: []refusal{
				{calling("stream.Client.Logs", owner, &stream.LogsOptions{Commitment: types.CommitmentProcessed}), notProcessed},
			},
		},
		{
			method: "stream.Client.AllLogs", wire: "logsSubscribe", golden: "stream/logsSubscribe-all",
			options: &stream.AllLogsOptions{Commitment: types.CommitmentFinalized, FillFromBlocks: true, SinceSlot: 5},
			refused: []refusal{
				{calling("stream.Client.AllLogs", &stream.AllLogsOptions{SinceSlot: 5}), "SinceSlot needs FillFromBlocks"},
				{calling("stream.Client.AllLogs", &stream.AllLogsOptions{Commitment: types.CommitmentProcessed}), notProcessed},
			},
		},
		{
			method: "stream.Client.Transactions", wire: "transactionSubscribe", golden: "stream/transactionSubscribe",
			minimal: transactions(&stream.TransactionsOptions{Accounts: of}),
			full: transactions(&stream.TransactionsOptions{
				Accounts: of, Required: []types.Address{delegate}, Excluded: []types.Address{mint}, TokenAccounts: types.TokenAccountHistoryAll,
				Outcome: types.OutcomeSucceeded, Commitment: types.CommitmentFinalized, Encoding: types.EncodingJSONParsed, SinceSlot: 5,
			}),
			refused: append(badAccounts(func(all []types.Address) call { return transactions(&stream.TransactionsOptions{Accounts: all}) }), refusal{transactions(nil), "Accounts is empty, which would be all transactions of the chain"},
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
			refused: append(badAccounts(func(all []types.Address) call { return parsed(&stream.ParsedTransactionsOptions{Accounts: all}) }), refusal{parsed(nil), "Accounts and Programs are empty"},
				refusal{parsed(&stream.ParsedTransactionsOptions{Accounts: of, Outcome: types.OutcomeFailed}), `Outcome "failed" is not all or success`}),
		},
		{
			method: "stream.Client.Slots", wire: "slotSubscribe", golden: "stream/slotSubscribe",
		},
		{
			method: "stream.Client.Roots", wire: "rootSubscribe", golden: "stream/rootSubscribe",
		},
		{
			method: "stream.Client.Confirm", wire: "signatureSubscribe", golden: "stream/signatureSubscribe",
			args: []any{strings.Repeat("2", 88)}, options: &stream.ConfirmOptions{Commitment: types.CommitmentFinalized},
		},
	})
}
