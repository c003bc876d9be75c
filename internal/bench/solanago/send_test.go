package solanago_test

import (
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// The recipe of docs/recipes.md.
func TestPaymentIsBuiltSignedSentConfirmedAndRead(t *testing.T) {
	t.Parallel()
	ctx, service := t.Context(), fake.New(nil)
	check := func(err error) {
		t.Helper()
		require.NoError(t, err)
	}
	node, err := rpc.New(service.Config())
	check(err)
	streams, err := stream.New(service.Config())
	check(err)
	defer streams.Close()
	payer := solana.NewWallet()
	service.Transfer(fake.WalletAddress, types.Address(payer.PublicKey().String()), 2_000_000_000)
	latest, err := node.LatestBlockhash(ctx, nil)
	check(err)
	hash, err := solana.HashFromBase58(string(latest.Hash))
	check(err)
	pay := system.NewTransferInstruction(1_500_000_000, payer.PublicKey(), solana.MustPublicKeyFromBase58(string(fake.ExchangeAddress)))
	payment, err := solana.NewTransaction([]solana.Instruction{pay.Build()}, hash, solana.TransactionPayer(payer.PublicKey()))
	check(err)
	_, err = payment.Sign(func(solana.PublicKey) *solana.PrivateKey { return &payer.PrivateKey })
	check(err)
	signed, err := payment.MarshalBinary()
	check(err)
	confirm := stream.ConfirmOptions{LastValidBlockHeight: latest.LastValidBlockHeight}
	_, err = streams.Send(ctx, signed, &stream.SendOptions{Confirm: confirm}) // until it is confirmed, failed or expired
	check(err)
	signature := types.Signature(payment.Signatures[0].String())
	executed, err := node.Transaction(ctx, signature, &rpc.TransactionOptions{Commitment: types.CommitmentConfirmed, Wait: 30 * time.Second})
	check(err)
	changes := executed.Changes() // -1.500005 SOL of the payer, +1.5 SOL of the exchange
	net := map[types.Address]string{}
	for _, c := range changes {
		net[c.Account] = c.Net().String()
	}
	require.Equal(t, "-1.500005", net[types.Address(payer.PublicKey().String())])
	require.Equal(t, "1.5", net[fake.ExchangeAddress])
}
