package rpc

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/transport"
)

var (
	opInflationGovernor = op("rpc.Client.InflationGovernor", "getInflationGovernor")
	opInflationRate     = op("rpc.Client.InflationRate", "getInflationRate")
)

// An InflationGovernor says how inflation falls. Rates are fractions per year: 0.08 is 8
// percent.
type InflationGovernor struct {
	Initial             decimal.Decimal `json:"initial" required:"true"` // at the beginning
	Terminal            decimal.Decimal `json:"terminal"`                // in the end
	Taper               decimal.Decimal `json:"taper"`                   // by which the rate falls each year
	Foundation          decimal.Decimal `json:"foundation"`              // the share of the foundation
	FoundationTermYears decimal.Decimal `json:"foundationTerm"`          // wire name: foundationTerm
}

// InflationGovernor returns how inflation falls. It costs 1 credit.
//
// JSON-RPC method: getInflationGovernor.
func (c *Client) InflationGovernor(ctx context.Context, opts *CommitmentOptions) (*InflationGovernor, error) {
	return transport.Result(ctx, c.api, read[InflationGovernor](opInflationGovernor, opts, nil, nil))
}

// An InflationRate is the inflation in an epoch. Rates are fractions per year: 0.08 is 8
// percent.
type InflationRate struct {
	Epoch      uint64          `json:"epoch"`
	Total      decimal.Decimal `json:"total" required:"true"`
	Validator  decimal.Decimal `json:"validator"`  // the share of the validators
	Foundation decimal.Decimal `json:"foundation"` // the share of the foundation
}

// InflationRate returns the inflation in the current epoch. It costs 1 credit.
//
// JSON-RPC method: getInflationRate.
func (c *Client) InflationRate(ctx context.Context) (*InflationRate, error) {
	return transport.Result(ctx, c.api, transport.Query[InflationRate]{Op: opInflationRate})
}
