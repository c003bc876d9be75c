package fake_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/sha3"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/fake/world"
)

// read calls a method and decodes its result.
func read[T any](t *testing.T, s *fake.Service, method, format string, args ...any) T {
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
func generated(t *testing.T, n int) (*fake.Service, []string) {
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
		b.CompressedToken(world.Compressed{TokenOwner: wallets[i], Amount: uint64(1000 * i)}, wallets[0], world.Token{Mint: grain, Decimals: 3}, i%3 == 0)
	}
	s := world.Seed(901).Item(n)
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
	return fake.NewOf(w), wallets
}

// The answers of all APIs about one world agree with each other to the unit.
func TestWorldsOfAnySizeAreConsistent(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 40, 10_000} {
		s, wallets := generated(t, n)
		checkHolders(t, s, grain)
		for _, wallet := range wallets {
			checkHistory(t, s, wallet, max(1, n/100))
			checkAccounts(t, s, wallet)
			checkAssets(t, s, wallet)
		}
	}
	s := fake.New()
	checkHolders(t, s, usdc)
	for _, wallet := range []string{fake.Wallet, fake.Collector, fake.Exchange} {
		checkHistory(t, s, wallet, 7)
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
func checkHolders(t *testing.T, s *fake.Service, mint string) {
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

// checkHistory compares each step-th signature of a wallet with its transaction, its status and
// its block, and the balances before and after with each other and with today.
func checkHistory(t *testing.T, s *fake.Service, wallet string, step int) {
	t.Helper()
	var all []listed
	for before := ""; ; {
		page := read[[]listed](t, s, "getSignaturesForAddress", `[%q,{"limit":1000%s}]`, wallet, before)
		all = append(all, page...)
		if len(page) == 0 {
			break
		}
		before = fmt.Sprintf(`,"before":%q`, page[len(page)-1].Signature)
	}
	next := read[valueOf[uint64]](t, s, "getBalance", `[%q]`, wallet).Value // than the transaction that is looked at
	for i, x := range all {
		if step > 1 && i%step != 0 {
			continue
		}
		got := read[struct {
			Slot        uint64
			BlockTime   *int64
			Transaction struct {
				Message struct{ AccountKeys []string }
			}
			Meta struct {
				Err, Status  json.RawMessage
				PreBalances  []uint64
				PostBalances []uint64
			}
		}](t, s, "getTransaction", `[%q]`, x.Signature)
		require.Equal(t, x.Slot, got.Slot)
		require.Equal(t, x.BlockTime, got.BlockTime)
		require.JSONEq(t, string(x.Err), string(got.Meta.Err))
		status := read[valueOf[[]struct {
			Slot uint64
			Err  json.RawMessage
		}]](t, s, "getSignatureStatuses", `[[%q],{"searchTransactionHistory":true}]`, x.Signature).Value[0]
		require.Equal(t, x.Slot, status.Slot)
		require.JSONEq(t, string(x.Err), string(status.Err))
		block := read[struct {
			BlockTime  *int64
			Signatures []string
		}](t, s, "getBlock", `[%d,{"transactionDetails":"signatures"}]`, x.Slot)
		require.Contains(t, block.Signatures, x.Signature)
		require.Equal(t, x.BlockTime, block.BlockTime)
		if place := slices.Index(got.Transaction.Message.AccountKeys, wallet); step == 1 {
			require.Equal(t, next, got.Meta.PostBalances[place], "transaction %d of %s", i, wallet)
			next = got.Meta.PreBalances[place]
		}
	}
}

// checkAccounts finds every token account of a wallet by its address.
func checkAccounts(t *testing.T, s *fake.Service, wallet string) {
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
func checkAssets(t *testing.T, s *fake.Service, wallet string) {
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
		proof := read[struct {
			Root, Leaf string
			Proof      []string
			Index      uint64 `json:"node_index"`
		}](t, s, "getAssetProof", `{"id":%q}`, a.ID)
		node, _ := base58.Decode(proof.Leaf)
		for level, text := range proof.Proof {
			sibling, _ := base58.Decode(text)
			h := sha3.NewLegacyKeccak256()
			if proof.Index>>level&1 == 0 {
				h.Write(node)
				h.Write(sibling)
			} else {
				h.Write(sibling)
				h.Write(node)
			}
			node = h.Sum(nil)
		}
		require.Equal(t, proof.Root, base58.Encode(node))
	}
}
