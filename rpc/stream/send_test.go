package stream_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
)

// signedBytes are a transaction with one signature.
func signedBytes(t *testing.T, signature types.Signature) []byte {
	t.Helper()
	b, err := base58.Decode(string(signature))
	require.NoError(t, err)
	return append(append([]byte{1}, b...), bytes.Repeat([]byte{1}, 100)...)
}

// Whatever nodes do with a transaction, it is executed at most once, and the verdict is right.
func TestSendIsNeverWrong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(9, 10))
		verdicts := map[string]int{}
		sends := 0
		for range 2 * *confirmations {
			c := &cluster{begun: time.Now(), slot: time.Duration(400+r.IntN(200)) * time.Millisecond, rand: rand.New(rand.NewPCG(r.Uint64(), 1))}
			c.nodes = []clusterNode{{drops: r.Float64()}, {behind: uint64(r.IntN(3)), claims: uint64(r.IntN(8)), loses: r.Float64(), twice: r.Float64()}}
			for range r.IntN(3) {
				c.nodes = append(c.nodes, []clusterNode{
					{behind: uint64(r.IntN(150))}, {behind: 750}, {drops: 1}, {loses: 1}, {gone: true},
				}[r.IntN(5)])
			}
			c.blockhash = firstSlot - uint64(r.IntN(150)) // its slot: as old as allowed
			if r.IntN(10) == 0 {
				c.fails = `{"InstructionError":[0,{"Custom":1}]}`
			}
			var opts stream.SendOptions
			if r.IntN(2) == 0 {
				opts.Confirm.LastValidBlockHeight = c.blockhash + 150 - 100 // as a height
			}
			status, err := clientOf(t, c, types.Config{}).Send(t.Context(), signedBytes(t, types.Signature(signature(7))), &opts)
			sends += c.sends
			var failed *rpc.PreflightError
			switch {
			case err == nil:
				require.Equal(t, c.landed, status.Slot)
				verdicts["confirmed"]++
			case errors.As(err, &failed):
				require.Zero(t, c.landed)
				require.JSONEq(t, c.fails, string(failed.Simulation.TransactionError))
				verdicts["preflight failed"]++
			case errors.Is(err, stream.ErrFailed):
				require.NotEmpty(t, c.fails)
				require.NotZero(t, c.landed)
				verdicts["failed"]++
			default:
				require.ErrorIs(t, err, stream.ErrExpired)
				require.Zero(t, c.landed, "%+v", c.nodes)
				require.Greater(t, c.now(), c.blockhash+150)
				verdicts["expired"]++
			}
		}
		t.Log(verdicts, sends, "requests")
		require.Len(t, verdicts, 3) // no transaction failed that a preflight had refused
	})
}

func TestSendThatEndsMayHaveExecuted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &cluster{begun: time.Now(), slot: slotTime, rand: rand.New(rand.NewPCG(1, 2)), nodes: []clusterNode{{drops: 1}}, blockhash: firstSlot}
		client := clientOf(t, c, types.Config{})
		_, err := client.Send(within(t, 22*time.Second), signedBytes(t, types.Signature(signature(7))), nil)
		require.ErrorIs(t, err, types.ErrMayHaveExecuted)
		require.Equal(t, 5, c.sends, "one each 5 seconds")
		_, err = client.Send(t.Context(), signedBytes(t, types.Signature(signature(7))), &stream.SendOptions{Confirm: stream.ConfirmOptions{Commitment: "oops"}})
		require.ErrorIs(t, err, types.ErrInvalid)
		for _, unsigned := range [][]byte{nil, {1}, make([]byte, 200)} {
			_, err = client.Send(t.Context(), unsigned, nil)
			require.ErrorIs(t, err, types.ErrInvalid)
		}
		require.Equal(t, 5, c.sends)
	})
}

// A preflight fails if the transaction is in the chain, or its blockhash is too old.
func TestSecondSendOfATransactionConfirmsIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &cluster{begun: time.Now(), slot: slotTime, rand: rand.New(rand.NewPCG(1, 2)), nodes: []clusterNode{{}}, blockhash: firstSlot}
		client := clientOf(t, c, types.Config{})
		var sends sync.WaitGroup
		for _, at := range []time.Duration{0, 200 * time.Millisecond, time.Second, 61 * time.Second} {
			sends.Go(func() {
				time.Sleep(at)
				status, err := client.Send(t.Context(), signedBytes(t, types.Signature(signature(7))), nil)
				require.NoError(t, err, at)
				require.Equal(t, uint64(firstSlot+2), status.Slot)
			})
		}
		sends.Wait()
	})
}

// send answers a request to send the transaction, which lands in two slots, or never.
func (c *cluster) send(n clusterNode, knows uint64, config []byte) (answer string) {
	const validSlots = 150
	var sent struct{ SkipPreflight bool }
	_ = json.Unmarshal(config, &sent)
	c.sends++
	failing := ""
	switch {
	case sent.SkipPreflight:
	case knows < c.blockhash || knows > c.blockhash+validSlots:
		failing = `"BlockhashNotFound"`
	case c.landed != 0 && knows >= c.landed:
		failing = `"AlreadyProcessed"`
	default:
		failing = c.fails
	}
	if failing != "" {
		return fmt.Sprintf(`"error":{"code":-32002,"message":"Transaction simulation failed","data":{"err":%s,"logs":[]}}`, failing)
	}
	if lands := c.now() + 2; c.landed == 0 && c.rand.Float64() >= n.drops && lands <= c.blockhash+validSlots {
		c.landed = lands
	}
	return `"result":"` + signature(7) + `"`
}
