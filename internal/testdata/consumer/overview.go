package consumer

import (
	"context"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/wallet"
	"github.com/solwire/solwire-go/webhooks"
)

// historian has the methods of wallet.Client that this program uses.
type historian interface {
	History(ctx context.Context, owner types.Address, opts *wallet.HistoryOptions) types.List[wallet.Transaction]
}

var _ historian = (*wallet.Client)(nil)

// An Overview counts something in each area.
type Overview struct {
	Swaps, Compressed, Allowed int
}

// Look counts the swaps of owner, the compressed accounts of holder and the token
// accounts that delegate may spend from.
func Look(ctx context.Context, cfg types.Config, h historian, owner, holder, delegate types.Address) (o Overview, err error) {
	for _, err := range h.History(ctx, owner, &wallet.HistoryOptions{Type: txtype.Swap, PageOptions: types.PageOptions{Prefetch: true}}).All() {
		if err != nil {
			return o, err
		}
		o.Swaps++
	}
	accounts, err := compressed.New(cfg)
	if err != nil {
		return o, err
	}
	for page, err := range accounts.AccountsByOwner(ctx, holder, nil).Pages() {
		if err != nil {
			return o, err
		}
		o.Compressed += len(page.Items)
	}
	rpcClient, err := rpc.New(cfg)
	if err != nil {
		return o, err
	}
	for _, err := range rpcClient.TokenAccountsByDelegate(ctx, delegate, rpc.AnyProgram(), &rpc.TokenAccountsByDelegateOptions{Commitment: types.CommitmentConfirmed}).All() {
		if err != nil {
			return o, err
		}
		o.Allowed++
	}
	return o, nil
}

// Watch creates a webhook that posts the transfers and swaps of owner to url.
func Watch(ctx context.Context, cfg types.Config, owner types.Address, url string, secret webhooks.Secret) (*webhooks.Webhook, error) {
	hooks, err := webhooks.New(cfg)
	if err != nil {
		return nil, err
	}
	return hooks.Create(ctx, webhooks.Settings{
		URL:              url,
		Type:             webhooks.TypeEnhanced,
		TransactionTypes: []txtype.Type{txtype.Transfer, txtype.Swap},
		AccountAddresses: []types.Address{owner},
		AuthHeader:       secret,
	})
}
