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
	allOptions = rpc.AccountOptions{Commitment: types.CommitmentConfirmed, MinContextSlot: 5, ChangedSinceSlot: 7}
	// Only the transfers of the last year are listed.
	since = time.Date(2126, 1, 1, 12, 0, 0, 0, time.UTC)
	until = since.Add(time.Nanosecond) // sent as the next second
)

// The texts of refusals by a host without the paged methods.
const (
	pagedCursor  = "Cursor is of a paged listing, and this host has no paged methods; start without a Cursor"
	pagedChanges = "ChangedSinceSlot does not work with this host, which has no paged methods"
)

// onNode makes a call of a client after it found that its host lacks the paged methods.
func onNode(f call) call {
	return func(ctx context.Context, c *clients) (any, error) {
		if c.server != nil && ctx != nil {
			c.server.lacksAll = true
			_, _ = c.rpc.ProgramAccounts(context.WithoutCancel(ctx), owner, nil).Page()
			_, _ = c.rpc.TokenAccountsByOwner(context.WithoutCancel(ctx), owner, rpc.ByMint(mint), nil).Page()
			c.server.lacksAll = false
		}
		return f(ctx, c)
	}
}

func accountListingRows() []row {
	listed := func(o *rpc.ProgramAccountsOptions) call { return calling("rpc.Client.ProgramAccounts", token2022, o) }
	program := row{
		method: "rpc.Client.ProgramAccounts", wire: "getProgramAccountsV2",
		minimal: listed(nil),
		full: listed(&rpc.ProgramAccountsOptions{
			AccountOptions: allOptions, Filters: []types.Filter{types.DataSize(165), types.MemcmpAddress(0, mint)},
			PageOptions: types.PageOptions{Limit: 10000, Cursor: accountKey, Prefetch: true},
		}),
		answer: "result.value.accounts",
		refused: slices.Concat(
			badFilters(func(f ...types.Filter) call {
				return listed(&rpc.ProgramAccountsOptions{Filters: f})
			}), []refusal{
				{listed(&rpc.ProgramAccountsOptions{AccountOptions: rpc.AccountOptions{DataSlice: head}}), wantsNoSlice},
			}),
		list: listOf(`{"pubkey":"%s"}`, `{"context":{"slot":1},"value":{"accounts":[%s],"paginationKey":%s}}`, token2022),
	}
	bare := program.variant("bare", listed(&rpc.ProgramAccountsOptions{AccountOptions: rpc.AccountOptions{DataSlice: head, Encoding: types.EncodingBase64}, PageOptions: types.PageOptions{Limit: 3}}))
	bare.answer = "result.accounts"
	whole := program
	whole.wire, whole.answer, whole.list = "getProgramAccounts", "", nil
	whole.through, whole.minimal = onNode, listed(nil)
	whole.full = listed(&rpc.ProgramAccountsOptions{AccountOptions: rpc.AccountOptions{Commitment: types.CommitmentConfirmed, MinContextSlot: 5}, PageOptions: types.PageOptions{Limit: 3, Prefetch: true}, Filters: []types.Filter{
		types.DataSize(165), types.MemcmpAddress(0, mint), types.Memcmp(allBits, []byte("hello world")), types.TokenAccountState(),
	}})
	whole.refused = []refusal{
		{onNode(listed(&rpc.ProgramAccountsOptions{PageOptions: types.PageOptions{Cursor: accountKey}})), pagedCursor},
		{onNode(listed(&rpc.ProgramAccountsOptions{AccountOptions: rpc.AccountOptions{ChangedSinceSlot: 7}})), pagedChanges},
	}
	return append([]row{program, bare, whole}, ownerRows()...)
}

func ownerRows() []row {
	listed := func(f rpc.TokenFilter, o *rpc.TokenAccountsByOwnerOptions) call {
		return calling("rpc.Client.TokenAccountsByOwner", owner, f, o)
	}
	list := func(answer string) *listing {
		return listOf(`{"pubkey":"%s"}`, answer, owner, rpc.ByMint(mint))
	}
	row1 := row{
		method: "rpc.Client.TokenAccountsByOwner", wire: "getTokenAccountsByOwnerV2", shape: as(typed),
		minimal: listed(rpc.ByMint(mint), nil),
		full: listed(rpc.ByProgram(token2022), &rpc.TokenAccountsByOwnerOptions{
			AccountOptions: allOptions, PageOptions: types.PageOptions{Limit: 10000, Cursor: accountKey, Prefetch: true},
		}),
		refused: []refusal{
			{listed(rpc.TokenFilter{}, nil), oneFilter},
			{listed(rpc.TokenFilter{Mint: mint, ProgramID: types.TokenProgram}, nil), oneFilter},
		},
		list: list(`{"context":{"slot":1},"value":[%s],"paginationKey":%s}`),
	}
	shape := func(name, answer string, l *listing) row {
		r := row1.variant(name, listed(rpc.ByMint(mint), &rpc.TokenAccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: 3}}))
		r.answer, r.list = answer, l
		return r
	}
	whole := row1
	whole.wire, whole.list = "getTokenAccountsByOwner", nil
	whole.through, whole.minimal = onNode, listed(rpc.ByMint(mint), nil)
	whole.full = listed(rpc.ByProgram(token2022), &rpc.TokenAccountsByOwnerOptions{
		AccountOptions: rpc.AccountOptions{Commitment: types.CommitmentConfirmed, MinContextSlot: 5}, PageOptions: types.PageOptions{Limit: 3, Prefetch: true},
	})
	whole.refused = []refusal{
		{onNode(listed(rpc.ByMint(mint), &rpc.TokenAccountsByOwnerOptions{PageOptions: types.PageOptions{Cursor: accountKey}})), pagedCursor},
		{onNode(listed(rpc.ByMint(mint), &rpc.TokenAccountsByOwnerOptions{AccountOptions: rpc.AccountOptions{ChangedSinceSlot: 7}})), pagedChanges},
	}
	inOnePage := func(name string, e types.Encoding) row {
		return whole.variant(name, listed(rpc.ByMint(mint), &rpc.TokenAccountsByOwnerOptions{
			AccountOptions: rpc.AccountOptions{DataSlice: &types.DataSlice{Offset: 32, Length: 40}, Encoding: e},
		}))
	}
	return []row{
		row1,
		shape("nested", "result.value.accounts", list(`{"context":{"slot":1},"value":{"accounts":[%s],"paginationKey":%s,"count":0}}`)),
		shape("bare", "result.accounts", list(`{"accounts":[%s],"paginationKey":%s}`)),
		whole, inOnePage("base64", types.EncodingBase64), inOnePage("base58", types.EncodingBase58),
	}
}

func historyRows() []row {
	full := func(o *rpc.TransactionsForAddressOptions) call {
		return calling("rpc.Client.TransactionsForAddress", owner, o)
	}
	signatures := func(o *rpc.TransactionsForAddressOptions) call {
		return calling("rpc.Client.TransactionSignaturesForAddress", owner, o)
	}
	transactions := row{
		method: "rpc.Client.TransactionsForAddress", wire: "getTransactionsForAddress", shape: as(shownTxs),
		minimal: full(nil),
		full: full(&rpc.TransactionsForAddressOptions{
			PageOptions: types.PageOptions{Limit: 1000, Cursor: "315073428:35", Prefetch: true}, Commitment: types.CommitmentConfirmed, MinContextSlot: 5,
			Encoding: types.EncodingJSONParsed, MaxVersion: "0", SinceSlot: 1, UntilSlot: allBits, Since: since, Until: until,
			After: sig1, Before: sig2, Outcome: types.OutcomeSucceeded, TokenAccounts: types.TokenAccountHistoryAll,
			Transfer: &rpc.TransferFilter{With: delegate, Direction: types.DirectionIn, Mint: mint, MinRawAmount: allBits},
		}),
		answer: "result.data", beside: []string{"status"}, needs: []string{"result.data", "result.data.0.transaction", "result.data.1.transaction"},
		refused: badHistory(full),
		list:    listOf(`{"slot":9,"transaction":{"signatures":["%s"]}}`, `{"data":[%s],"paginationToken":%s}`, owner),
	}
	encoded := transactions.variant("base64", full(&rpc.TransactionsForAddressOptions{Ascending: true, PageOptions: types.PageOptions{Limit: 1}, Encoding: types.EncodingBase64}))
	encoded.needs = []string{"result.data", "result.data.0.transaction"}
	return []row{
		transactions, encoded,
		{
			method: "rpc.Client.TransactionSignaturesForAddress", wire: "getTransactionsForAddress", golden: "rpc/getTransactionsForAddress-signatures",
			minimal: signatures(nil),
			full: signatures(&rpc.TransactionsForAddressOptions{
				PageOptions: types.PageOptions{Limit: 2}, Outcome: types.OutcomeFailed, TokenAccounts: types.TokenAccountHistoryChanged,
				Transfer: &rpc.TransferFilter{Direction: types.DirectionOut, MaxRawAmount: 5},
			}),
			answer: "result.data", refused: badHistory(signatures),
			list: listOf(`{"signature":"%s","slot":9}`, `{"data":[%s],"paginationToken":%s}`, owner),
		},
	}
}

func shownTxs(page *types.Page[tx.Transaction]) any {
	all := make([]*shownTransaction, len(page.Items))
	for i := range page.Items {
		all[i] = shownTx(&page.Items[i])
	}
	return all
}

// badHistory are the refusals of the options of a history.
func badHistory(f func(*rpc.TransactionsForAddressOptions) call) []refusal {
	return []refusal{
		{f(&rpc.TransactionsForAddressOptions{Commitment: types.CommitmentProcessed}), notProcessed},
		{f(&rpc.TransactionsForAddressOptions{MaxVersion: "2.0"}), notAVersion},
		{f(&rpc.TransactionsForAddressOptions{SinceSlot: 2, UntilSlot: 1}), "SinceSlot 2 is not before UntilSlot 1"},
		{f(&rpc.TransactionsForAddressOptions{Since: until, Until: since}), "Since 2126-01-01T12:00:00Z is not before Until 2126-01-01T12:00:00Z"},
		{f(&rpc.TransactionsForAddressOptions{Transfer: &rpc.TransferFilter{With: "x"}}), `Transfer.With "x": address has length 1, not 32 to 44`},
		{f(&rpc.TransactionsForAddressOptions{Transfer: &rpc.TransferFilter{Mint: "x"}}), `Transfer.Mint "x": address has length 1, not 32 to 44`},
		{f(&rpc.TransactionsForAddressOptions{Transfer: &rpc.TransferFilter{MinRawAmount: 2, MaxRawAmount: 1}}), "Transfer.MinRawAmount 2 is above MaxRawAmount 1"},
	}
}

func transferRows() []row {
	listed := func(o *rpc.TransfersByAddressOptions) call { return calling("rpc.Client.TransfersByAddress", owner, o) }
	transfers := row{
		method: "rpc.Client.TransfersByAddress", wire: "getTransfersByAddress",
		minimal: listed(nil),
		full: listed(&rpc.TransfersByAddressOptions{
			With: delegate, Direction: types.DirectionIn, Mint: mint, ShowWrappedSOL: true, MinRawAmount: 1, Since: since, Until: until,
			SinceSlot: 1, UntilSlot: allBits, PageOptions: types.PageOptions{Limit: 3, Cursor: "315073428:35:1:0:splTransfer", Prefetch: true},
			Commitment: types.CommitmentConfirmed, MinContextSlot: 5,
		}),
		answer: "result.data", needs: []string{"result.data", "result.data.0.amount", "result.data.1.amount", "result.data.2.amount"},
		refused: []refusal{
			{listed(&rpc.TransfersByAddressOptions{Commitment: types.CommitmentProcessed}), notProcessed},
			{listed(&rpc.TransfersByAddressOptions{MinRawAmount: 2, MaxRawAmount: 1}), "MinRawAmount 2 is above MaxRawAmount 1"},
			{listed(&rpc.TransfersByAddressOptions{SinceSlot: 2, UntilSlot: 1}), "SinceSlot 2 is not before UntilSlot 1"},
			{listed(&rpc.TransfersByAddressOptions{Since: until, Until: since}), "Since 2126-01-01T12:00:00Z is not before Until 2126-01-01T12:00:00Z"},
		},
		list: listOf(`{"signature":"%s","slot":9,"amount":"1"}`, `{"data":[%s],"paginationToken":%s}`, owner),
	}
	return []row{transfers, transfers.variant("ascending", listed(&rpc.TransfersByAddressOptions{Ascending: true, MaxRawAmount: 5_000_000}))}
}
