package rpc

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/internal/transport"
)

const opInflationGovernor transport.Op = "rpc.Client.InflationGovernor getInflationGovernor"

// An InflationGovernor says how inflation falls. Rates are fractions per year: 0.08 is 8
// percent.
type InflationGovernor struct {
	Initial             decimal.Decimal `json:"initial"`        // at the beginning
	Terminal            decimal.Decimal `json:"terminal"`       // in the end
	Taper               decimal.Decimal `json:"taper"`          // by which the rate falls each year
	Foundation          decimal.Decimal `json:"foundation"`     // the share of the foundation
	FoundationTermYears decimal.Decimal `json:"foundationTerm"` // wire name: foundationTerm
}

// InflationGovernor returns how inflation falls. It costs 1 credit.
//
// JSON-RPC method: getInflationGovernor.
func (c *Client) InflationGovernor(ctx context.Context, opts *CommitmentOptions) (*InflationGovernor, error) {
	config := opts.copied()
	return transport.Result(ctx, c.api, transport.Query[InflationGovernor]{
		Op: opInflationGovernor, Invalid: config.Commitment.check(),
		Params: params(config), Check: func(g *InflationGovernor) error { return transport.Require(!g.Initial.IsZero(), "initial") },
	})
}
