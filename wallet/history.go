package wallet

import (
	"context"
	"net/url"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
)

var opHistory = transport.Op{Method: "wallet.Client.History", Wire: "GET /v1/wallet/{wallet}/history"}

// HistoryOptions are the options of [Client.History]. The zero value, like nil, means
// the first page of the transactions of all types.
type HistoryOptions struct {
	// Limit is at most 100, and 0 means 100.
	types.PageOptions

	After types.Signature // selects transactions newer than this one; empty means all

	// Type selects the transactions of one type; empty means all. The service documents
	// [HistoryTypes], and may not support others. A misspelled type selects nothing, without
	// an error. A type that is not in upper case fails with [types.ErrInvalid].
	Type txtype.Type

	// TokenAccounts adds transactions of the wallet's token accounts. Empty means
	// [types.TokenAccountHistoryChanged].
	TokenAccounts types.TokenAccountHistory

	// Since and Until select the transactions at or after Since and before Until; zero means
	// no bound. A listing ends at Since, but pages newer than Until are requested too, since
	// the service has no such filter. A transaction without a block time counts as just sent.
	Since, Until time.Time
}

func (o *HistoryOptions) query(cursor string) url.Values {
	q := url.Values{}
	set(q, "before", cursor)
	set(q, "after", o.After)
	set(q, "limit", o.Limit)
	set(q, "type", o.Type)
	set(q, "tokenAccounts", o.TokenAccounts)
	return q
}

func (o *HistoryOptions) check() error {
	if o.Type == txtype.Any { // selects nothing
		return argument.Invalid(`Type "ANY"`, "is for webhooks; leave Type empty for all transactions")
	}
	return argument.Fields(o)
}

// HistoryTypes returns the 31 types that the service documents for histories. Three
// of them, CREATE_AUCTION_MANAGER, CREATE_AUCTION_MANAGER_V2 and START_AUCTION, are
// not types of webhooks and have no constant in package txtype.
func HistoryTypes() []txtype.Type {
	return []txtype.Type{
		txtype.Swap, txtype.Transfer, txtype.NFTSale, txtype.NFTBid, txtype.NFTListing, txtype.NFTMint,
		txtype.NFTCancelListing, txtype.TokenMint, txtype.Burn, txtype.CompressedNFTMint,
		txtype.CompressedNFTTransfer, txtype.CompressedNFTBurn, txtype.CreateStore, txtype.WhitelistCreator,
		txtype.AddToWhitelist, txtype.RemoveFromWhitelist, txtype.AuctionManagerClaimBid,
		txtype.EmptyPaymentAccount, txtype.UpdatePrimarySaleMetadata, txtype.AddTokenToVault,
		txtype.ActivateVault, txtype.InitVault, txtype.InitBank, txtype.InitStake, txtype.MergeStake,
		txtype.SplitStake, "CREATE_AUCTION_MANAGER", "START_AUCTION", "CREATE_AUCTION_MANAGER_V2",
		txtype.UpdateExternalPriceAccount, txtype.ExecuteTransaction,
	}
}

// A Transaction is a transaction in the history of a wallet.
type Transaction struct {
	Signature        types.Signature `json:"signature"`           // identifies the transaction
	BlockTime        types.Time      `json:"blockTime"`           // zero if new. Wire name: timestamp
	Slot             uint64          `json:"slot"`                // of the block
	Fee              decimal.Decimal `json:"fee" required:"true"` // in SOL, not in lamports
	FeePayer         types.Address   `json:"feePayer"`            // often not the wallet
	TransactionError string          `json:"error"`               // empty on success. Wire name: error
	BalanceChanges   []BalanceChange `json:"balanceChanges"`      // of the wallet; may be empty
}

// A BalanceChange is the change of one balance of a wallet in a transaction. The service does
// not document whether the change of native SOL includes the fee; in package types/fake, it
// does. das.Client.Assets has the names and symbols of tokens.
type BalanceChange struct {
	// Mint is the token. [types.SOL] is native SOL, [types.WrappedSOL] may be
	// native or wrapped SOL.
	Mint     types.Address   `json:"mint"`
	Amount   decimal.Decimal `json:"amount" required:"true"` // in whole tokens; negative if sent
	Decimals uint8           `json:"decimals"`               // digits after the decimal point
}

// History lists the transactions of wallet, the newest first. With a Type or a time window, a
// page may be short or empty although HasMore is true. Transactions after the first request are
// not listed. Read the list with All, Pages, Page or Collect; each page costs 100 credits.
//
// REST: GET /v1/wallet/{wallet}/history.
func (c *Client) History(ctx context.Context, wallet types.Address, opts *HistoryOptions) types.List[Transaction] {
	o := argument.Options(opts)
	l := paging.ListingOf(c.api, opHistory, wallet, "", o.PageOptions)
	return paging.List(ctx, l, func(ctx context.Context, w *paging.Walk) (*types.Page[Transaction], error) {
		r := request(opHistory, wallet, o.query(w.At), o.check())
		return list(ctx, c, w, r, nil, (*wireTransaction).transaction, window{o.Since, o.Until})
	})
}

// A wireTransaction is a Transaction as the service sends it.
type wireTransaction struct {
	Transaction
	Timestamp types.Time `json:"timestamp"`
}

func (t *wireTransaction) transaction() (Transaction, types.Time) {
	t.BlockTime = t.Timestamp
	return t.Transaction, t.Timestamp
}
