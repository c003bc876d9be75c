package stream_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

func TestAccountBeginsWithTheCurrentState(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		time.AfterFunc(2*time.Second, func() { every(6, func() { pay(s) }) }) // after the first
		time.AfterFunc(5500*time.Millisecond, func() {
			s.Fail(fake.Upgrade, 1, fake.Status(503))
			s.CutStreams(0)
		})
		var lamports []uint64
		var gaps []*stream.Gap
		for _, e := range all(t, c.Account(within(t, time.Minute), fake.WalletAddress, nil)) {
			require.Equal(t, fake.WalletAddress, e.Address)
			lamports = append(lamports, e.Account.Lamports)
			if e.Gap != nil {
				gaps = append(gaps, e.Gap)
			}
		}
		require.Len(t, gaps, 1)
		require.False(t, gaps[0].Filled)
		require.Equal(t, uint64(6*5005), lamports[0]-lamports[len(lamports)-1])
	})
}

func TestAccountThatDoesNotExistIsNil(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		const stranger types.Address = "HZ3MZ3pSDpE2rqLFgDy9ZJkqLhVHm8aCdePrHAbEzHQ1"
		time.AfterFunc(5*time.Second, func() { s.Transfer(fake.WalletAddress, stranger, 7) })
		states := first(t, 2, c.Account(t.Context(), stranger, &stream.AccountOptions{Encoding: types.EncodingBase64}))
		require.Nil(t, states[0].Account)
		require.Equal(t, uint64(7), states[1].Account.Lamports)
	})
}

func TestProgramAccountsThatChanged(t *testing.T) {
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		go every(9, func() { s.Swap(fake.WalletAddress) })
		cutting(s)
		opts := &stream.ProgramAccountsOptions{Filters: []types.Filter{types.DataSize(165)}}
		for range 2 {
			unfilled := 0
			for _, e := range all(t, c.ProgramAccounts(within(t, time.Minute), types.TokenProgram, opts)) {
				require.Equal(t, types.TokenProgram, e.Account.Owner)
				if e.Gap != nil {
					require.False(t, e.Gap.Filled)
					require.Less(t, e.Gap.SinceSlot, e.Gap.UntilSlot)
					unfilled++
				}
				opts.SinceSlot = 1 // the second loop also lacks the states before it
			}
			require.Equal(t, 1, unfilled)
		}
	})
}

// Finalized states are 32 slots behind the first slot of a connection.
func TestFinalizedAccountsAreReadFromBeforeTheConnection(t *testing.T) {
	var asked struct {
		Params []struct{ ChangedSinceSlot, MinContextSlot uint64 }
	}
	with(t, func(t *testing.T, s *fake.Service, c *stream.Client) {
		time.AfterFunc(3*time.Second, func() { s.CutStreams(0) })
		opts := &stream.ProgramAccountsOptions{AccountOptions: stream.AccountOptions{Commitment: types.CommitmentFinalized}}
		all(t, c.ProgramAccounts(within(t, 40*time.Second), types.TokenProgram, opts))
		require.Len(t, asked.Params, 2)
		require.Less(t, asked.Params[1].ChangedSinceSlot+40, asked.Params[1].MinContextSlot)
	}, func(body string) string {
		if strings.Contains(body, "changedSinceSlot") {
			body = strings.Replace(body, `"`+string(types.TokenProgram)+`"`, "{}", 1)
			_ = json.Unmarshal([]byte(body), &asked)
		}
		return ""
	})
}
