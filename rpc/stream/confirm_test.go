package stream_test

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
)

// A cluster answers each request from one of its nodes, and no WebSocket connection.
type cluster struct {
	begun  time.Time
	slot   time.Duration
	landed uint64 // the slot of the transaction; 0 for never

	// For a transaction that is sent.
	blockhash uint64 // its slot; the transaction can be executed in 150 slots more
	fails     string // the error of its preflight
	sends     int

	mu    sync.Mutex
	rand  *rand.Rand
	nodes []clusterNode
}

func (c *cluster) now() uint64 { return firstSlot + uint64(time.Since(c.begun)/c.slot) }

// A clusterNode knows the chain up to some slots ago, and says that it has some more.
type clusterNode struct {
	behind, claims      uint64
	gone                bool
	drops, loses, twice float64 // shares of sent transactions, of their answers, and of requests
}

func (c *cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.nodes[c.rand.IntN(len(c.nodes))]
	if n.gone || r.Header.Get("Upgrade") != "" {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	in, answer := read(w, r)
	knows := c.now() - n.behind
	claims := knows + n.claims
	switch in.Method {
	case "getEpochInfo":
		answer(`"result":{"absoluteSlot":%d,"blockHeight":%d,"epoch":0,"slotIndex":1,"slotsInEpoch":432000}`, claims, claims-100)
	case "sendTransaction":
		result := c.send(n, knows, in.Params[1])
		if c.rand.Float64() < n.twice {
			result = c.send(n, knows, in.Params[1])
		}
		if c.rand.Float64() < n.loses {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		answer("%s", result)
	case "getSignatureStatuses":
		status := "null"
		if c.landed != 0 && knows >= c.landed {
			status = fmt.Sprintf(`{"slot":%d,"confirmations":1,"err":%s,"confirmationStatus":"confirmed"}`, c.landed, cmp.Or(c.fails, "null"))
		}
		answer(`"result":{"context":{"slot":%d},"value":[%s]}`, claims, status)
	}
}

var confirmations = flag.Int("confirmations", 100, "the number of transactions in the test of Confirm")

// A transaction that is sent again although it was executed, or can be, pays twice.
func TestConfirmIsNeverWrong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 8))
		verdicts := map[string]int{}
		var expired []time.Duration
		for range *confirmations {
			c := &cluster{begun: time.Now(), slot: time.Duration(400+r.IntN(800)) * time.Millisecond, rand: rand.New(rand.NewPCG(r.Uint64(), 1))}
			c.nodes = []clusterNode{{}, {behind: uint64(r.IntN(3))}}
			for range r.IntN(3) {
				c.nodes = append(c.nodes, []clusterNode{
					{behind: uint64(r.IntN(150))}, {behind: 750}, {claims: uint64(r.IntN(150))}, {gone: true},
				}[r.IntN(4)])
			}
			valid := uint64(r.IntN(151)) // slots for which it can be executed, at most
			if r.IntN(3) > 0 {
				c.landed = firstSlot + uint64(r.IntN(int(valid)+1))
			}
			began := time.Now()
			status, err := clientOf(t, c, types.Config{}).Confirm(t.Context(), types.Signature(signature(7)), nil)
			took := time.Since(began)
			switch {
			case err == nil:
				require.Equal(t, c.landed, status.Slot)
				verdicts["confirmed"]++
			case !errors.Is(err, stream.ErrExpired):
				verdicts[err.Error()]++
			default:
				require.Zero(t, c.landed, "expired after %v, landed in slot %d: %+v", took, c.landed-firstSlot, c.nodes)
				require.Greater(t, uint64(took/c.slot), valid, "after %v: %+v", took, c.nodes)
				verdicts["expired"]++
				expired = append(expired, took)
			}
		}
		slices.Sort(expired)
		t.Log(verdicts, "expired after", expired[len(expired)/2], "at most", expired[len(expired)-1])
		require.Len(t, verdicts, 2)
	})
}

// The height of a program's blockhash needs no estimate.
func TestConfirmKnowsTheLastValidBlockHeight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &cluster{begun: time.Now(), slot: 400 * time.Millisecond, rand: rand.New(rand.NewPCG(1, 2)), nodes: []clusterNode{{}}}
		const now = firstSlot - 100 // a height
		began := time.Now()
		_, err := clientOf(t, c, types.Config{}).Confirm(t.Context(), types.Signature(signature(7)), &stream.ConfirmOptions{LastValidBlockHeight: now + 60})
		require.ErrorIs(t, err, stream.ErrExpired)
		require.Less(t, time.Since(began), 45*time.Second) // past it after 24 s; two polls agree
	})
}

// A node that lacks the latest slots but says that it has them finds nothing.
func TestOneSearchDoesNotTellThatATransactionExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &cluster{begun: time.Now(), slot: 400 * time.Millisecond, rand: rand.New(rand.NewPCG(1, 2)), landed: firstSlot + 10}
		c.nodes = []clusterNode{{behind: 260, claims: 260}} // it finds the transaction after 108 s
		began := time.Now()
		status, err := clientOf(t, c, types.Config{}).Confirm(t.Context(), types.Signature(signature(7)), nil)
		require.NoError(t, err)
		require.Equal(t, c.landed, status.Slot)
		require.Greater(t, time.Since(began), 105*time.Second) // the search before found nothing
	})
}
