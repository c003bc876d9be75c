package solanago_test

import (
	"log"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
	"github.com/solwire/solwire-go/types/tx"
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
	pay := system.NewTransferInstruction(1_500_000_000, payer.PublicKey(), solana.MustPublicKeyFromBase58(string(fake.ExchangeAddress)))
	latest, err := node.LatestBlockhash(ctx, nil)
	check(err)
	hash, err := solana.HashFromBase58(string(latest.Hash))
	check(err)
	signed := func(units uint32, price uint64) []byte {
		draft, err := solana.NewTransaction([]solana.Instruction{
			computebudget.NewSetComputeUnitLimitInstruction(units).Build(), computebudget.NewSetComputeUnitPriceInstruction(price).Build(), pay.Build(),
		}, hash, solana.TransactionPayer(payer.PublicKey()))
		check(err)
		_, err = draft.Sign(func(solana.PublicKey) *solana.PrivateKey { return &payer.PrivateKey })
		check(err)
		wire, err := draft.MarshalBinary()
		check(err)
		return wire
	}
	simulation, err := node.SimulateTransaction(ctx, signed(1_400_000, 0), nil)
	check(err)
	if simulation.TransactionError != nil {
		log.Fatal(string(simulation.TransactionError), simulation.Logs)
	}
	units := uint32(simulation.UnitsConsumed * 11 / 10) // a little more than it needs
	price, err := node.PriorityFeeEstimate(ctx, &rpc.PriorityFeeOptions{Transaction: signed(units, 0)})
	check(err)
	payment := signed(units, price.Ceil().BigInt().Uint64())
	confirm := stream.ConfirmOptions{LastValidBlockHeight: latest.LastValidBlockHeight}
	_, err = streams.Send(ctx, payment, &stream.SendOptions{Confirm: confirm}) // until it is confirmed, failed or expired
	check(err)
	signature, err := tx.SignatureOf(payment)
	check(err)
	executed, err := node.Transaction(ctx, signature, &rpc.TransactionOptions{Commitment: types.CommitmentConfirmed, Wait: 30 * time.Second})
	check(err)
	changes := executed.Changes() // -1.5 SOL and the fee of the payer, +1.5 SOL of the exchange
	net := map[types.Address]string{}
	for _, c := range changes {
		net[c.Account] = c.Net().String()
	}
	fee := types.Amount(executed.Meta.FeeLamports, 9)
	require.Equal(t, fee.Add(decimal.RequireFromString("1.5")).Neg().String(), net[types.Address(payer.PublicKey().String())])
	require.Equal(t, "1.5", net[fake.ExchangeAddress])
}
