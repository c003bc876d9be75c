package rpc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// Nodes of Agave 4.2 and 4.4 answer the same calls.
func TestNodesOfBothVersionsAreRead(t *testing.T) {
	t.Parallel()
	const leader = "7xhyV1ytoW2V1rtPq4QQDbL8rcqZXr2ZB75RVwfmQY2w"
	for version, old := range map[string]bool{"4.2": true, "4.4": false} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			s := fakeapi.New()
			s.Agave42 = old
			c := clientOf(t, s)
			history, err := c.SignaturesForAddress(t.Context(), fakeapi.Wallet, nil).Collect(1)
			require.NoError(t, err)
			signature := history[0].Signature

			got, err := c.Transaction(t.Context(), signature, &rpc.TransactionOptions{Encoding: types.EncodingBase58, MinContextSlot: 5})
			require.NoError(t, err)
			require.Equal(t, signature, got.Signature)
			_, err = c.Block(t.Context(), got.Slot, &rpc.BlockOptions{Encoding: types.EncodingBase58})
			require.NoError(t, err)

			rewards, err := c.InflationRewards(t.Context(), some(t, 100), nil)
			require.NoError(t, err)
			require.Len(t, rewards, 100)

			schedule, err := c.LeaderSchedule(t.Context(), &rpc.LeaderScheduleOptions{Identity: leader})
			require.NoError(t, err)
			require.Equal(t, map[types.Address][]uint64{leader: {0, 1, 2}}, schedule)
			_, err = c.LeaderSchedule(t.Context(), &rpc.LeaderScheduleOptions{Identity: fakeapi.Wallet})
			require.ErrorIs(t, err, types.ErrNotFound)

			statuses, err := c.SignatureStatuses(t.Context(), []types.Signature{signature}, &rpc.SignatureStatusesOptions{
				WholeHistory: true, Commitment: types.CommitmentFinalized, MinContextSlot: got.Slot,
			})
			require.NoError(t, err)
			require.Equal(t, types.CommitmentFinalized, statuses[0].ConfirmationStatus)
		})
	}
}

// Nodes send the commission in one of two members, or in both.
func TestCommissionOfBothMembers(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"result":[{"epoch":3,"amount":0,"commission":null,"commissionBps":525},{"epoch":3,"amount":0,"commission":5,"commissionBps":null},{"epoch":3,"amount":0,"commission":5}]}`)
	s.Answer(200, `{"result":{"blockhash":"CqutGHbuqyfhwXsL9n8JaMVjoDNKxdcF5QEYgMk2wrKd","rewards":[{"lamports":-7,"rewardType":"VATDebit","commissionBps":10000}]}}`)
	c := clientOf(t, s)
	bps, whole, percent := uint16(525), uint16(10_000), uint8(5)
	rewards, err := c.InflationRewards(t.Context(), some(t, 3), nil)
	require.NoError(t, err)
	require.Equal(t, []*rpc.InflationReward{{Epoch: 3, CommissionBps: &bps}, {Epoch: 3, Commission: &percent}, {Epoch: 3, Commission: &percent}}, rewards)
	block, err := c.Block(t.Context(), 7, nil)
	require.NoError(t, err)
	require.Equal(t, []rpc.Reward{{Lamports: -7, Type: rpc.RewardTypeVATDebit, CommissionBps: &whole}}, block.Rewards)
}

// Since version 4.3, nodes refuse base58 together with version 1 or later.
func TestBase58IsNotRequestedWithLaterVersions(t *testing.T) {
	t.Parallel()
	const signature = "caDyTGu8dJ3qFfZpxhyni8DKjgWQapcfiX7MpJ8R67FdiSMcyNHyKjwskBCv45X4CVFZK4nrCCATdW9zysMQFoJ"
	for version, sent := range map[tx.Version]string{"": `"maxSupportedTransactionVersion":0`, "legacy": `"encoding":"base58"}`, "1": ""} {
		s := fakeapi.New()
		c := clientOf(t, s)
		_, _ = c.Transaction(t.Context(), signature, &rpc.TransactionOptions{Encoding: types.EncodingBase58, MaxVersion: version})
		_, _ = c.Block(t.Context(), 7, &rpc.BlockOptions{Encoding: types.EncodingBase58, MaxVersion: version})
		if sent == "" {
			require.Empty(t, s.Requests(), version)
			continue
		}
		for _, r := range s.Requests() {
			require.NotContains(t, r.Body, `Version":1`)
		}
		require.Contains(t, s.Requests()[0].Body, sent)
	}
}
