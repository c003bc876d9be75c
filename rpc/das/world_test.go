package das_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// A third of the CPU time went into collecting small garbage.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// A world is an indexer that lists made-up assets as the two captured ones do. It is
// the Transport of a client.
type world struct {
	assets     []entry                   // by ID, ascending
	maxBytes   int                       // of a response; 0 means any
	ascending  bool                      // the default direction; the captured indexers have false
	shuffled   bool                      // lists are in no order, and the cursor is a position
	shortEnds  bool                      // no cursor with a page that is shorter than the limit
	cursorless bool                      // no cursors
	unordered  bool                      // pages by number of the second half have another order
	served     func(page, pages int) int // the page that is sent instead of a page by number
	deaf       string                    // an ignored member of the params: cursor, page or after
	fault      func(n int) fault         // of request n, from 1
	troubled   bool                      // one request in three fails at first

	mu       sync.Mutex
	requests []params
	failed   map[string]bool // where requests were in trouble
}

type entry struct {
	id     types.Address
	key    string // the bytes of id
	bytes  int    // its size; 0 means small
	rows   int    // the rows that list it, next to each other, merged within a page; 0 means 1
	broken bool   // listed in errors
	hidden bool   // removed after the limit applied, and nowhere listed
}

func (e entry) json() string {
	if e.bytes > 0 {
		return fmt.Sprintf(`{"id":%q,"spl20":%q}`, e.id, strings.Repeat("x", e.bytes))
	}
	return fmt.Sprintf(`{"id":%q,"interface":"V1_NFT","mutable":true}`, e.id)
}

// A fault is a fault of a request.
type fault int

const (
	none fault = iota
	unavailable
	limited
	truncated
	reset
	refused
	panics
)

type params struct {
	Method  string   `json:"-"`
	IDs     []string `json:"ids"`
	Limit   *int     `json:"limit"`
	Page    int      `json:"page"`
	Cursor  string   `json:"cursor"`
	After   string   `json:"after"`
	Before  string   `json:"before"`
	Options struct {
		Fungible      bool `json:"showFungible"`
		NativeBalance bool `json:"showNativeBalance"`
		GrandTotal    bool `json:"showGrandTotal"`
	} `json:"options"`
	SortBy *struct {
		SortBy        string `json:"sortBy"`
		SortDirection string `json:"sortDirection"`
	} `json:"sortBy"`
}

func (p params) limit() int {
	if p.Limit == nil {
		return 1000
	}
	return *p.Limit
}

// newWorld has n assets with IDs that are spread as real ones are.
func newWorld(n int) *world {
	w := &world{failed: map[string]bool{}}
	for i := range n {
		var seed [8]byte
		binary.BigEndian.PutUint64(seed[:], uint64(i))
		key := sha256.Sum256(seed[:])
		w.assets = append(w.assets, entry{id: types.AddressOf(key), key: string(key[:])})
	}
	slices.SortFunc(w.assets, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	return w
}

func (w *world) client(t testing.TB) *das.Client {
	t.Helper()
	c, err := das.New(types.Config{APIKey: types.Key("a-key"), HTTPClient: over(w)})
	require.NoError(t, err)
	return c
}

func over(w *world) *http.Client { return &http.Client{Transport: w} }

// ids are the IDs that a walk has to yield, in the default order.
func (w *world) ids() []types.Address {
	var all []types.Address
	for _, e := range w.assets {
		if !e.hidden {
			all = append(all, e.id)
		}
	}
	if !w.ascending {
		slices.Reverse(all)
	}
	return all
}

func (w *world) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	var call struct {
		ID     string `json:"id"`
		Method string `json:"method"`
		Params params `json:"params"`
	}
	if err := json.Unmarshal(body, &call); err != nil {
		return nil, err
	}
	call.Params.Method = call.Method
	w.mu.Lock()
	w.requests = append(w.requests, call.Params)
	n := len(w.requests)
	what := none
	if w.fault != nil {
		what = w.fault(n)
	}
	if where := call.Params.Cursor + call.Params.After; w.troubled && n%3 == 0 && !w.failed[where] {
		w.failed[where] = true
		what = []fault{unavailable, limited, truncated, reset}[n/3%4]
	}
	w.mu.Unlock()
	status := 200
	text := `{"jsonrpc":"2.0","id":"` + call.ID + `",` + w.result(call.Params) + `}`
	if w.maxBytes > 0 && len(text) > w.maxBytes {
		text = `{"jsonrpc":"2.0","id":"` + call.ID + `","error":{"code":-32702,"message":"Response is too big","data":"Exceeded max limit of 10485760"}}`
	}
	switch what {
	case unavailable:
		status, text = 503, `{"error":"down"}`
	case limited:
		status, text = 429, `{"jsonrpc":"2.0","error":{"code":-32429,"message":"rate limited"}}`
	case truncated:
		text = text[:len(text)/2]
	case reset:
		return nil, io.ErrUnexpectedEOF
	case refused:
		status, text = 401, `{"error":"unauthorized"}`
	case panics:
		panic("of the Transport")
	}
	return &http.Response{
		StatusCode: status, Request: req, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(text)),
	}, nil
}

// result returns the members of a response after its ID.
func (w *world) result(p params) string {
	switch p.Method {
	case "getAssetBatch":
		return w.batch(p)
	case "getTokenAccounts", "getNftEditions", "getSignaturesForAsset":
		return w.numbered(p)
	}
	rows, cursor := w.window(p)
	var items, errs []string
	last := ""
	for _, e := range rows {
		switch {
		case e.hidden || string(e.id) == last:
			continue
		case e.broken:
			errs = append(errs, fmt.Sprintf(`{"id":%q,"error":"Custom Error: interface not found"}`, e.id))
		default:
			items = append(items, e.json())
		}
		last = string(e.id)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `"result":{"total":%d,"limit":%d,"items":[%s]`, len(items)+len(errs), p.limit(), strings.Join(items, ","))
	if len(errs) > 0 {
		fmt.Fprintf(&b, `,"errors":[%s]`, strings.Join(errs, ","))
	}
	if p.Page > 0 && w.deaf != "page" {
		fmt.Fprintf(&b, `,"page":%d`, p.Page)
	} else if last != "" && p.After+p.Before == "" && !w.cursorless && (!w.shortEnds || len(items)+len(errs) >= p.limit()) {
		fmt.Fprintf(&b, `,"cursor":%q`, cmp.Or(cursor, last))
	}
	if p.Options.NativeBalance {
		b.WriteString(`,"nativeBalance":{"lamports":7}`)
	}
	if p.Options.GrandTotal {
		fmt.Fprintf(&b, `,"grand_total":%d`, len(w.assets))
	}
	b.WriteString("}")
	return b.String()
}

// window returns the rows of a page, before some of them are removed, and the cursor
// of a shuffled world.
func (w *world) window(p params) (rows []entry, cursor string) {
	up := w.ascending
	if p.SortBy != nil && p.SortBy.SortDirection != "" {
		up = p.SortBy.SortDirection == "asc"
	}
	all := w.assets
	if w.shuffled {
		start := 0
		_, _ = fmt.Sscan(p.Cursor, &start)
		all = slices.Clone(all)
		slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.key[31], b.key[31]) })
		rows = all[start:min(start+p.limit(), len(all))]
		return rows, fmt.Sprint(start + len(rows))
	}
	if !up {
		all = slices.Clone(all)
		slices.Reverse(all)
	}
	if p.Page > 0 && w.served != nil {
		p.Page = w.served(p.Page, (len(all)+p.limit()-1)/p.limit())
	}
	if w.unordered && p.Page*p.limit() > len(all)/2 {
		all = slices.Clone(all)
		slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.key[30], b.key[30]) })
	}
	cursor, after, before := key(p.Cursor), key(p.After), key(p.Before)
	in := func(e entry) bool {
		return (cursor == "" || w.deaf == "cursor" || e.key != cursor && e.key > cursor == up) &&
			(after == "" || w.deaf == "after" || e.key > after) && (before == "" || e.key < before)
	}
	skip := 0
	if p.Page > 0 && w.deaf != "page" {
		skip = (p.Page - 1) * p.limit()
	}
	for _, e := range all {
		if !in(e) {
			continue
		}
		for range max(e.rows, 1) {
			if skip--; skip < 0 && len(rows) < p.limit() {
				rows = append(rows, e)
			}
		}
	}
	return rows, ""
}

func key(id string) string {
	b, _ := types.Address(id).Bytes()
	return string(b)
}

func (w *world) batch(p params) string {
	var items []string
	known := make(map[string]entry, len(w.assets))
	for _, e := range w.assets {
		known[string(e.id)] = e
	}
	for _, id := range p.IDs {
		if e, ok := known[id]; ok {
			items = append(items, e.json())
		} else {
			items = append(items, "null")
		}
	}
	slices.Reverse(items)
	return `"result":[` + strings.Join(items, ",") + `]`
}

// numbered lists the assets as if they were token accounts, editions or signatures.
func (w *world) numbered(p params) string {
	rows, _ := w.window(params{Page: p.Page, Limit: p.Limit, After: p.After, Before: p.Before})
	list := map[string]string{"getTokenAccounts": "token_accounts", "getNftEditions": "editions", "getSignaturesForAsset": "items"}[p.Method]
	item := map[string]string{"getTokenAccounts": `{"address":%q,"amount":1}`, "getNftEditions": `{"edition_address":%q}`, "getSignaturesForAsset": `[%q,"Transfer"]`}[p.Method]
	var items []string
	for _, e := range rows {
		items = append(items, fmt.Sprintf(item, e.id))
	}
	return fmt.Sprintf(`"result":{"master_edition_address":"m","cursor":null,%q:[%s]}`, list, strings.Join(items, ","))
}
