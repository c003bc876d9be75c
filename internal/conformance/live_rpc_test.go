package conformance_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
)

func rpcProbes() []probe {
	tokenFilter := rpc.ByProgram(types.TokenProgram)
	return []probe{
		told(asked("rpc.Client.Slot"), func(k known, slot uint64) { k.learn("slot", slot) }),
		told(asked("rpc.Client.LatestBlockhash"), func(k known, b *rpc.Blockhash) { k.learn("blockhash", b.Hash) }),
		told(asked("rpc.Client.VoteAccounts"), func(k known, v *rpc.VoteAccounts) {
			if len(v.Current) > 0 {
				k.learn("vote", v.Current[0].Vote)
			}
		}),
		told(listed("rpc.Client.TokenAccountsByOwner", the("wallet"), tokenFilter), func(k known, a *rpc.TokenAccount) {
			if info, err := a.Account.Data.TokenAccount(); err == nil && info.Mint != types.WrappedSOL {
				k.learn("tokenAccount", a.Address)
				k.learn("mint", info.Mint)
				own, _ := k["wallet"].(types.Address)
				k.learn("accounts", []types.Address{own, a.Address, info.Mint, types.TokenProgram})
			}
		}),
		listed("rpc.Client.TokenAccountsByDelegate", ofWallets(eachWallet), tokenFilter),
		asked("rpc.Client.IsBlockhashValid", the("blockhash")),
		asked("rpc.Client.InflationRewards", the("vote")),
		asked("rpc.Client.RecentPrioritizationFees", the("wallet")),
		{"rpc.Client.LeaderSchedule", "", func(ctx context.Context, s *survey) error {
			leader, err := s.clients.rpc.SlotLeader(ctx, nil)
			if err != nil {
				return err
			}
			if _, err = s.clients.rpc.LeaderSchedule(ctx, &rpc.LeaderScheduleOptions{Identity: walletKey}); !errors.Is(err, types.ErrNotFound) {
				return fmt.Errorf("an identity without slots: %w", cmp.Or(err, errors.New("no error")))
			}
			return s.same(s.clients.rpc.LeaderSchedule(ctx, &rpc.LeaderScheduleOptions{Identity: leader}))
		}},
		asked("rpc.Client.SlotLeaders", the("slot"), 3),
		asked("rpc.Client.BlockCommitment", the("slot")),
		asked("rpc.Client.RecentPerformanceSamples", 5),
		asked("rpc.Client.Balance", the("wallet")),
		asked("rpc.Client.Account", the("wallet")),
		asked("rpc.Client.Accounts", the("accounts")),
		listed("rpc.Client.ProgramAccounts", types.TokenProgram,
			&rpc.ProgramAccountsOptions{Filters: []types.Filter{types.TokenAccountState(), types.MemcmpAddress(32, walletKey)}, PageOptions: types.PageOptions{Limit: 10}}),
		asked("rpc.Client.MinimumBalanceForRentExemption", 165),
		asked("rpc.Client.TokenAccountBalance", the("tokenAccount")),
		asked("rpc.Client.TokenSupply", the("mint")),
		asked("rpc.Client.TokenLargestAccounts", the("mint")),
	}
}

func historyProbes() []probe {
	transaction := func(golden string, e types.Encoding) probe {
		p := asked("rpc.Client.Transaction", the("signature"), &rpc.TransactionOptions{Encoding: e})
		p.golden = golden
		return p
	}
	signatures := told(listed("rpc.Client.SignaturesForAddress", ofWallets(eachWallet)), tellSignature)
	signatures.golden = "rpc/getSignaturesForAddress-failed"
	return []probe{
		signatures,
		told(listed("rpc.Client.TransactionSignaturesForAddress", ofWallets(eachWallet)), tellSignature),
		listed("rpc.Client.TransactionsForAddress", ofWallets(eachWallet)),
		listed("rpc.Client.TransfersByAddress", ofWallets(eachWallet)),
		transaction("", types.EncodingJSON),
		transaction("rpc/getTransaction-jsonParsed", types.EncodingJSONParsed),
		transaction("rpc/getTransaction-base64", types.EncodingBase64),
		asked("rpc.Client.Transactions", the("signature")),
		asked("rpc.Client.SignatureStatuses", the("signature"), &rpc.SignatureStatusesOptions{WholeHistory: true}),
		asked("rpc.Client.Block", the("block")),
		asked("rpc.Client.BlockTime", the("block")),
		asked("rpc.Client.Blocks", the("block"), the("later block")),
		asked("rpc.Client.BlocksWithLimit", the("block"), 5),
		{"rpc.Client.FeeForMessage", "", func(ctx context.Context, s *survey) error {
			sig, ok := s.known["signature"].(types.Signature)
			if !ok {
				return errUnasked
			}
			message, err := messageOf(ctx, s.clients, sig)
			if err != nil {
				return err
			}
			fee, err := s.clients.rpc.FeeForMessage(ctx, message, nil)
			if errors.Is(err, types.ErrNotFound) { // the blockhash of the transaction is too old
				return errUnasked
			}
			return s.same(fee, err)
		}},
		{"rpc.Client.SimulateTransaction", "", func(ctx context.Context, s *survey) error {
			sig, ok := s.known["signature"].(types.Signature)
			if !ok {
				return errUnasked
			}
			t, err := s.clients.rpc.Transaction(ctx, sig, &rpc.TransactionOptions{Encoding: types.EncodingBase64})
			if err != nil {
				return err
			}
			signed, err := t.Signed.Bytes()
			if err != nil {
				return err
			}
			return s.same(s.clients.rpc.SimulateTransaction(ctx, signed, &rpc.SimulateOptions{ReplaceBlockhash: true, ShowInner: true}))
		}},
		asked("parsedapi.Client.Transactions", the("signature")),
		listed("parsedapi.Client.History", ofWallets(eachWallet)),
		listed("parsedapi.Client.History", ofWallets(eachWallet), &parsedapi.HistoryOptions{Outcome: types.OutcomeFailed, Raw: types.EncodingBase64}),
		listed("parsedapi.Client.Scan", ofWallets(eachWallet), solMatch, &parsedapi.ScanOptions{HistoryOptions: parsedapi.HistoryOptions{PageOptions: types.PageOptions{Limit: 10}}, Budget: 1000}),
		listed("parsedapi.Client.ScanSignatures", ofWallets(eachWallet), solMatch, &parsedapi.ScanOptions{Budget: 10}),
		asked("parsedapi.Client.ScanCount", the("wallet"), solMatch, &parsedapi.ScanOptions{HistoryOptions: parsedapi.HistoryOptions{SinceSlot: 1 << 40}}),
		asked("enhancedapi.Client.Transactions", the("signature")),
		listed("enhancedapi.Client.History", ofWallets(eachWallet)),
		told(asked("webhooks.Client.Webhooks"), func(k known, list []webhooks.Summary) {
			for _, w := range list {
				k.learn("webhook", w.ID)
			}
		}),
		asked("webhooks.Client.Get", the("webhook")),
	}
}

// solMatch finds the transactions that change the SOL of an address.
var solMatch = parsedapi.Match{Mints: []parsedapi.MintMatch{{Mint: types.SOL}}}
