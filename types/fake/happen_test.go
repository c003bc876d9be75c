package fake_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mr-tron/base58"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/rpc/parsed"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/enhanced"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
)

var (
	program = types.AddressOf([32]byte{1, 2, 3})
	counter = types.AddressOf([32]byte{1, 2, 4})
)

// live returns a fake in which ann has 3 SOL, 7.25 of ONE and two NFTs.
func live() *fake.Service {
	return fake.New(&fake.Options{World: &fake.World{
		Wallets: []fake.Wallet{
			{Address: ann, SOL: decimal.NewFromInt(3), Tokens: []fake.Token{{Mint: one, Symbol: "ONE", Decimals: 2, Amount: decimal.RequireFromString("7.25")}}},
			{Address: bob, SOL: decimal.NewFromInt(5)},
		},
		NFTs: []fake.NFT{{ID: numbered(1), Owner: ann, Name: "Kit"}, {ID: numbered(2), Owner: ann, Name: "Leaf", Compressed: true}},
	}})
}

// of returns n of an amount of a mint, from ann to bob.
func of(mint types.Address, amount string) fake.Transfer {
	return fake.Transfer{From: ann, To: bob, Mint: mint, Amount: decimal.RequireFromString(amount)}
}

// kinds are one transaction of each kind, in the order in which they happen.
func kinds() []fake.Transaction {
	price := fake.Transfer{From: bob, To: ann, Amount: decimal.RequireFromString("1.5")}
	return []fake.Transaction{
		{Transfers: []fake.Transfer{of("", "0.1"), of("", "0.2")}, Memo: "rent"},
		{Transfers: []fake.Transfer{of(one, "2.5")}},
		{Type: txtype.NFTSale, FeePayer: bob, Transfers: []fake.Transfer{of(numbered(1), "1"), price}},
		{Type: txtype.NFTSale, FeePayer: bob, Transfers: []fake.Transfer{of(numbered(2), "1"), price}},
		{FeePayer: ann, Err: "InstructionError: [1, Custom(7)]", Instructions: []fake.Instruction{{Program: program}, {Program: program, Data: []byte{9}}, {Program: program}}},
		{FeePayer: ann, Err: `{"InsufficientFundsForRent":{"account_index":0}}`},
		{
			FeePayer: ann, Instructions: []fake.Instruction{{
				Program: program, Accounts: []types.Address{ann, counter}, Data: []byte{1}, ProgramName: "counters", Name: "increment",
				Args: json.RawMessage(`{"by":1}`), Roles: []string{"authority", "counter"},
			}},
			ProgramAccounts: []fake.ProgramAccount{{Address: counter, Program: program, Data: []byte{1, 0, 0, 0}}},
		},
		{FeePayer: ann, ClosedAccounts: []types.Address{counter}},
		{FeePayer: ann, CompressedAccounts: []fake.CompressedAccount{{Owner: ann, Hash: leaf, Data: []byte{1}, Lamports: 7}}},
		{FeePayer: ann, SpentHashes: []types.Hash{leaf}, CompressedTokenAccounts: []fake.CompressedTokenAccount{{Owner: bob, Mint: one, RawAmount: 50}}},
	}
}

const leaf = types.Hash("2Bob1111111111111111111111111111111111111111")

func TestEveryTransactionIsSeenAlikeByAllMethods(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		type call struct {
			Program  types.Address   `json:"programId"`
			Data     string          `json:"rawData"`
			Accounts []types.Address `json:"rawAccounts"`
		}
		s := live()
		var signatures []types.Signature
		for _, x := range kinds() {
			signatures = append(signatures, s.Happen(x).Signature())
		}
		signatures = append(signatures, s.Swap(bob).Signature(), fake.New(nil).Swap(ann).Signature())
		time.Sleep(13 * time.Second)
		chain := node(t, s)
		events, err := parsed.New(s.Config())
		require.NoError(t, err)
		results, err := events.Transactions(t.Context(), signatures, nil)
		require.NoError(t, err)
		require.Nil(t, results[len(signatures)-1], "of another fake")
		for i, signature := range signatures[:len(signatures)-1] {
			x, err := chain.Transaction(t.Context(), signature, nil)
			require.NoError(t, err)
			keys, r := x.Accounts(), results[i].Parsed
			var want, got, whole []call
			for at, c := range x.Signed.Message.Instructions {
				inner := []call{}
				add := func(programIndex int, accounts []int, data string) call {
					c := call{Program: keys[programIndex], Data: data, Accounts: []types.Address{}}
					for _, n := range accounts {
						c.Accounts = append(c.Accounts, keys[n])
					}
					return c
				}
				want = append(want, add(c.ProgramIDIndex, c.Accounts, c.Data))
				for _, of := range x.Meta.InnerInstructions {
					for _, c := range of.Instructions {
						if of.Index == at {
							inner = append(inner, add(c.ProgramIDIndex, c.Accounts, c.Data))
						}
					}
				}
				want = append(want, inner...)
			}
			for _, c := range r.Instructions {
				got = append(got, call{c.ProgramID, c.Data, c.Accounts})
			}
			require.Equal(t, want, got, "%d", i)
			require.Equal(t, string(x.Meta.Err), string(r.Err))
			require.Equal(t, x.Meta.FeeLamports, r.FeeLamports)
			require.Equal(t, x.Slot, r.Slot)
			if x.Meta.Err == nil && len(want) > 0 {
				calls := x.Signed.Message.Instructions
				require.Equal(t, "Program "+string(keys[calls[len(calls)-1].ProgramIDIndex])+" success", x.Meta.LogMessages[len(x.Meta.LogMessages)-1])
			}

			var e []enhanced.Transaction
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Config().WebhooksURL+"/v0/transactions?api-key="+fake.Key,
				strings.NewReader(`{"transactions":["`+string(signature)+`"]}`))
			require.NoError(t, err)
			req.Header.Set("Content-Type", "application/json")
			resp, err := s.Config().HTTPClient.Do(req)
			require.NoError(t, err)
			require.NoError(t, json.NewDecoder(resp.Body).Decode(&e))
			require.NoError(t, resp.Body.Close())
			for _, c := range e[0].Instructions {
				whole = append(whole, call{c.ProgramID, c.Data, c.Accounts})
				for _, c := range c.InnerInstructions {
					whole = append(whole, call{c.ProgramID, c.Data, c.Accounts})
				}
			}
			require.Equal(t, want, whole)
			for _, a := range e[0].AccountData {
				for at, key := range keys {
					if key == a.Account {
						require.Equal(t, int64(x.Meta.PostBalances[at]-x.Meta.PreBalances[at]), a.NativeBalanceChange, "%d %s", i, key)
					}
				}
			}
			history, err := wallets(t, s.Config()).History(t.Context(), keys[0], nil).Collect(100)
			require.NoError(t, err)
			seen := 0
			for _, h := range history {
				if h.Signature == signature {
					seen++
					require.Equal(t, x.Slot, h.Slot)
					require.Equal(t, x.Meta.Err != nil, h.Err != "")
				}
			}
			require.Equal(t, 1, seen)
			for _, key := range keys {
				list, err := chain.SignaturesForAddress(t.Context(), key, nil).Collect(100)
				require.NoError(t, err)
				require.Contains(t, signaturesOf(list), signature, "%d %s", i, key)
			}
		}

		assets, err := das.New(s.Config())
		require.NoError(t, err)
		owned, err := assets.AssetsByOwner(t.Context(), bob, nil).Collect(10)
		require.NoError(t, err)
		require.Len(t, owned, 2, "ann sold both")
		indexer, err := compressed.New(s.Config())
		require.NoError(t, err)
		_, err = indexer.Account(t.Context(), leaf)
		require.ErrorIs(t, err, types.ErrNotFound, "it was spent")
		tokens, err := indexer.TokenAccountsByOwner(t.Context(), bob, nil).Collect(10)
		require.NoError(t, err)
		require.Len(t, tokens, 1)
	})
}

func signaturesOf(list []rpc.SignatureInfo) (all []types.Signature) {
	for _, x := range list {
		all = append(all, x.Signature)
	}
	return all
}

func TestLiveTransactionsReachEachCommitment(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := live()
		chain := node(t, s)
		newest, err := chain.Slot(t.Context(), processed)
		require.NoError(t, err)
		failed := s.Happen(kinds()[4]).Signature()
		dropped := s.Happen(fake.Transaction{Transfers: []fake.Transfer{of("", "1")}, Dropped: true}).Signature()
		began := time.Now()
		for _, want := range []types.Commitment{types.CommitmentProcessed, types.CommitmentConfirmed, types.CommitmentFinalized} {
			time.Sleep(map[types.Commitment]time.Duration{types.CommitmentConfirmed: time.Second, types.CommitmentFinalized: 12 * time.Second}[want])
			all, err := chain.SignatureStatuses(t.Context(), []types.Signature{failed, dropped}, nil)
			require.NoError(t, err)
			require.Equal(t, newest, all[0].Slot, "a program that starts at the newest slot sees it")
			require.Equal(t, want, all[0].ConfirmationStatus)
			require.JSONEq(t, `{"InstructionError":[1,{"Custom":7}]}`, string(all[0].Err))
			require.Equal(t, want == types.CommitmentProcessed, all[1] != nil)
		}
		require.Equal(t, 13*time.Second, time.Since(began))
	})
}

func TestStreamsShowAccountsAndNamesOfAnOwnProgram(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := live()
		c, err := stream.New(s.Config())
		require.NoError(t, err)
		defer c.Close()
		time.AfterFunc(3*time.Second, func() {
			s.Happen(kinds()[6])
			time.Sleep(time.Second) // of two changes in a slot, the last is notified
			again := kinds()[6]
			again.ProgramAccounts[0].Data = []byte{2, 0, 0, 0}
			s.Happen(again)
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var data []byte
		for e, err := range c.ProgramAccounts(ctx, program, nil) {
			require.NoError(t, err)
			require.Equal(t, counter, e.Address)
			b, err := e.Account.Data.Bytes()
			require.NoError(t, err)
			if data = append(data, b[0]); len(data) == 2 {
				break
			}
		}
		require.Equal(t, []byte{1, 2}, data)

		time.AfterFunc(3*time.Second, func() { s.Happen(kinds()[6]) })
		for e, err := range c.ParsedTransactions(ctx, &stream.ParsedTransactionsOptions{
			Programs: []types.Address{program}, InstructionNames: []string{"Increment"}, Roles: map[string]types.Address{"authority": ann},
		}) {
			require.NoError(t, err)
			by, ok := e.Parsed.Instructions[0].Decoded.Uint64("by")
			require.True(t, ok)
			require.EqualValues(t, 1, by)
			break
		}
	})
}

func TestWhatCannotHappenPanicsAndChangesNothing(t *testing.T) {
	t.Parallel()
	s := live()
	for want, x := range map[string]fake.Transaction{
		"holds 725 of " + string(one):           {Transfers: []fake.Transfer{of(one, "7.26")}},
		"belongs to " + string(ann):             {Transfers: []fake.Transfer{{From: bob, To: ann, Mint: numbered(2), Amount: decimal.NewFromInt(1)}}},
		"is not a token of a wallet":            {Transfers: []fake.Transfer{of(numbered(9), "1")}},
		"has neither transfers nor a fee payer": {},
		"what happens, happens now":             {FeePayer: ann, BlockTime: types.Time{Time: time.Unix(1, 0)}},
		"no compressed account has the hash":    {FeePayer: ann, SpentHashes: []types.Hash{leaf}},
		"cannot be closed":                      {FeePayer: ann, ClosedAccounts: []types.Address{counter}},
	} {
		func() {
			defer func() { require.Contains(t, recover(), want) }()
			s.Happen(x)
		}()
	}
	balance, err := node(t, s).Balance(t.Context(), ann, processed)
	require.NoError(t, err)
	require.Equal(t, uint64(3_000_000_000), balance)
}

func TestSignedTransactionIsSentAndConfirmed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		key := ed25519.NewKeyFromSeed(make([]byte, 32))
		public := key[32:]
		me := types.AddressOf([32]byte(public))
		s := fake.New(&fake.Options{World: &fake.World{Wallets: []fake.Wallet{{Address: me, SOL: decimal.NewFromInt(1)}}}})
		chain := node(t, s)
		var last string
		send := func(lamports uint64) (signature types.Signature, err error) {
			blockhash, err := chain.LatestBlockhash(t.Context(), nil)
			require.NoError(t, err)
			hash, err := blockhash.Hash.Bytes()
			require.NoError(t, err)
			message := append([]byte{1, 0, 1, 3}, public...)
			to := types.AddressOf([32]byte{9})
			for _, address := range []types.Address{to, "11111111111111111111111111111111"} {
				b, err := address.Bytes()
				require.NoError(t, err)
				message = append(message, b[:]...)
			}
			message = append(append(message, hash[:]...), 1, 2, 2, 0, 1, 12)
			message = binary.LittleEndian.AppendUint64(append(message, 2, 0, 0, 0), lamports)
			signed := append(append([]byte{1}, ed25519.Sign(key, message)...), message...)
			last = base64.StdEncoding.EncodeToString(signed)
			if err := chain.Call(t.Context(), "sendTransaction", []any{last, map[string]string{"encoding": "base64"}}, &signature); err != nil {
				return "", err
			}
			require.Equal(t, base58.Encode(signed[1:65]), string(signature))
			return signature, nil
		}
		signature, err := send(12_345)
		require.NoError(t, err)
		c, err := stream.New(s.Config())
		require.NoError(t, err)
		defer c.Close()
		status, err := c.Confirm(t.Context(), signature, nil)
		require.NoError(t, err)
		require.Nil(t, status.Err)
		balance, err := chain.Balance(t.Context(), me, &rpc.ReadOptions{Commitment: types.CommitmentConfirmed})
		require.NoError(t, err)
		require.EqualValues(t, 1_000_000_000-12_345-5000, balance)

		var again types.Signature
		err = chain.Call(t.Context(), "sendTransaction", []any{last, map[string]string{"encoding": "base64"}}, &again)
		require.ErrorContains(t, err, "already been processed")
		_, err = send(2_000_000_000)
		require.ErrorContains(t, err, "Error processing Instruction 0: custom program error: 0x1")
	})
}
