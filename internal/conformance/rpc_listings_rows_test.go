package conformance_test

import (
	"context"
	"slices"
	"time"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

func rpcListingRows() []row {
	return slices.Concat(accountListingRows(), historyRows(), transferRows())
}

const accountKey = "3ZSaCXkYtsLRYM63dFbDqPoGCZTH8UDLHLoVVoZmeFhm"

var (
	allOptions = rpc.AccountOptions{Commitment: rpc.CommitmentConfirmed, MinContextSlot: 5, ChangedSinceSlot: 7}
	negative   = "Limit -1 is negative; 0 means the default"
	since      = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	until      = since.Add(time.Nanosecond) // sent as the next second
)

func accountListingRows() []row {
	listed := func(o *rpc.ProgramAccountsV2Options) call {
		return func(ctx context.Context, c *clients) (any, error) {
			return itemsOf(c.rpc.ProgramAccountsV2(ctx, token2022, o))
		}
	}
	program := row{
		method: "rpc.Client.ProgramAccountsV2", wire: "getProgramAccountsV2", golden: "rpc/getProgramAccountsV2",
		does:    "all accounts of a program, in pages",
		minimal: listed(nil),
		full: listed(&rpc.ProgramAccountsV2Options{
			ProgramAccountsOptions: rpc.ProgramAccountsOptions{AccountOptions: allOptions, Filters: []rpc.Filter{rpc.DataSize(165), rpc.MemcmpAddress(0, mint)}},
			PageOptions:            rpc.PageOptions{Limit: 10000, Cursor: accountKey, Prefetch: true},
		}),
		answer: "result.value.accounts", needs: []string{"result.value.accounts"},
		refused: slices.Concat(badRPCAddress("program", func(ctx context.Context, c *rpc.Client, a types.Address) (any, error) {
			return itemsOf(c.ProgramAccountsV2(ctx, a, nil))
		}),
			badFilters(func(f ...rpc.Filter) call {
				return listed(&rpc.ProgramAccountsV2Options{ProgramAccountsOptions: rpc.ProgramAccountsOptions{Filters: f}})
			}),
			[]refusal{
				{listed(&rpc.ProgramAccountsV2Options{PageOptions: rpc.PageOptions{Limit: -1}}), negative},
				{listed(&rpc.ProgramAccountsV2Options{ProgramAccountsOptions: rpc.ProgramAccountsOptions{AccountOptions: rpc.AccountOptions{DataSlice: head}}}), wantsNoSlice},
			}),
		list: cursorListing(
			func(ctx context.Context, c *clients, o walk) pages {
				return anyPages(c.rpc.ProgramAccountsV2Pages(ctx, token2022, &rpc.ProgramAccountsV2Options{PageOptions: paged(o)}))
			},
			func(ctx context.Context, c *clients, o walk) items {
				return anyItems(c.rpc.AllProgramAccountsV2(ctx, token2022, &rpc.ProgramAccountsV2Options{PageOptions: paged(o)}))
			},
			`{"pubkey":"%s"}`, `{"context":{"slot":1},"value":{"accounts":[%s],"paginationKey":%s}}`,
		),
	}
	bare := program
	bare.golden, bare.minimal, bare.refused = "rpc/getProgramAccountsV2-bare", nil, nil
	bare.full = listed(&rpc.ProgramAccountsV2Options{
		ProgramAccountsOptions: rpc.ProgramAccountsOptions{AccountOptions: rpc.AccountOptions{DataSlice: head, Encoding: rpc.EncodingBase64}},
		PageOptions:            rpc.PageOptions{Limit: 3},
	})
	bare.answer, bare.needs = "result.accounts", []string{"result.accounts"}
	bare.list = nil
	return append([]row{program, bare}, ownerRows()...)
}

func paged(o walk) rpc.PageOptions { return rpc.PageOptions{Cursor: o.cursor, Prefetch: o.prefetch} }

func ownerRows() []row {
	listed := func(f rpc.TokenFilter, o *rpc.TokenAccountsByOwnerV2Options) call {
		return func(ctx context.Context, c *clients) (any, error) {
			page, err := c.rpc.TokenAccountsByOwnerV2(ctx, owner, f, o)
			if err != nil {
				return nil, err
			}
			return typed(&rpc.TokenAccounts{Items: page.Items}, nil)
		}
	}
	list := func(answer string) *listing {
		return cursorListing(
			func(ctx context.Context, c *clients, o walk) pages {
				return anyPages(c.rpc.TokenAccountsByOwnerV2Pages(ctx, owner, rpc.ByMint(mint), &rpc.TokenAccountsByOwnerV2Options{PageOptions: paged(o)}))
			},
			func(ctx context.Context, c *clients, o walk) items {
				return anyItems(c.rpc.AllTokenAccountsByOwnerV2(ctx, owner, rpc.ByMint(mint), &rpc.TokenAccountsByOwnerV2Options{PageOptions: paged(o)}))
			},
			`{"pubkey":"%s"}`, answer,
		)
	}
	row1 := row{
		method: "rpc.Client.TokenAccountsByOwnerV2", wire: "getTokenAccountsByOwnerV2", golden: "rpc/getTokenAccountsByOwnerV2",
		does:    "token accounts of a wallet, in pages",
		minimal: listed(rpc.ByMint(mint), nil),
		full: listed(rpc.ByProgram(token2022), &rpc.TokenAccountsByOwnerV2Options{
			AccountOptions: allOptions, PageOptions: rpc.PageOptions{Limit: 10000, Cursor: accountKey, Prefetch: true},
		}),
		answer: "result.value", needs: []string{"result.value"},
		refused: append(badRPCAddress("owner", func(ctx context.Context, c *rpc.Client, a types.Address) (any, error) {
			return itemsOf(c.TokenAccountsByOwnerV2(ctx, a, rpc.ByMint(mint), nil))
		}),
			refusal{listed(rpc.TokenFilter{}, nil), "filter needs either a mint or a program; make it with ByMint or ByProgram"},
			refusal{listed(rpc.ByMint(mint), &rpc.TokenAccountsByOwnerV2Options{PageOptions: rpc.PageOptions{Limit: -1}}), negative},
			refusal{listed(rpc.ByMint(mint), &rpc.TokenAccountsByOwnerV2Options{AccountOptions: rpc.AccountOptions{Commitment: "final"}}), badCommitment},
		),
		list: list(`{"context":{"slot":1},"value":[%s],"paginationKey":%s}`),
	}
	shape := func(name, answer string, l *listing) row {
		r := row1
		r.golden, r.minimal, r.refused = "rpc/getTokenAccountsByOwnerV2-"+name, nil, nil
		r.full = listed(rpc.ByMint(mint), &rpc.TokenAccountsByOwnerV2Options{PageOptions: rpc.PageOptions{Limit: 3}})
		r.answer, r.needs, r.list = answer, []string{answer}, l
		return r
	}
	return []row{
		row1,
		shape("nested", "result.value.accounts", list(`{"context":{"slot":1},"value":{"accounts":[%s],"paginationKey":%s,"count":0}}`)),
		shape("bare", "result.accounts", list(`{"accounts":[%s],"paginationKey":%s}`)),
	}
}

func historyRows() []row {
	full := func(o *rpc.HistoryOptions) call {
		return func(ctx context.Context, c *clients) (any, error) {
			return shownTxs(c.rpc.TransactionsForAddress(ctx, owner, o))
		}
	}
	signatures := func(o *rpc.HistoryOptions) call {
		return func(ctx context.Context, c *clients) (any, error) {
			return itemsOf(c.rpc.TransactionSignaturesForAddress(ctx, owner, o))
		}
	}
	transactions := row{
		method: "rpc.Client.TransactionsForAddress", wire: "getTransactionsForAddress", golden: "rpc/getTransactionsForAddress",
		does:    "the full transactions of an address",
		minimal: full(nil),
		full: full(&rpc.HistoryOptions{
			Ascending: true, Limit: 1000, Cursor: "315073428:35", Commitment: rpc.CommitmentConfirmed, MinContextSlot: 5,
			Encoding: rpc.EncodingJSONParsed, MaxVersion: "0", Slots: rpc.FromTo(1, allBits), Since: since, Until: until,
			After: sig1, Before: sig2, Status: rpc.HistoryStatusSucceeded, TokenAccounts: rpc.TokenAccountHistoryAll, Prefetch: true,
			Transfer: &rpc.TransferFilter{With: delegate, Direction: rpc.DirectionIn, Mint: mint, RawAmount: rpc.From(allBits)},
		}),
		answer: "result.data", beside: []string{"status"}, needs: []string{"result.data", "result.data.0.transaction", "result.data.1.transaction"},
		refused: append(badRPCAddress("address", func(ctx context.Context, c *rpc.Client, a types.Address) (any, error) {
			return shownTxs(c.TransactionsForAddress(ctx, a, nil))
		}), badHistory(full)...),
		list: historyListing(
			func(ctx context.Context, c *clients, o *rpc.HistoryOptions) pages {
				return anyPages(c.rpc.TransactionsForAddressPages(ctx, owner, o))
			},
			func(ctx context.Context, c *clients, o *rpc.HistoryOptions) items {
				return anyItems(c.rpc.AllTransactionsForAddress(ctx, owner, o))
			},
			`{"slot":9,"transaction":{"signatures":["%s"]}}`,
		),
	}
	encoded := transactions
	encoded.golden, encoded.minimal, encoded.refused, encoded.list = "rpc/getTransactionsForAddress-base64", nil, nil, nil
	encoded.full = full(&rpc.HistoryOptions{Limit: 1, Encoding: rpc.EncodingBase64})
	encoded.needs = []string{"result.data", "result.data.0.transaction"}
	return []row{
		transactions, encoded,
		{
			method: "rpc.Client.TransactionSignaturesForAddress", wire: "getTransactionsForAddress", golden: "rpc/getTransactionsForAddress-signatures",
			does:    "the transactions of an address, without their contents",
			minimal: signatures(nil),
			full: signatures(&rpc.HistoryOptions{
				Limit: 2, Status: rpc.HistoryStatusFailed, TokenAccounts: rpc.TokenAccountHistoryChanged,
				Transfer: &rpc.TransferFilter{Direction: rpc.DirectionOut, RawAmount: rpc.To(5)},
			}),
			answer: "result.data", needs: []string{"result.data"},
			refused: append(badRPCAddress("address", func(ctx context.Context, c *rpc.Client, a types.Address) (any, error) {
				return itemsOf(c.TransactionSignaturesForAddress(ctx, a, nil))
			}), badHistory(signatures)...),
			list: historyListing(
				func(ctx context.Context, c *clients, o *rpc.HistoryOptions) pages {
					return anyPages(c.rpc.TransactionSignaturesForAddressPages(ctx, owner, o))
				},
				func(ctx context.Context, c *clients, o *rpc.HistoryOptions) items {
					return anyItems(c.rpc.AllTransactionSignaturesForAddress(ctx, owner, o))
				},
				`{"signature":"%s","slot":9}`,
			),
		},
	}
}

func shownTxs(page *types.Page[tx.Transaction], err error) (any, error) {
	if err != nil {
		return resultOf(page, err)
	}
	all := make([]*shownTransaction, len(page.Items))
	for i := range page.Items {
		all[i] = shownTx(&page.Items[i])
	}
	return all, nil
}

func historyListing(
	byPage func(context.Context, *clients, *rpc.HistoryOptions) pages,
	byItem func(context.Context, *clients, *rpc.HistoryOptions) items, item string,
) *listing {
	options := func(o walk) *rpc.HistoryOptions { return &rpc.HistoryOptions{Cursor: o.cursor, Prefetch: o.prefetch} }
	return cursorListing(
		func(ctx context.Context, c *clients, o walk) pages { return byPage(ctx, c, options(o)) },
		func(ctx context.Context, c *clients, o walk) items { return byItem(ctx, c, options(o)) },
		item, `{"data":[%s],"paginationToken":%s}`,
	)
}

// badHistory are the refusals of the options of a history.
func badHistory(f func(*rpc.HistoryOptions) call) []refusal {
	return []refusal{
		{f(&rpc.HistoryOptions{Limit: -1}), negative},
		{f(&rpc.HistoryOptions{Commitment: rpc.CommitmentProcessed}), notProcessed},
		{f(&rpc.HistoryOptions{MaxVersion: "2.0"}), notAVersion},
		{f(&rpc.HistoryOptions{Slots: rpc.FromTo(2, 1)}), "Slots ends before it starts"},
		{f(&rpc.HistoryOptions{Since: until, Until: since}), "Until is before Since"},
		{f(&rpc.HistoryOptions{After: "x"}), `After "x": signature has length 1, not 64 to 88`},
		{f(&rpc.HistoryOptions{Before: "x"}), `Before "x": signature has length 1, not 64 to 88`},
		{f(&rpc.HistoryOptions{Transfer: &rpc.TransferFilter{With: "x"}}), `Transfer.With "x": address has length 1, not 32 to 44`},
		{f(&rpc.HistoryOptions{Transfer: &rpc.TransferFilter{Mint: "x"}}), `Transfer.Mint "x": address has length 1, not 32 to 44`},
		{f(&rpc.HistoryOptions{Transfer: &rpc.TransferFilter{RawAmount: rpc.FromTo(2, 1)}}), "Transfer.RawAmount ends before it starts"},
	}
}

func transferRows() []row {
	listed := func(o *rpc.TransfersOptions) call {
		return func(ctx context.Context, c *clients) (any, error) {
			return itemsOf(c.rpc.TransfersByAddress(ctx, owner, o))
		}
	}
	return []row{{
		method: "rpc.Client.TransfersByAddress", wire: "getTransfersByAddress", golden: "rpc/getTransfersByAddress",
		does:    "the transfers of a wallet",
		minimal: listed(nil),
		full: listed(&rpc.TransfersOptions{
			With: delegate, Direction: rpc.DirectionIn, Mint: mint, SeparateWrappedSOL: true, RawAmount: rpc.From(1), Since: since, Until: until,
			Slots: rpc.FromTo(1, allBits), Ascending: true, Limit: 3, Cursor: "315073428:35:1:0:splTransfer",
			Commitment: rpc.CommitmentConfirmed, MinContextSlot: 5, Prefetch: true,
		}),
		answer: "result.data", needs: []string{"result.data"},
		refused: append(badRPCAddress("wallet", func(ctx context.Context, c *rpc.Client, a types.Address) (any, error) {
			return itemsOf(c.TransfersByAddress(ctx, a, nil))
		}),
			refusal{listed(&rpc.TransfersOptions{Limit: -1}), negative},
			refusal{listed(&rpc.TransfersOptions{Commitment: rpc.CommitmentProcessed}), notProcessed},
			refusal{listed(&rpc.TransfersOptions{With: "x"}), `With "x": address has length 1, not 32 to 44`},
			refusal{listed(&rpc.TransfersOptions{Mint: "x"}), `Mint "x": address has length 1, not 32 to 44`},
			refusal{listed(&rpc.TransfersOptions{RawAmount: rpc.FromTo(2, 1)}), "RawAmount ends before it starts"},
			refusal{listed(&rpc.TransfersOptions{Slots: rpc.FromTo(2, 1)}), "Slots ends before it starts"},
			refusal{listed(&rpc.TransfersOptions{Since: until, Until: since}), "Until is before Since"},
		),
		list: cursorListing(
			func(ctx context.Context, c *clients, o walk) pages {
				return anyPages(c.rpc.TransfersByAddressPages(ctx, owner, &rpc.TransfersOptions{Cursor: o.cursor, Prefetch: o.prefetch}))
			},
			func(ctx context.Context, c *clients, o walk) items {
				return anyItems(c.rpc.AllTransfersByAddress(ctx, owner, &rpc.TransfersOptions{Cursor: o.cursor, Prefetch: o.prefetch}))
			},
			`{"signature":"%s","slot":9}`, `{"data":[%s],"paginationToken":%s}`,
		),
	}}
}
