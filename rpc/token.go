package rpc

import (
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opTokenAccountBalance  = op("rpc.Client.TokenAccountBalance", "getTokenAccountBalance")
	opTokenSupply          = op("rpc.Client.TokenSupply", "getTokenSupply")
	opTokenLargestAccounts = op("rpc.Client.TokenLargestAccounts", "getTokenLargestAccounts")
)

// TokenAccountBalance returns the tokens in a token account. It costs 1 credit. An
// account that does not exist fails with [types.ErrNotFound].
//
// JSON-RPC method: getTokenAccountBalance.
func (c *Client) TokenAccountBalance(
	ctx context.Context, account types.Address, opts *CommitmentOptions,
) (*types.TokenAmount, error) {
	return amount(ctx, c, opTokenAccountBalance, opts, argument.Address("account", account), account)
}

// TokenSupply returns the total supply of a mint. It costs 1 credit. A mint that does
// not exist fails with [types.ErrNotFound].
//
// JSON-RPC method: getTokenSupply.
func (c *Client) TokenSupply(
	ctx context.Context, mint types.Address, opts *CommitmentOptions,
) (*types.TokenAmount, error) {
	return amount(ctx, c, opTokenSupply, opts, argument.Address("mint", mint), mint)
}

func amount(ctx context.Context, c *Client, op transport.Op, opts *CommitmentOptions, invalid error, a types.Address) (*types.TokenAmount, error) {
	got, err := value(ctx, c, read[sentAmount](op, opts, invalid, nil, a))
	if err != nil {
		return nil, err
	}
	public := got.public()
	return &public, nil
}

// A sentAmount is a TokenAmount whose numbers are required. In transactions they are often 0.
type sentAmount struct {
	types.TokenAmount
	RawAmount uint64 `json:"amount,string" required:"true"`
	Decimals  uint8  `json:"decimals" required:"true"`
}

func (a *sentAmount) public() types.TokenAmount {
	a.TokenAmount.RawAmount, a.TokenAmount.Decimals = a.RawAmount, a.Decimals
	return a.TokenAmount
}

// A TokenHolding is the address of a token account and the tokens in it.
type TokenHolding struct {
	Address types.Address `json:"address"` // of the token account, not of the wallet
	types.TokenAmount
}

// TokenLargestAccounts returns up to 20 token accounts that hold the most tokens of a
// mint, the largest first. It costs 1 credit. A mint that does not exist fails with
// [types.ErrNotFound].
//
// JSON-RPC method: getTokenLargestAccounts.
func (c *Client) TokenLargestAccounts(
	ctx context.Context, mint types.Address, opts *CommitmentOptions,
) ([]TokenHolding, error) {
	type sent struct {
		Address types.Address `json:"address"`
		sentAmount
	}
	list, err := value(ctx, c, read(opTokenLargestAccounts, opts, argument.Address("mint", mint), paging.CheckItems[sent], mint))
	if err != nil {
		return nil, err
	}
	all := make([]TokenHolding, len(list))
	for i, h := range list {
		all[i] = TokenHolding{h.Address, h.public()}
	}
	return all, nil
}
