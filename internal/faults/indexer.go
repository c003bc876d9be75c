package faults

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/fakeapi/wire"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
)

// An Order is the order in which an [Indexer] lists accounts by owner, and the meaning of its
// cursors. A cursor is always the hash of the last account of a page.
type Order int

const (
	// ByHash sorts by hash, and a cursor means the accounts with higher hashes.
	ByHash Order = iota

	// ByLeaf sorts by leaf index, and a cursor means the accounts with higher hashes, so
	// that following cursors skips and repeats accounts. The published indexer does so
	// (Photon 0.51).
	ByLeaf
)

// An Indexer is a fake with compressed accounts of [fakeapi.Owner], in an order. Change its fields
// before the first request only.
type Indexer struct {
	Order    Order
	Accounts []world.Compressed // in any order

	service *fakeapi.Service
	sorted  *fakeapi.Service // lists by hash
	mu      sync.Mutex
	listed  map[string][]listed // by the method and the slice of data
}

// A listed is an account in a listing.
type listed struct {
	Hash string `json:"hash"`
	Leaf uint64 `json:"leafIndex"`
	text json.RawMessage
	data []byte
}

// NewIndexerAccounts returns accounts with random hashes and data, each with the next leaf of
// one of some trees. The data starts with two random bytes and a number.
func NewIndexerAccounts(random *rand.Rand, count, trees int) []world.Compressed {
	all := make([]world.Compressed, count)
	for i := range all {
		source := world.Source(random.Uint64())
		hash, data := source.Address(), binary.LittleEndian.AppendUint64(make([]byte, 2), uint64(i))
		source.Bytes(data[:2])
		all[i] = world.Compressed{
			Hash: hash, DataHash: hash, Data: data, Discriminator: 1, Owner: fakeapi.Owner, Tree: world.Derived(fmt.Sprint("tree ", i%trees)),
			Lamports: uint64(i), Leaf: uint64(i / trees), Seq: 1,
		}
	}
	return all
}

// Service returns a Service with the accounts of x.
func (x *Indexer) Service() *fakeapi.Service {
	service := func() *fakeapi.Service {
		b := world.NewBuilder("")
		b.Accounts(fakeapi.Owner, slices.Clone(x.Accounts))
		w, err := b.World()
		if err != nil {
			panic(err)
		}
		return fakeapi.NewOf(w)
	}
	x.service, x.sorted, x.listed = service(), service(), map[string][]listed{}
	if x.Order != ByHash {
		x.service.Intercept = x.intercept
	}
	return x.service
}

// Requests returns the number of requests that x has answered.
func (x *Indexer) Requests() int { return len(x.service.Requests()) }

// intercept answers a listing by owner.
func (x *Indexer) intercept(w http.ResponseWriter, in *fakeapi.Incoming) bool {
	var call struct {
		Method string                     `json:"method"`
		Params map[string]json.RawMessage `json:"params"`
	}
	if json.Unmarshal(in.Body, &call) != nil || !strings.HasPrefix(call.Method, "getCompressedAccountsByOwner") {
		return false
	}
	limit, cursor := 1000, ""
	_ = json.Unmarshal(call.Params["limit"], &limit)
	_ = json.Unmarshal(call.Params["cursor"], &cursor)
	var conditions []json.RawMessage
	_ = json.Unmarshal(call.Params["filters"], &conditions)
	var c wire.Call
	filters, all := c.Filters(conditions, 5), x.list(call.Method, call.Params)
	if limit > 1000 || all == nil || c.Refused != nil {
		return false // which the fake refuses
	}
	items, last := []json.RawMessage{}, ""
	for _, a := range all {
		if x.Order == ByLeaf && world.CompareKeys(a.Hash, cursor) <= 0 || slices.ContainsFunc(filters, func(f wire.Filter) bool { return !f.Matches(a.data) }) {
			continue
		}
		if items, last = append(items, a.text), a.Hash; len(items) == limit {
			break
		}
	}
	if len(items) < limit {
		last = ""
	}
	fakeapi.Answer{Status: http.StatusOK, Body: in.Result(world.JSON(`{"context":{"slot":344112233},"value":{"items":?,"cursor":!}}`, items, last))}.Write(w)
	return true
}

// list returns the accounts of the owner, in the order of their leaves. It is nil for a refused
// call.
func (x *Indexer) list(method string, params map[string]json.RawMessage) []listed {
	x.mu.Lock()
	defer x.mu.Unlock()
	key := fmt.Sprintf("%s %s", method, params["dataSlice"])
	if all, known := x.listed[key]; known {
		return all
	}
	all, cursor, data := []listed{}, json.RawMessage("null"), map[string][]byte{}
	for _, a := range x.Accounts {
		data[a.Hash] = a.Data
	}
	for more := true; more; more = string(cursor) != "null" {
		body := world.JSON(`{"jsonrpc":"2.0","id":1,"method":?,"params":{"owner":?,"cursor":?,"dataSlice":?}}`,
			method, params["owner"], cursor, params["dataSlice"])
		w := httptest.NewRecorder()
		x.sorted.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/?api-key="+fakeapi.Key, strings.NewReader(string(body))))
		var page struct {
			Result *struct {
				Value struct {
					Items  []json.RawMessage `json:"items"`
					Cursor json.RawMessage   `json:"cursor"`
				} `json:"value"`
			} `json:"result"`
		}
		if json.Unmarshal(w.Body.Bytes(), &page) != nil || page.Result == nil {
			return nil
		}
		for _, text := range page.Result.Value.Items {
			a := listed{text: text}
			_ = json.Unmarshal(text, &a) // the fake sends an object
			a.data = data[a.Hash]
			all = append(all, a)
		}
		cursor = page.Result.Value.Cursor
	}
	slices.SortStableFunc(all, func(a, b listed) int { return cmp.Compare(a.Leaf, b.Leaf) })
	x.listed[key] = all
	return all
}
