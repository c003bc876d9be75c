package fake_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mr-tron/base58"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
)

var (
	program = types.AddressOf([32]byte{1, 2, 3})
	counter = types.AddressOf([32]byte{1, 2, 4})
)

// liveWorld is a World in which ann has 3 SOL, 7.25 of ONE and two NFTs.
func liveWorld() *fake.World {
	wrapped := fake.Token{Mint: types.WrappedSOL, Decimals: 9, Amount: decimal.NewFromInt(1)}
	return &fake.World{
		Wallets: []fake.Wallet{
			{Address: ann, SOL: decimal.NewFromInt(3), Tokens: []fake.Token{{Mint: one, Symbol: "ONE", Decimals: 2, Amount: decimal.RequireFromString("7.25")}, wrapped}},
			{Address: bob, SOL: decimal.NewFromInt(5), Tokens: []fake.Token{{Mint: one, Decimals: 2, Amount: decimal.NewFromInt(9)}, wrapped}},
			{Address: types.AddressOf([32]byte(key(1)[32:])), SOL: decimal.NewFromInt(1)},
		},
		NFTs: []fake.NFT{{ID: numbered(1), Owner: ann, Name: "Kit"}, {ID: numbered(2), Owner: ann, Name: "Leaf", Compressed: true}},
	}
}

func live() *fake.Service { return fake.New(&fake.Options{World: liveWorld()}) }

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
		{FeePayer: ann, TransactionError: "InstructionError: [1, Custom(7)]", Instructions: []fake.Instruction{{Program: program}, {Program: program, Data: []byte{9}}, {Program: program}}},
		{FeePayer: ann, TransactionError: `{"InsufficientFundsForRent":{"account_index":0}}`},
		{
			FeePayer: ann, Instructions: []fake.Instruction{{
				Program: program, Accounts: []types.Address{ann, counter}, Data: []byte{1}, ProgramName: "counters", Name: "increment",
				Args: json.RawMessage(`{"by":1}`), Roles: []string{"authority", "counter"},
			}},
			ProgramAccounts: []fake.ProgramAccount{{Address: counter, Program: program, Data: []byte{1, 0, 0, 0}}},
		},
		{FeePayer: ann, ClosedAccounts: []types.Address{counter}},
		{FeePayer: ann, CompressedAccounts: []fake.CompressedAccount{{Owner: ann, Hash: leaf, Data: []byte{1}, Lamports: 7}}},
		{
			FeePayer: ann, SpentHashes: []types.Hash{leaf}, CompressedTokenAccounts: []fake.CompressedTokenAccount{{Owner: bob, Mint: one, RawAmount: 50}},
			Instructions: []fake.Instruction{{Program: program, Accounts: []types.Address{compressed.TokenPoolOwner}}},
		},
	}
}

const leaf = types.Hash("2Bob1111111111111111111111111111111111111111")

// Each change of a compressed account spends its hash and makes another one at the same address.
func TestCompressedAccountKeepsItsAddress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := live()
		c, err := compressed.New(s.Config())
		require.NoError(t, err)
		var spent []types.Hash
		for i, owner := range []types.Address{ann, ann, bob} {
			account := fake.CompressedAccount{Owner: owner, Address: counter, Hash: types.Hash(numbered(10 + i)), Data: []byte{byte(i)}}
			s.Happen(fake.Transaction{FeePayer: ann, SpentHashes: spent, CompressedAccounts: []fake.CompressedAccount{account}})
			spent = []types.Hash{account.Hash}
			time.Sleep(time.Minute)
			now, err := c.AccountByAddress(t.Context(), counter)
			require.NoError(t, err)
			require.Equal(t, account.Hash, now.Hash)
			changes, err := c.SignaturesForAddress(t.Context(), counter, nil).Collect(100)
			require.NoError(t, err)
			require.Len(t, changes, i+1)
		}
	})
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
			require.JSONEq(t, `{"InstructionError":[1,{"Custom":7}]}`, string(all[0].TransactionError))
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
			by, err := e.Parsed.Instructions[0].Decoded.Uint64("by")
			require.NoError(t, err)
			require.EqualValues(t, 1, *by)
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
	require.PanicsWithValue(t, `fake.Service.Transfer: FeePayer "nope": address has length 4, not 32 to 44: invalid argument`, func() { s.Transfer("nope", ann, 1) })
	require.Panics(t, func() { s.Transfer(ann, bob, 1<<60) })
	require.Panics(t, func() { s.Swap("nope") })
	balance, err := node(t, s).Balance(t.Context(), ann, processed)
	require.NoError(t, err)
	require.Equal(t, uint64(3_000_000_000), balance)
}

// key returns a key pair.
func key(n byte) ed25519.PrivateKey { return ed25519.NewKeyFromSeed(append(make([]byte, 31), n)) }

// send sends a transfer of lamports from the account with an index, signed by a key.
func send(t *testing.T, s *fake.Service, from byte, signer ed25519.PrivateKey, lamports uint64) (signature types.Signature, err error) {
	t.Helper()
	signed := transferBy(t, s, from, signer, lamports)
	err = node(t, s).Call(t.Context(), "sendTransaction", []any{base64.StdEncoding.EncodeToString(signed), map[string]string{"encoding": "base64"}}, &signature)
	if err == nil {
		require.Equal(t, base58.Encode(signed[1:65]), string(signature))
	}
	return signature, err
}

// transferBy builds and signs a transaction. Its accounts are the receiver, which comes after the
// signer, and the system program; from is the index of the sender.
func transferBy(t *testing.T, s *fake.Service, from byte, signer ed25519.PrivateKey, lamports uint64) []byte {
	t.Helper()
	blockhash, err := node(t, s).LatestBlockhash(t.Context(), nil)
	require.NoError(t, err)
	hash, err := blockhash.Hash.Bytes()
	require.NoError(t, err)
	to, err := bob.Bytes()
	require.NoError(t, err)
	message := slices.Concat([]byte{1, 0, 1, 3}, signer[32:], to[:], make([]byte, 32), hash[:], []byte{1, 2, 2, from, 1 - from, 12, 2, 0, 0, 0})
	message = binary.LittleEndian.AppendUint64(message, lamports)
	return slices.Concat([]byte{1}, ed25519.Sign(signer, message), message)
}

func TestSignedTransactionIsSentAndConfirmed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := live()
		c, err := stream.New(s.Config())
		require.NoError(t, err)
		defer c.Close()
		signature, err := send(t, s, 0, key(1), 12_345)
		require.NoError(t, err)
		status, err := c.Confirm(t.Context(), signature, nil)
		require.NoError(t, err)
		require.Nil(t, status.TransactionError)
		me := types.AddressOf([32]byte(key(1)[32:]))
		balance, err := node(t, s).Balance(t.Context(), me, &rpc.ReadOptions{Commitment: types.CommitmentConfirmed})
		require.NoError(t, err)
		require.EqualValues(t, 1_000_000_000-12_345-5000, balance)

		_, err = send(t, s, 0, key(1), 2_000_000_000)
		require.ErrorContains(t, err, "Error processing Instruction 0: custom program error: 0x1")
		s.Transfer(bob, types.AddressOf([32]byte(key(2)[32:])), 10_000)
		_, err = send(t, s, 0, key(2), 10_000)
		require.ErrorContains(t, err, "custom program error: 0x1", "it holds that, but not the fee too")
		_, err = send(t, s, 1, key(1), 1)
		require.ErrorContains(t, err, "Error processing Instruction 0: missing required signature", "bob did not sign")
		old := transferBy(t, s, 0, key(1), 1)
		raw := func(b []byte, options ...any) error {
			params := []any{base64.StdEncoding.EncodeToString(b), map[string]any{"encoding": "base64", "skipPreflight": len(options) > 0}}
			return node(t, s).Call(t.Context(), "sendTransaction", params, &signature)
		}
		require.NoError(t, raw(old))
		require.NoError(t, raw(old), "it is not final yet")
		time.Sleep(15 * time.Second)
		require.ErrorContains(t, raw(old), "already been processed")
		forged := transferBy(t, s, 0, key(1), 1)
		forged[len(forged)-1]++
		require.ErrorContains(t, raw(forged), "did not pass signature verification")
		require.NoError(t, raw(transferBy(t, s, 0, key(1), 2_000_000_000), "skipPreflight"))
		_, err = c.Confirm(t.Context(), signature, nil)
		require.ErrorIs(t, err, stream.ErrFailed)
		old = transferBy(t, s, 0, key(1), 2)
		time.Sleep(2 * time.Minute)
		require.ErrorContains(t, raw(old), "Blockhash not found")
	})
}

func TestWebhookOfAProgramOrAnAccountIsDelivered(t *testing.T) {
	t.Parallel()
	for _, address := range []types.Address{program, counter, ann} {
		world := liveWorld()
		world.Webhooks = []fake.Webhook{{URL: "http://127.0.0.1/", AccountAddresses: []types.Address{address}}}
		s := fake.New(&fake.Options{World: world})
		report := s.Deliver(t.Context(), &fake.Delivery{Handler: &counting{}}, s.Happen(kinds()[6]), s.Transfer(bob, bob, 1))
		require.Equal(t, 1, report.Acknowledged, address)
	}
	_, known := live().Event(types.Signature(base58.Encode(make([]byte, 64))))
	require.False(t, known)
}

func TestNetworkOfAService(t *testing.T) {
	t.Parallel()
	for network, want := range map[types.Network]types.Hash{
		types.NetworkMainnet: types.MainnetGenesisHash,
		types.NetworkDevnet:  types.DevnetGenesisHash,
	} {
		s := fake.New(&fake.Options{Network: network})
		hash, err := node(t, s).GenesisHash(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, hash)
		_, err = wallet.New(s.Config())
		require.Equal(t, network == types.NetworkDevnet, errors.Is(err, types.ErrInvalid), "devnet has no Wallet API")
	}
}
