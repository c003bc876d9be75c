package compressed

import (
	"context"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

var (
	opBalance             = inOneVersion("compressed.Client.Balance", "getCompressedBalance")
	opBalanceByAddress    = inOneVersion("compressed.Client.BalanceByAddress", "getCompressedBalance")
	opBalanceByOwner      = inOneVersion("compressed.Client.BalanceByOwner", "getCompressedBalanceByOwner")
	opTokenAccountBalance = inOneVersion("compressed.Client.TokenAccountBalance", "getCompressedTokenAccountBalance")
)

// Balance returns the lamports in the account with a hash. It is 0 for an unknown or
// spent hash; to distinguish these from an empty account, use [Client.Account]. It
// costs 10 credits.
//
// JSON-RPC method: getCompressedBalance.
func (c *Client) Balance(ctx context.Context, hash types.Hash) (uint64, error) {
	return c.lamports(ctx, opBalance, argument.Hash("hash", hash), hash, hashParam{hash})
}

// BalanceByAddress returns the lamports in the account with an address. It is 0 for an
// unknown address; to distinguish it from an empty account, use
// [Client.AccountByAddress]. It costs 10 credits.
//
// JSON-RPC method: getCompressedBalance.
func (c *Client) BalanceByAddress(ctx context.Context, address types.Address) (uint64, error) {
	return c.lamports(ctx, opBalanceByAddress, argument.Address("address", address), address, addressParam{address})
}

// BalanceByOwner returns the lamports in all compressed accounts of owner, 0 for an
// unknown one. It costs 10 credits.
//
// JSON-RPC method: getCompressedBalanceByOwner.
func (c *Client) BalanceByOwner(ctx context.Context, owner types.Address) (uint64, error) {
	return c.lamports(ctx, opBalanceByOwner, argument.Address("owner", owner), owner, struct {
		Owner types.Address `json:"owner"`
	}{owner})
}

func (c *Client) lamports(ctx context.Context, op operation, invalid error, about, params any) (uint64, error) {
	n, _, err := ask(ctx, c, op, transport.Query[uint64]{Invalid: invalid, About: about, Params: params})
	if err != nil {
		return 0, err
	}
	return *n, nil
}

// TokenAccountBalance returns the amount in the token account with a hash, in the smallest unit
// of the token. It is 0 for an unknown or spent hash; to distinguish these from an empty
// account, use [Client.Account]. It costs 10 credits.
//
// JSON-RPC method: getCompressedTokenAccountBalance.
func (c *Client) TokenAccountBalance(ctx context.Context, hash types.Hash) (uint64, error) {
	type amount struct {
		Amount uint64 `json:"amount" required:"true"`
	}
	a, _, err := ask(ctx, c, opTokenAccountBalance, transport.Query[amount]{
		Invalid: argument.Hash("hash", hash), About: hash, Params: hashParam{hash},
	})
	if err != nil {
		return 0, err
	}
	return a.Amount, nil
}
