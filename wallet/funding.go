package wallet

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var opFundedBy = transport.Op{Method: "wallet.Client.FundedBy", Wire: "GET /v1/wallet/{wallet}/funded-by"}

// A Funding is the first transfer of SOL to a wallet.
type Funding struct {
	Funder     types.Address `json:"funder" required:"true"` // the sender
	FunderName string        `json:"funderName"`             // empty for an unknown sender
	FunderType string        `json:"funderType"`             // such as exchange; may be empty

	Mint     types.Address   `json:"mint"`                   // types.WrappedSOL or types.NativeSOLMint
	Symbol   string          `json:"symbol"`                 // SOL
	Amount   decimal.Decimal `json:"amount" required:"true"` // in SOL
	Lamports uint64          `json:"amountRaw,string"`       // of Amount. Wire name: amountRaw
	Decimals uint8           `json:"decimals"`               // 9

	Signature   types.Signature `json:"signature"`   // of the transaction
	BlockTime   types.Time      `json:"blockTime"`   // of the block. Wire name: timestamp
	Date        string          `json:"date"`        // BlockTime as text: ISO 8601, UTC
	Slot        uint64          `json:"slot"`        // of the transaction
	ExplorerURL string          `json:"explorerUrl"` // of a web page about the transaction
}

// FundedBy returns the first transfer of SOL to wallet. If there was none, or the wallet is older
// than the data of the service, it fails with [types.ErrNotFound]. It costs 100 credits. The
// Free plan does not include it (status 403).
//
// REST: GET /v1/wallet/{wallet}/funded-by.
func (c *Client) FundedBy(ctx context.Context, wallet types.Address) (*Funding, error) {
	f, err := transport.Fetch(ctx, c.api, request(opFundedBy, wallet, nil), (*wireFunding).check)
	if err != nil {
		return nil, err
	}
	f.BlockTime = f.Timestamp
	return &f.Funding, nil
}

// A wireFunding is a Funding as the service sends it.
type wireFunding struct {
	Funding
	Timestamp types.Time `json:"timestamp"`
}

func (f *wireFunding) check() error {
	return needsRaw("amountRaw", f.Lamports, f.Amount)
}
