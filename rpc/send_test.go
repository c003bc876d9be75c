package rpc_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// signedTransaction returns a transaction that a node accepted, and its signature.
func signedTransaction() ([]byte, types.Signature) {
	body, _ := golden.Full("rpc/sendTransaction")
	_, after, _ := strings.Cut(string(body), `"params":["`)
	text, _, _ := strings.Cut(after, `"`)
	signed, _ := base64.StdEncoding.DecodeString(text)
	return signed, "4UtmT1kRCPJY8Sokt14oNtdbZW4LqPMxWDr2kg6rDHfjWvP5rwJ4KsR9V8tK3jmxoFVrt4bi7oCDAijj3NCcqDoV"
}

// refused is the response of a node whose preflight failed, with the data that it has of
// each failure.
func refused(message, err string) string {
	return `{"jsonrpc":"2.0","id":null,"error":{"code":-32002,"message":"Transaction simulation failed: ` + message + `","data":{"accounts":null,"err":` + err +
		`,"fee":10000,"innerInstructions":null,"loadedAccountsDataSize":109395,"loadedAddresses":null,"logs":["Program log: Error: insufficient funds"],` +
		`"postBalances":null,"postTokenBalances":null,"preBalances":null,"preTokenBalances":null,"replacementBlockhash":null,"returnData":null,"unitsConsumed":181}}}`
}

const lost = `{"jsonrpc":"2.0","id":null,"res` // a response that breaks off

func TestFailedPreflightIsAnErrorWithTheSimulation(t *testing.T) {
	t.Parallel()
	signed, _ := signedTransaction()
	s := fakeapi.New()
	s.Answer(200, refused("Error processing Instruction 0: custom program error: 0x1", `{"InstructionError":[0,{"Custom":1}]}`))
	_, err := clientOf(t, s).SendTransaction(t.Context(), signed, nil)
	require.NotErrorIs(t, err, types.ErrMayHaveExecuted)
	var failed *rpc.PreflightError
	require.ErrorAs(t, err, &failed)
	require.JSONEq(t, `{"InstructionError":[0,{"Custom":1}]}`, string(failed.Simulation.TransactionError))
	require.Equal(t, []string{"Program log: Error: insufficient funds"}, failed.Simulation.Logs)
	require.EqualValues(t, 181, failed.Simulation.UnitsConsumed)
	require.EqualValues(t, 10_000, *failed.Simulation.FeeLamports)
	require.EqualValues(t, 109_395, failed.Simulation.LoadedAccountsDataSize)
	var refusal *types.APIError
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, -32002, refusal.Code)
	require.Len(t, s.Requests(), 1)
}

// A signed transaction is executed at most once, so that a lost call is repeated.
func TestLostSendIsRepeated(t *testing.T) {
	t.Parallel()
	signed, signature := signedTransaction()
	accepted := `{"jsonrpc":"2.0","id":null,"result":"` + string(signature) + `"}`
	behind := `{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"Node is behind by 42 slots","data":{"numSlotsBehind":42}}}`
	for _, row := range []struct {
		name     string
		answers  []string
		sent     bool
		unsure   bool
		failed   bool // a PreflightError
		requests int
	}{
		{"lost, then accepted", []string{lost, accepted}, true, false, false, 2},
		{"lost, then processed already", []string{lost, refused("This transaction has already been processed", `"AlreadyProcessed"`)}, true, false, false, 2},
		{"processed already", []string{refused("This transaction has already been processed", `"AlreadyProcessed"`)}, true, false, false, 1},
		{"a failed preflight whose units cannot be read", []string{`{"jsonrpc":"2.0","id":null,"error":{"code":-32002,"message":"failed","data":{"err":"AccountNotFound","unitsConsumed":-1}}}`}, false, false, true, 1},
		{"lost, then expired", []string{lost, refused("Blockhash not found", `"BlockhashNotFound"`)}, false, true, true, 2},
		{"lost each time", []string{lost}, false, true, false, 4},
		{"a node that is behind, then accepted", []string{behind, accepted}, true, false, false, 2},
		{"nodes that are behind", []string{behind}, false, false, false, 4},
		{"of another transaction", []string{strings.Replace(accepted, "4Utm", "5Utm", 1)}, false, true, false, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := fakeapi.New()
				for range 4 {
					for _, answer := range row.answers {
						s.Answer(200, answer)
					}
				}
				got, err := clientOf(t, s).SendTransaction(t.Context(), signed, nil)
				require.Equal(t, row.sent, err == nil, err)
				if row.sent {
					require.Equal(t, signature, got)
				}
				require.Equal(t, row.unsure, errors.Is(err, types.ErrMayHaveExecuted), err)
				var failed *rpc.PreflightError
				require.Equal(t, row.failed, errors.As(err, &failed), err)
				require.Len(t, s.Requests(), row.requests)
			})
		})
	}
}

func TestSendOptionsInTheURL(t *testing.T) {
	t.Parallel()
	signed, signature := signedTransaction()
	s := fakeapi.New()
	s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":"`+string(signature)+`"}`)
	s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":"`+string(signature)+`"}`)
	cfg := s.Config()
	cfg.SenderURL = cfg.RPCURL + "/fast"
	c, err := rpc.New(cfg)
	require.NoError(t, err)
	_, err = c.SendTransaction(t.Context(), signed, &rpc.SendOptions{MEVProtect: true, RebateAddress: fakeapi.Wallet})
	require.NoError(t, err)
	_, err = c.SendTransaction(t.Context(), signed, &rpc.SendOptions{Sender: true, SWQoSOnly: true})
	require.NoError(t, err)
	sent := s.Requests()
	require.Equal(t, url.Values{"api-key": {fakeapi.Key}, "mev-protect": {"true"}, "rebate-address": {fakeapi.Wallet}}, sent[0].Query)
	require.Equal(t, url.Values{"api-key": {fakeapi.Key}, "swqos_only": {"true"}}, sent[1].Query)
	require.Equal(t, "/fast", sent[1].Path)
	require.Contains(t, sent[1].Body, `"skipPreflight":true,"maxRetries":0`)

	devnet, err := rpc.New(types.Config{APIKey: types.Key(fakeapi.Key), Network: types.NetworkDevnet})
	require.NoError(t, err)
	_, err = devnet.SendTransaction(t.Context(), signed, &rpc.SendOptions{Sender: true})
	require.EqualError(t, err, "rpc.Client.SendTransaction: types.Config: Network devnet has no Sender API; set Network to mainnet, or SenderURL to a host that has it: invalid argument")
}

// Transactions of version 1 have their signatures at the end.
func TestSignatureOfEachVersion(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"base64", "v1-base64"} {
		body, _ := golden.Answer("rpc/getTransaction-" + version)
		asked, _ := golden.Full("rpc/getTransaction-" + version)
		_, after, _ := strings.Cut(string(body), `"transaction":["`)
		text, _, _ := strings.Cut(after, `"`)
		signed, err := base64.StdEncoding.DecodeString(text)
		require.NoError(t, err)
		got, err := tx.SignatureOf(signed)
		require.NoError(t, err)
		require.Contains(t, string(asked), `"params":["`+string(got)+`"`)
	}
	message := append([]byte{0x80, 1, 0, 1}, bytes.Repeat([]byte{7}, 200)...) // version 0, unsigned
	_, err := tx.SignatureOf(message)
	require.ErrorIs(t, err, types.ErrInvalid)
}
