package wallet

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A Funding is the first SOL that a wallet received.
type Funding struct {
	Funder      types.Address   `json:"funder"`           // who sent it
	FunderName  string          `json:"funderName"`       // empty when the funder is not known
	FunderType  string          `json:"funderType"`       // such as "exchange" or "Centralized Exchange"; empty when the funder is not known
	Mint        types.Address   `json:"mint"`             // native SOL here, whether types.WrappedSOL or types.NativeSOLMint
	Symbol      string          `json:"symbol"`           // SOL
	Amount      decimal.Decimal `json:"amount"`           // in SOL
	AmountRaw   uint64          `json:"amountRaw,string"` // in lamports
	Decimals    int             `json:"decimals"`         // digits after the point: 9
	Signature   types.Signature `json:"signature"`        // of the transaction
	Timestamp   types.Time      `json:"timestamp"`        // of the block
	Date        string          `json:"date"`             // Timestamp as text: ISO 8601, in UTC
	Slot        uint64          `json:"slot"`             // that the transaction is in
	ExplorerURL string          `json:"explorerUrl"`      // a web page that shows the transaction
}

// FundedBy returns who sent wallet its first SOL. It costs 100 credits; a Free
// plan does not include it, which is a [types.APIError] with status 403.
//
// Where the service knows of none, the error matches [types.ErrNotFound]: the
// wallet never received SOL by a transfer, or is older than the service's data.
// A wallet that is no address is refused with [types.ErrInvalid] before anything
// is sent.
//
// REST: GET /v1/wallet/{wallet}/funded-by.
func (c *Client) FundedBy(ctx context.Context, wallet types.Address) (*Funding, error) {
	if err := argument.Address("wallet", wallet); err != nil {
		return nil, err
	}
	path := walletPath(wallet, "funded-by")
	var funding Funding
	if err := c.api.Get(ctx, path, nil, &funding); err != nil {
		return nil, err
	}
	if funding.Funder == "" {
		return nil, transport.NoList("GET "+path, "funder")
	}
	return &funding, nil
}
