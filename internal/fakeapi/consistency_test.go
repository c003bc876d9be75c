package fakeapi_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/rpc/das"
)

const grain = "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"

// read calls a method and decodes its result.
func read[T any](t *testing.T, s *fakeapi.Service, method, format string, args ...any) T {
	t.Helper()
	params := fmt.Sprintf(format, args...)
	result, failure := call(t, s, method, params)
	require.Empty(t, failure, "%s %s", method, params)
	var v T
	require.NoError(t, json.Unmarshal([]byte(result), &v), result)
	return v
}

// generated returns a world with n transactions among a few wallets, NFTs and compressed
// tokens.
func generated(t *testing.T, n int) (*fakeapi.Service, []string) {
	t.Helper()
	b := world.NewBuilder("")
	var wallets []string
	for i := range 8 {
		s := world.Seed(900).Item(i)
		wallets = append(wallets, s.Address())
		b.At(fmt.Sprint("wallet ", i))
		b.Wallet(wallets[i], "1000000")
		b.Hold(wallets[i], world.Token{Mint: grain, Decimals: 3, Symbol: "GRAIN"}, "5000000")
		b.Asset(world.Asset{Owner: wallets[i], Name: "NFT", Compressed: i%2 == 0})
		b.CompressedToken(world.Compressed{Owner: wallets[i], Amount: uint64(1000 * i)}, wallets[0], world.Token{Mint: grain, Decimals: 3}, i%3 == 0)
	}
	s := world.Seed(901).Item(n)
	for i := range n {
		var address string
		if i%10 > 0 {
			address = s.Address()
		}
		b.Compressed(world.Compressed{Owner: wallets[i%8], Address: address, Lamports: uint64(i)}, i%4 == 0)
	}
	for i := range n {
		x := world.Transaction{Kind: "TRANSFER", Fee: 5000, FeePayer: wallets[i%8], At: time.Unix(1_748_000_000-int64(i), 0)}
		leg := world.Leg{From: x.FeePayer, To: wallets[s.Below(8)], Amount: strconv.Itoa(1 + s.Below(9))}
		if i%3 == 0 {
			leg.Mint = grain
		}
		if i%10 == 7 {
			x.Failure = "InstructionError: [0, Custom(1)]"
			b.Transact(x, nil)
		} else {
			b.Transact(x, []world.Leg{leg})
		}
	}
	w, err := b.World()
	require.NoError(t, err)
	return fakeapi.NewOf(w), wallets
}

// The answers of all APIs about one world agree with each other to the unit.
func TestWorldsOfAnySizeAreConsistent(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 60} {
		s, wallets := generated(t, n)
		checkHolders(t, s, grain)
		checkMentions(t, s)
		for _, wallet := range wallets {
			checkCompressed(t, s, wallet)
			checkAccounts(t, s, wallet)
			checkAssets(t, s, wallet)
		}
	}
	s := fakeapi.New()
	checkHolders(t, s, usdc)
	for _, wallet := range []string{fakeapi.Wallet, fakeapi.Collector, fakeapi.Exchange} {
		checkAccounts(t, s, wallet)
		checkAssets(t, s, wallet)
	}
}

type uiAmount struct {
	Amount uint64 `json:"amount,string"`
}

type valueOf[T any] struct {
	Value T `json:"value"`
}

// checkHolders compares the sum of the holders of a mint, and of its compressed holders, with
// its supply and with the pool.
func checkHolders(t *testing.T, s *fakeapi.Service, mint string) {
	t.Helper()
	type account struct {
		Address, Owner string
		Amount         uint64
	}
	list := read[struct {
		Accounts []account `json:"token_accounts"`
	}](t, s, "getTokenAccounts", `{"mint":%q}`, mint)
	var sum, pool, compressed uint64
	for _, a := range list.Accounts {
		sum += a.Amount
		if a.Owner == world.PoolOwner {
			pool += a.Amount
		}
	}
	require.Equal(t, read[valueOf[uiAmount]](t, s, "getTokenSupply", `[%q]`, mint).Value.Amount, sum)
	holders := read[valueOf[struct{ Items []struct{ Balance uint64 } }]](t, s, "getCompressedMintTokenHolders", `{"mint":%q}`, mint)
	for _, h := range holders.Value.Items {
		compressed += h.Balance
	}
	require.Equal(t, pool, compressed, "the pool holds the compressed tokens")
}

type listed struct {
	Signature string
	Slot      uint64
	BlockTime *int64
	Err       json.RawMessage
}

// checkCompressed finds every compressed account of an owner by its hash and by its address,
// with a proof of its leaf. The proofs of a tree lead to one root, and their nodes are shared.
func checkCompressed(t *testing.T, s *fakeapi.Service, owner string) {
	t.Helper()
	type account struct {
		Hash, Address, Tree string
		Lamports, LeafIndex uint64
	}
	list := read[valueOf[struct{ Items []account }]](t, s, "getCompressedAccountsByOwner", `{"owner":%q}`, owner).Value.Items
	nodes := map[string]string{}
	for _, a := range list {
		require.Equal(t, a, read[valueOf[account]](t, s, "getCompressedAccount", `{"hash":%q}`, a.Hash).Value)
		if a.Address != "" {
			require.Equal(t, a, read[valueOf[account]](t, s, "getCompressedAccount", `{"address":%q}`, a.Address).Value)
		}
		if a.Tree == world.QueuedTree {
			continue
		}
		proof := read[valueOf[struct {
			Hash, Root, MerkleTree string
			LeafIndex              uint64
			Proof                  []string
		}]](t, s, "getCompressedAccountProof", `{"hash":%q}`, a.Hash).Value
		require.Equal(t, []any{a.Hash, a.Tree, a.LeafIndex}, []any{proof.Hash, proof.MerkleTree, proof.LeafIndex})
		for level, node := range proof.Proof {
			place := fmt.Sprint(a.Tree, level, a.LeafIndex>>level^1)
			if nodes[place] == "" {
				nodes[place] = node
			}
			require.Equal(t, nodes[place], node, "a node beside a path is the same in all proofs")
		}
		require.Equal(t, world.Root(a.Hash, a.LeafIndex, proof.Proof), proof.Root)
	}
}

// checkAccounts finds every token account of a wallet by its address.
func checkAccounts(t *testing.T, s *fakeapi.Service, wallet string) {
	t.Helper()
	type info struct {
		Parsed struct {
			Info struct {
				Owner  string   `json:"owner"`
				Amount uiAmount `json:"tokenAmount"`
			} `json:"info"`
		} `json:"parsed"`
	}
	type item struct {
		Pubkey  string
		Account struct{ Data info }
	}
	list := read[valueOf[[]item]](t, s, "getTokenAccountsByOwner", `[%q,{"programId":%q},{"encoding":"jsonParsed"}]`, wallet, tokenProgram).Value
	require.NotEmpty(t, list)
	for _, a := range list {
		found := read[valueOf[*struct{ Data info }]](t, s, "getAccountInfo", `[%q,{"encoding":"jsonParsed"}]`, a.Pubkey).Value
		require.NotNil(t, found, a.Pubkey)
		require.Equal(t, a.Account.Data, found.Data)
		require.Equal(t, a.Account.Data.Parsed.Info.Amount, read[valueOf[uiAmount]](t, s, "getTokenAccountBalance", `[%q]`, a.Pubkey).Value)
	}
}

// checkAssets finds every asset of a wallet by its ID, and verifies the proofs of compressed
// ones.
func checkAssets(t *testing.T, s *fakeapi.Service, wallet string) {
	t.Helper()
	type asset struct {
		ID          string
		Ownership   struct{ Owner string }
		Compression struct{ Compressed bool }
	}
	list := read[struct{ Items []asset }](t, s, "getAssetsByOwner", `{"ownerAddress":%q}`, wallet)
	require.NotEmpty(t, list.Items)
	for _, a := range list.Items {
		require.Equal(t, wallet, a.Ownership.Owner)
		require.Equal(t, a, read[asset](t, s, "getAsset", `{"id":%q}`, a.ID))
		if !a.Compression.Compressed {
			continue
		}
		proof := read[das.Proof](t, s, "getAssetProof", `{"id":%q}`, a.ID)
		require.NoError(t, proof.Verify())
	}
}

// A transaction is in the histories of all accounts that it names, and has their balances.
func TestTransactionsAreInTheHistoriesOfTheirAccounts(t *testing.T) {
	t.Parallel()
	b := world.NewBuilder("")
	b.Wallet(fakeapi.Wallet, "5")
	b.Wallet(fakeapi.Exchange, "5")
	b.Hold(fakeapi.Wallet, world.Token{Mint: grain, Decimals: 3}, "5")
	b.TokenAccount(world.TokenAccount{Address: fakeapi.Delegate, Owner: fakeapi.Wallet, Amount: 5000}, world.Token{Mint: grain, Decimals: 3})
	for _, accounts := range [][]string{nil, {fakeapi.Exchange}, {fakeapi.Wallet}, {fakeapi.Program}, {fakeapi.Delegate}} {
		b.Transact(world.Transaction{FeePayer: fakeapi.Wallet, Instructions: []world.Instruction{{Program: fakeapi.Program, Accounts: accounts}}}, nil)
	}
	b.Transact(world.Transaction{FeePayer: fakeapi.Exchange, Memo: "seeds"}, []world.Leg{{From: fakeapi.Wallet, To: fakeapi.Collector, Mint: grain, Amount: "1"}})
	b.Transact(world.Transaction{FeePayer: fakeapi.Exchange, Failure: "InsufficientFundsForRent"}, nil)
	w, err := b.World()
	require.NoError(t, err)
	for _, s := range []*fakeapi.Service{fakeapi.NewOf(w), fakeapi.New()} {
		checkMentions(t, s)
	}
}

// checkMentions compares the transactions with the histories and the balances of the accounts that
// they name, with their statuses, and with their blocks.
func checkMentions(t *testing.T, s *fakeapi.Service) {
	t.Helper()
	histories, balances := map[string][]listed{}, map[string]uint64{}
	for _, x := range s.World().Ledger {
		sent := read[struct {
			Slot        uint64
			BlockTime   *int64
			Transaction struct {
				Message struct{ AccountKeys []string }
			}
			Meta struct {
				Err                       json.RawMessage
				PreBalances, PostBalances []uint64
			}
		}](t, s, "getTransaction", `[%q]`, x.Signature)
		want := listed{x.Signature, sent.Slot, sent.BlockTime, sent.Meta.Err}
		for i, key := range sent.Transaction.Message.AccountKeys {
			if histories[key] == nil {
				histories[key] = read[[]listed](t, s, "getSignaturesForAddress", `[%q]`, key)
			} else {
				require.Equal(t, balances[key], sent.Meta.PreBalances[i], "%s before %s", key, x.Signature)
			}
			require.Contains(t, histories[key], want, key)
			balances[key] = sent.Meta.PostBalances[i]
		}
		status := read[valueOf[[]listed]](t, s, "getSignatureStatuses", `[[%q],{"searchTransactionHistory":true}]`, x.Signature).Value[0]
		require.Equal(t, listed{Slot: want.Slot, Err: want.Err}, status)
		block := read[struct {
			BlockTime  *int64
			Signatures []string
		}](t, s, "getBlock", `[%d,{"transactionDetails":"signatures"}]`, x.Slot)
		require.Contains(t, block.Signatures, x.Signature)
		require.Equal(t, want.Slot, x.Slot)
		require.Equal(t, want.BlockTime, block.BlockTime)
	}
	for key, balance := range balances {
		require.Equal(t, read[valueOf[uint64]](t, s, "getBalance", `[%q]`, key).Value, balance, key)
	}
}
