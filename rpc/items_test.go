package rpc_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"math"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
)

// oddPage is a page of three transactions, of which the second one has a fee that is text.
const oddPage = `{"jsonrpc":"2.0","id":null,"result":{"data":[
	{"slot":30,"transactionIndex":3,"blockTime":null,"version":0,"meta":{"err":null,"fee":5000},"transaction":{"signatures":["5wHu1qwD7q5ifaN5nwdcDqNFo53GJqa7nLp2BeeEpcHCusb4GzARz4GjgzsEHMkBMgCJMGa6GSQ1VG96Exv8kt2W"],"message":{}}},
	{"slot":30,"transactionIndex":2,"blockTime":null,"version":0,"meta":{"err":null,"fee":"5000"},"transaction":{"signatures":["3Ww3Wz9C1b7RM8P3xEzyWmeHk7H7jE7VtCFTJwEsqz2MrJxt2Cb7D1YzTFY6hYC1Hn7QWQcX5dUoZ7r2A5rQ7tPb"],"message":{}}},
	{"slot":29,"transactionIndex":9,"blockTime":null,"version":0,"meta":{"err":null,"fee":5000},"transaction":{"signatures":["2nBhEBYYvfaAe16UMNqRHre4YNSskvuYgx3M6E4JP1oDYvZEJHvoPzyUidNgNX5r9sTyN1J9UxtbCXy2rqYcuyuv"],"message":{}}}
	],"paginationToken":"29:9"}}`

func TestUnreadableTransactionLeavesTheOthers(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, oddPage)
	client, err := rpc.New(s.Config())
	require.NoError(t, err)
	list := client.TransactionsForAddress(t.Context(), fakeapi.Wallet, nil)
	var slots []uint64
	var last error
	for tx, err := range list.All() {
		if last = err; err == nil {
			slots = append(slots, tx.Slot)
		}
	}
	require.Equal(t, []uint64{30, 29}, slots)
	require.Len(t, s.Requests(), 1, "the listing ends with the page")
	var item *types.ItemError
	require.ErrorAs(t, last, &item)
	require.Equal(t, "3Ww3Wz9C1b7RM8P3xEzyWmeHk7H7jE7VtCFTJwEsqz2MrJxt2Cb7D1YzTFY6hYC1Hn7QWQcX5dUoZ7r2A5rQ7tPb", item.ID)
	require.Equal(t, "meta.fee", item.Path)
	require.Contains(t, string(item.JSON), `"fee":"5000"`)
	require.EqualError(t, last, "getTransactionsForAddress of "+fakeapi.Wallet+": item 3Ww3Wz9C1b7RM8P3xEzyWmeHk7H7jE7VtCFTJwEsqz2MrJxt2Cb7D1YzTFY6hYC1Hn7QWQcX5dUoZ7r2A5rQ7tPb cannot be read: meta.fee: "+errors.Unwrap(item).Error())

	s.Answer(200, oddPage)
	page, err := list.Page()
	require.ErrorAs(t, err, &item)
	require.Len(t, page.Items, 2)
	require.Equal(t, page.Cursor, item.Cursor)
	require.NotEmpty(t, item.Cursor)
}

// An item without an ID is named by its place, and a transaction that came as bytes by its
// signature.
func TestUnreadableItemIsNamed(t *testing.T) {
	t.Parallel()
	signature := types.Signature(base58.Encode(bytes.Repeat([]byte{7}, 64)))
	encoded := base64.StdEncoding.EncodeToString(append([]byte{1}, bytes.Repeat([]byte{7}, 200)...))
	for odd, want := range map[string]string{
		`{"slot":30,"meta":{"err":null,"fee":"5"},"transaction":["` + encoded + `","base64"]}`:        "item " + string(signature) + " cannot be read: meta.fee: the response has string where uint64 is expected",
		`{"slot":30,"meta":{"err":null,"fee":"5"},"transaction":["` + encoded[:200] + `!","base64"]}`: "item cannot be read: meta.fee: item 1 of the response has string where uint64 is expected",
		`{"slot":"x","meta":{"err":null,"fee":5},"transaction":{"signatures":[]}}`:                    "item cannot be read: slot: item 1 of the response has string where uint64 is expected",
		`{"blockTime":1.5}`: "item cannot be read: blockTime: item 1 of the response: time is not a number of Unix seconds",
		`[]`:                "item cannot be read: item 1 of the response has array where object is expected",
		`null`:              "item cannot be read: item 1 of the response is null",
	} {
		s := fakeapi.New()
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"data":[{"signature":"`+string(signature)+`","slot":31,"meta":{"err":null,"fee":5},"transaction":{"signatures":[]}},`+odd+`]}}`)
		client, err := rpc.New(s.Config())
		require.NoError(t, err)
		_, err = client.TransactionsForAddress(t.Context(), fakeapi.Wallet, nil).Page()
		require.EqualError(t, err, "getTransactionsForAddress of "+fakeapi.Wallet+": "+want)
	}
}

// Gateways write numbers in other notations, also outside of the items.
func TestNumbersBesideItemsAreMended(t *testing.T) {
	t.Parallel()
	for slot, want := range map[string]uint64{"5e3": 5000, "5000.0": 5000, "18446744073709552000": math.MaxUint64} {
		s := fakeapi.New()
		s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"context":{"slot":`+slot+`},"value":[]}}`)
		client, err := rpc.New(s.Config())
		require.NoError(t, err)
		page, err := client.TokenAccountsByOwner(t.Context(), fakeapi.Wallet, rpc.ByProgram(types.TokenProgram), nil).Page()
		require.NoError(t, err, slot)
		require.Equal(t, want, page.Slot)
	}
}

func TestOnItemErrorContinues(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, oddPage)
	s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"data":[],"paginationToken":null}}`)
	cfg := s.Config()
	var odd []*types.ItemError
	cfg.OnItemError = func(e *types.ItemError) { odd = append(odd, e) }
	client, err := rpc.New(cfg)
	require.NoError(t, err)
	all, err := client.TransactionsForAddress(t.Context(), fakeapi.Wallet, nil).Collect(10)
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Len(t, s.Requests(), 2)
	require.Len(t, odd, 1)
	require.Equal(t, "meta.fee", odd[0].Path)
	require.NotEmpty(t, odd[0].Cursor)
}

func TestUnreadableItemHidesTheKey(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	cfg := s.Config()
	key := cfg.APIKey.Reveal()
	s.Answer(200, `{"jsonrpc":"2.0","id":null,"result":{"data":[{"signature":"`+key+`","slot":"x"}]}}`)
	client, err := rpc.New(cfg)
	require.NoError(t, err)
	_, err = client.TransactionsForAddress(t.Context(), fakeapi.Wallet, nil).Page()
	require.EqualError(t, err, "getTransactionsForAddress of "+fakeapi.Wallet+": item *** cannot be read: slot: "+errors.Unwrap(err).Error())
	require.NotContains(t, err.Error(), key)
}
