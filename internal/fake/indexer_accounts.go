package fake

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/mr-tron/base58"
)

// An IndexerOrder is the order in which an [Indexer] lists accounts, and what cursors
// mean in it. A cursor is always the hash of the last account of a page.
type IndexerOrder int

const (
	// IndexerByHash sorts by hash, and a cursor means the accounts with higher hashes.
	IndexerByHash IndexerOrder = iota

	// IndexerByLeaf sorts by leaf index, and a cursor means the accounts with higher
	// hashes, so that following cursors skips and repeats accounts. The published
	// indexer does so (Photon 0.51).
	IndexerByLeaf

	// IndexerByPlace sorts by leaf index, and a cursor means the accounts after it.
	IndexerByPlace
)

// An Indexer simulates the order and the cursors of the indexer for the accounts of
// [Owner]. Change its fields before the first request only.
type Indexer struct {
	Order    IndexerOrder
	Accounts []IndexerAccount // in any order
	Version1 bool             // whether the methods of version 2 are unknown

	calls atomic.Int64
}

// An IndexerAccount is a compressed account. Its trees are numbered.
type IndexerAccount struct {
	Hash     [32]byte
	Leaf     uint64
	Tree     int
	Lamports uint64
	Data     []byte // nil for none
}

// NewIndexerAccounts returns accounts with random hashes and data, each with the next
// leaf of one of some trees. The data starts with two random bytes and a number.
func NewIndexerAccounts(random *rand.Rand, count, trees int) []IndexerAccount {
	all := make([]IndexerAccount, count)
	for i := range all {
		a := &all[i]
		for j := 0; j < len(a.Hash); j += 8 {
			binary.BigEndian.PutUint64(a.Hash[j:], random.Uint64())
		}
		a.Hash[0] &= 0x1f // hashes are below 2^254
		a.Leaf, a.Tree, a.Lamports = uint64(i/trees), i%trees, uint64(i)
		a.Data = binary.LittleEndian.AppendUint64([]byte{byte(random.Uint32()), byte(random.Uint32())}, uint64(i))
	}
	return all
}

// Service returns a Service that answers for the accounts of [Owner] as x does, and
// does not record its requests.
func (x *Indexer) Service() *Service {
	slices.SortFunc(x.Accounts, func(a, b IndexerAccount) int {
		if x.Order == IndexerByHash {
			return bytes.Compare(a.Hash[:], b.Hash[:])
		}
		return cmp.Or(cmp.Compare(a.Leaf, b.Leaf), bytes.Compare(a.Hash[:], b.Hash[:]))
	})
	s := New()
	s.Unrecorded = true
	s.Before = func(w http.ResponseWriter, r *http.Request) bool { return x.serve(s, w, r) }
	return s
}

// Requests returns the number of requests that x has answered.
func (x *Indexer) Requests() int { return int(x.calls.Load()) }

func (x *Indexer) serve(s *Service, w http.ResponseWriter, r *http.Request) bool {
	body, err := io.ReadAll(r.Body)
	members, isObject := object(body)
	var method string
	if err != nil || !isObject || json.Unmarshal(members["method"], &method) != nil {
		return false
	}
	method, version2 := strings.CutSuffix(method, "V2")
	answer := map[string]operation{
		"getCompressedAccountsByOwner": func(s *Service, c *call) ([]byte, *refusal) { return x.list(s, c, version2) },
		"getCompressedBalanceByOwner":  x.balance,
	}[method]
	if answer == nil {
		return false
	}
	x.calls.Add(1)
	result, refused := answer(s, &call{params: members["params"]})
	if version2 && x.Version1 {
		refused = &refusal{code: -32601, message: "Method not found"}
	}
	if refused != nil {
		_, err = w.Write(failure(refused, members["id"]))
	} else {
		_, err = w.Write(slices.Concat([]byte(`{"jsonrpc":"2.0","result":`), result, []byte(`,"id":`), members["id"], []byte(`}`)))
	}
	return err == nil
}

// balance answers the sum of the lamports, without a check of its range.
func (x *Indexer) balance(s *Service, c *call) ([]byte, *refusal) {
	p := s.named(c.params, "owner")
	owner := p.key("owner", true)
	var sum uint64
	for _, a := range x.Accounts {
		if owner == Owner {
			sum += a.Lamports
		}
	}
	return []byte(`{"context":{"slot":1},"value":` + strconv.FormatUint(sum, 10) + `}`), p.refused
}

func (x *Indexer) list(s *Service, c *call, version2 bool) ([]byte, *refusal) {
	p := s.named(c.params, "owner", "cursor", "limit", "dataSlice", "filters")
	owner := p.key("owner", true)
	cursor, err := unbase58(p.key("cursor", false))
	limit, part, filters := p.limit(), p.slice(), p.filters()
	if p.refused != nil || err != nil {
		return nil, p.refused
	}
	list := s.newPage(limit)
	var last []byte
	for i := range x.after(cursor) {
		a := &x.Accounts[i]
		list.account.data = a.Data
		if owner != Owner || list.full() {
			break
		}
		if list.matches(filters) {
			list.next()
			list.out = a.append(list.out, part, version2)
			last = a.Hash[:]
		}
	}
	return list.finish([]byte(base58.Encode(last))), nil
}

// after yields the places of the accounts that a cursor leaves.
func (x *Indexer) after(cursor []byte) func(func(int) bool) {
	return func(yield func(int) bool) {
		skip := x.Order == IndexerByPlace && len(cursor) > 0
		for i := range x.Accounts {
			hash := x.Accounts[i].Hash[:]
			if skip {
				skip = !bytes.Equal(hash, cursor)
				continue
			}
			if x.Order != IndexerByPlace && bytes.Compare(hash, cursor) <= 0 {
				continue
			}
			if !yield(i) {
				return
			}
		}
	}
}

func (a *IndexerAccount) append(b []byte, part *slice, version2 bool) []byte {
	tree := base58.Encode(append([]byte{byte(a.Tree) + 1}, make([]byte, 31)...))
	b = append(b, `{"hash":"`+base58.Encode(a.Hash[:])+`","address":null,"data":`...)
	if a.Data == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, `{"discriminator":1,"data":"`...)
		b = base64.StdEncoding.AppendEncode(b, part.of(a.Data))
		b = append(b, `","dataHash":"`+tree+`"}`...)
	}
	b = append(b, `,"owner":"`+Owner+`","lamports":`...)
	b = strconv.AppendUint(b, a.Lamports, 10)
	if version2 {
		b = append(b, `,"proveByIndex":true,"merkleContext":{"treeType":3,"tree":"`+tree+`","queue":"`+tree+`","cpiContext":null,"nextTreeContext":null},"seq":null`...)
	} else {
		b = append(b, `,"tree":"`+tree+`","seq":1`...)
	}
	b = append(b, `,"leafIndex":`...)
	b = strconv.AppendUint(b, a.Leaf, 10)
	return append(b, `,"slotCreated":1}`...)
}
