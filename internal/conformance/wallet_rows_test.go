package conformance_test

import (
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
)

// blockTime is the member that the service calls timestamp in some APIs.
var blockTime = [2]string{"timestamp", "blockTime"}

func walletRows() []row {
	at := func(m wallet.Moment, mint types.Address) call {
		return calling("wallet.Client.BalanceAt", walletKey, mint, m)
	}
	cursored := `{"data":[%s],"pagination":{"hasMore":%[3]t,"nextCursor":%[2]s}}`
	return []row{
		{
			method: "wallet.Client.Balances", wire: "GET /v1/wallet/{wallet}/balances", golden: "wallet/balances",
			shape: as(listedBalances), args: []any{walletKey}, options: &wallet.BalancesOptions{PageOptions: types.PageOptions{Limit: 6, Prefetch: true}, ShowZeroBalance: true, HideNative: true, ShowNFTs: true},
			beside: []string{"pagination"}, needs: []string{"balances", "pagination", "pagination.hasMore", "balances.0.balance", "balances.1.balance", "balances.2.balance", "balances.3.balance", "balances.4.balance", "balances.5.balance"},
			refused: []refusal{{calling("wallet.Client.Balances", walletKey, &wallet.BalancesOptions{PageOptions: types.PageOptions{Cursor: "0"}}), `Cursor "0" is not the Cursor of a page of balances`}},
			list: &listing{
				args: []any{walletKey}, item: `{"mint":"%s","balance":1}`, page: `{"balances":[%[1]s],"pagination":{"page":%[4]d,"hasMore":%[3]t}}`, number: true,
			},
		},
		{
			method: "wallet.Client.History", wire: "GET /v1/wallet/{wallet}/history", golden: "wallet/history", renamed: blockTime,
			args: []any{walletKey},
			options: &wallet.HistoryOptions{
				PageOptions: types.PageOptions{Cursor: "a+cursor/==", Limit: 5, Prefetch: true}, Type: txtype.NFTSale, TokenAccounts: types.TokenAccountHistoryAll,
				After: "2nBhEBYYvfaAe16UMNqRHre4YNSskvuYgx3M6E4JP1oDYvZEJHvoPzyUidNgNX5r9sTyN1J9UxtbCXy2rqYcuyuv",
			},
			answer: "data", needs: []string{
				"data", "pagination", "data.0.fee", "data.1.fee", "data.2.fee", "data.0.balanceChanges.0.amount", "data.0.balanceChanges.1.amount", "data.0.balanceChanges.2.amount",
			},
			refused: []refusal{
				{calling("wallet.Client.History", walletKey, &wallet.HistoryOptions{Type: txtype.Any}), `Type "ANY" is for webhooks; leave Type empty for all transactions`},
				{calling("wallet.Client.History", walletKey, &wallet.HistoryOptions{Type: "swap"}), `Type "swap" is not in upper case, and would select nothing; write SWAP`},
				{calling("wallet.Client.History", walletKey, &wallet.HistoryOptions{Since: noon, Until: noon}), "Since 2026-01-01T12:00:00Z is not before Until 2026-01-01T12:00:00Z"},
			},
			list: listOf(`{"signature":"%s","fee":0}`, cursored, walletKey),
		},
		{
			method: "wallet.Client.Transfers", wire: "GET /v1/wallet/{wallet}/transfers", golden: "wallet/transfers", renamed: blockTime,
			args: []any{walletKey}, options: &wallet.TransfersOptions{PageOptions: types.PageOptions{Cursor: "a+cursor/==", Limit: 5, Prefetch: true}},
			answer: "data", needs: []string{
				"data", "pagination", "data.0.amount", "data.1.amount", "data.2.amount", "data.3.amount", "data.0.amountRaw", "data.1.amountRaw", "data.2.amountRaw", "data.3.amountRaw",
			},
			refused: []refusal{{calling("wallet.Client.Transfers", walletKey, &wallet.TransfersOptions{Since: noon, Until: noon}), "Since 2026-01-01T12:00:00Z is not before Until 2026-01-01T12:00:00Z"}},
			list:    listOf(`{"signature":"%s","amount":1,"amountRaw":"1"}`, cursored, walletKey),
		},
		{
			method: "wallet.Client.BalanceAt", wire: "GET /v1/wallet/{wallet}/balance-at", golden: "wallet/balance-at", keys: []string{"wallet", "mint"},
			minimal: at(wallet.AtSlot(18446744073709551615), types.NativeSOLMint),
			needs:   []string{"balance", "balanceRaw"},
			refused: []refusal{
				{at(wallet.AtSlot(1), types.SOL), `mint "SOL" is not an address; native SOL is types.NativeSOLMint here`},
				{at(wallet.Moment{}, mint), "at is the zero Moment; make it with AtSlot or AtTime"},
				{at(wallet.AtTime(noon.AddDate(-100, 0, 0)), mint), "at Unix time -1388491200 is before 1970"},
			},
		},
		{
			method: "wallet.Client.BalanceAt", wire: "GET /v1/wallet/{wallet}/balance-at", golden: "wallet/balance-at-time", keys: []string{"wallet", "mint"},
			full: at(wallet.AtTime(time1), types.WrappedSOL), needs: []string{"balance"},
		},
		{
			method: "wallet.Client.Identity", wire: "GET /v1/wallet/{wallet}/identity", golden: "wallet/identity", keys: []string{"address"},
			args:  []any{exchange},
			needs: []string{"address"},
			refused: []refusal{
				{calling("wallet.Client.Identity", ""), "wallet is empty"},
				{calling("wallet.Client.Identity", "short"), `wallet "short": address has length 5, not 32 to 44`},
				{calling("wallet.Client.Identity", "a/b.sol"), `wallet "a/b.sol" is neither an address nor a domain name`},
				{calling("wallet.Client.Identity", ".sol"), `wallet ".sol" is neither an address nor a domain name`},
			},
		},
		{
			method: "wallet.Client.Identities", wire: "POST /v1/wallet/batch-identity", golden: "wallet/identities", keys: []string{"0.address", "1.address", "2.address", "3.address"},
			args:    []any{[]string{exchange, "toly.sol", "nobody.bonk", "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R"}},
			refused: []refusal{{calling("wallet.Client.Identities", []string{exchange, "x"}), `wallets[1] "x": address has length 1, not 32 to 44`}},
		},
		{
			method: "wallet.Client.FundedBy", wire: "GET /v1/wallet/{wallet}/funded-by", golden: "wallet/funded-by", renamed: blockTime,
			args: []any{walletKey}, needs: []string{"funder", "amount", "amountRaw"},
		},
	}
}
