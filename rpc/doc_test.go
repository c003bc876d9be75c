package rpc_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/golden"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// The fragments of the package comment.

func accountsOf(ctx context.Context, client *rpc.Client, addresses []types.Address) error {
	accounts, err := client.Accounts(ctx, addresses, nil)
	var batch *types.BatchError
	if err != nil && !errors.As(err, &batch) {
		return err
	}
	for i, account := range accounts {
		switch {
		case batch != nil && batch.Errs[i] != nil:
			fmt.Println(addresses[i], "could not be read:", batch.Errs[i])
		case account == nil:
			fmt.Println(addresses[i], "does not exist")
		default:
			fmt.Println(addresses[i], "has", account.Lamports, "lamports")
		}
	}
	return nil
}

func synchronize(ctx context.Context, client *rpc.Client, program types.Address, slot uint64, store func([]rpc.ProgramAccount)) error {
	opts := &rpc.ProgramAccountsOptions{}
	opts.ChangedSinceSlot = slot // 0 the first time
	next := uint64(0)
	for page, err := range client.ProgramAccounts(ctx, program, opts).Pages() {
		if err != nil {
			return err
		}
		if next == 0 {
			next = page.Slot // for the next synchronization
		}
		store(page.Items)
	}
	fmt.Println("next", next)
	return nil
}

func pay(
	ctx context.Context, client *rpc.Client, writable []types.Address,
	send func(context.Context, types.Hash, uint64) (types.Signature, error),
) error {
	latest, err := client.LatestBlockhash(ctx, nil)
	fee, err2 := client.PriorityFeeEstimate(ctx, &rpc.PriorityFeeOptions{Accounts: writable})
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	signature, err := send(ctx, latest.Hash, uint64(fee.Ceil().IntPart())) // with the other library
	statuses, err2 := client.SignatureStatuses(ctx, []types.Signature{signature}, nil)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	fmt.Println(statuses[0].ConfirmationStatus)
	return nil
}

func Example_fragments() {
	ctx := context.Background()
	s := fake.New()
	cfg := s.Config()
	cfg.HTTPClient = golden.Behind(cfg.HTTPClient, "getProgramAccountsV2", "getLatestBlockhash", "getPriorityFeeEstimate")
	client, err := rpc.New(cfg)
	if err != nil {
		log.Fatal(err)
	}
	s.Answer(200, `{"context":{"slot":1},"value":[{"lamports":5,"owner":"o"},null]}`)
	if err := accountsOf(ctx, client, []types.Address{types.WrappedSOL, types.TokenProgram}); err != nil {
		log.Fatal(err)
	}
	if err := synchronize(ctx, client, types.TokenProgram, 0, func(items []rpc.ProgramAccount) { fmt.Println(len(items), "accounts") }); err != nil {
		log.Fatal(err)
	}
	send := func(_ context.Context, hash types.Hash, fee uint64) (types.Signature, error) {
		fmt.Println("sent with", hash, "and", fee)
		s.Answer(200, `{"context":{"slot":1},"value":[{"slot":1,"confirmationStatus":"processed"}]}`)
		return "caDyTGu8dJ3qFfZpxhyni8DKjgWQapcfiX7MpJ8R67FdiSMcyNHyKjwskBCv45X4CVFZK4nrCCATdW9zysMQFoJ", nil
	}
	if err := pay(ctx, client, []types.Address{types.WrappedSOL}, send); err != nil {
		log.Fatal(err)
	}
	// Output:
	// So11111111111111111111111111111111111111112 has 5 lamports
	// TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA does not exist
	// 3 accounts
	// next 371234567
	// sent with CqutGHbuqyfhwXsL9n8JaMVjoDNKxdcF5QEYgMk2wrKd and 10083
	// processed
}
