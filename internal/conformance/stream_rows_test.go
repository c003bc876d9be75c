package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// streamOf opens a stream for a minute, and returns its error and the request to subscribe
// with an id of 1.
func streamOf(t *testing.T, cfg types.Config, s *fake.Service, r row, open call) (request string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := connect(t, cfg)
	defer c.stream.Close()
	_, err = open(ctx, c)
	for _, sent := range s.Requests() {
		if sent.Operation == r.wire { // the last one: a connection subscribes to slots too
			var message struct {
				JSONRPC string          `json:"jsonrpc"`
				ID      int             `json:"id"`
				Method  string          `json:"method"`
				Params  json.RawMessage `json:"params"`
			}
			require.NoError(t, json.Unmarshal([]byte(sent.Body), &message))
			message.ID = 1
			text, err := json.Marshal(message)
			require.NoError(t, err)
			request = string(text)
		}
	}
	return request, err
}

func TestSubscriptionsAreGolden(t *testing.T) {
	t.Parallel()
	eachOf(t, streamRows(), func(t *testing.T, r row) {
		for call, want := range r.calls(t) {
			synctest.Test(t, func(t *testing.T) {
				s := fake.New(nil)
				request, _ := streamOf(t, s.Config(), s, r, call)
				require.JSONEq(t, want, request)
			})
		}
	})
}

// A refused subscription names the operation, and neither its error nor the log has the key.
func TestRefusedSubscriptionsHideTheKey(t *testing.T) {
	t.Parallel()
	eachOf(t, streamRows(), func(t *testing.T, r row) {
		synctest.Test(t, func(t *testing.T) {
			s := fake.New(nil)
			var log bytes.Buffer
			cfg := s.Config()
			cfg.APIKey, cfg.Logger = types.Key(key), slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			s.FailFrom(r.wire, 1, fake.Fault{Code: -32602, Message: "what is " + key + "?"})
			_, err := streamOf(t, cfg, s, r, r.any())
			if r.wire != "slotSubscribe" { // which each connection needs, so it reconnects
				var refusal *types.APIError
				require.ErrorAs(t, err, &refusal)
				require.Equal(t, r.wire, refusal.Op)
				require.Equal(t, "what is ***?", refusal.Message)
				// roots and AllLogs are about the chain
				if r.wire != "rootSubscribe" && r.method != "stream.Client.AllLogs" {
					require.NotEmpty(t, refusal.Input)
				}
			}
			require.NotContains(t, strings.ToLower(fmt.Sprintf("%v %+v %#v %s", err, err, err, log.String())), key)
		})
	})
}

func streamRows() []row {
	transactions := func(accounts []types.Address, o *stream.TransactionsOptions) call {
		return calling("stream.Client.Transactions", accounts, o)
	}
	parsed := func(o *stream.ParsedTransactionsOptions) call { return calling("stream.Client.ParsedTransactions", o) }
	of := []types.Address{owner}
	return finished([]row{
		{
			method: "stream.Client.Account", wire: "accountSubscribe", golden: "stream/accountSubscribe",
			args: []any{owner}, options: &stream.AccountOptions{Commitment: types.CommitmentFinalized, Encoding: types.EncodingBase64},
			refused: []refusal{{calling("stream.Client.Account", owner, &stream.AccountOptions{Encoding: types.EncodingJSON}), `Encoding "json" is not jsonParsed, base64 or base64+zstd`}},
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
			refused: []refusal{{calling("stream.Client.Logs", owner, &stream.LogsOptions{Commitment: types.CommitmentProcessed}), notProcessed}},
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
			args: []any{of},
			options: &stream.TransactionsOptions{
				Required: []types.Address{delegate}, Excluded: []types.Address{mint}, TokenAccounts: types.TokenAccountHistoryAll,
				Outcome: types.OutcomeSucceeded, Commitment: types.CommitmentFinalized, Encoding: types.EncodingJSONParsed, SinceSlot: 5,
			},
			refused: append(badAddress("accounts[0]", func(a types.Address) call { return transactions([]types.Address{a}, nil) }),
				refusal{transactions(nil, nil), "accounts is empty, which would be all transactions of the chain"},
				refusal{transactions(of, &stream.TransactionsOptions{Commitment: types.CommitmentProcessed}), notProcessed},
				refusal{transactions(of, &stream.TransactionsOptions{Encoding: types.EncodingBase64Zstd}), `Encoding "base64+zstd" is not jsonParsed or base64`},
				refusal{transactions(of, &stream.TransactionsOptions{Outcome: "bad"}), `Outcome "bad" is not all, success or failed`}),
		},
		{
			method: "stream.Client.ParsedTransactions", wire: "parsedTransactionSubscribe", golden: "stream/parsedTransactionSubscribe",
			minimal: parsed(&stream.ParsedTransactionsOptions{Accounts: of}),
			full: parsed(&stream.ParsedTransactionsOptions{
				Accounts: of, Programs: []types.Address{token2022}, InstructionNames: []string{"transfer"}, Roles: map[string]types.Address{"source": owner},
				Outcome: types.OutcomeSucceeded, HideInner: true, SinceSlot: 5,
			}),
			refused: append(badAddress("Accounts[0]", func(a types.Address) call {
				return parsed(&stream.ParsedTransactionsOptions{Accounts: []types.Address{a}})
			}), refusal{parsed(nil), "Accounts and Programs are empty"},
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
			args: []any{strings.Repeat("2", 88)}, options: &stream.ConfirmOptions{Commitment: types.CommitmentFinalized, LastValidBlockHeight: 5},
		},
	})
}
