package parsedapi_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/types"
)

const wallet types.Address = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"

// A service answers with made-up transactions, in order from old to new.
type service struct {
	mu       sync.Mutex
	slots    []uint64 // of the transactions
	rand     *rand.Rand
	requests []request
	nonce    int
	faults   int // first attempts that fail, of ten requests
	failed   bool
	empty    int // empty pages, of ten
	most     int // transactions in the largest response; 0 means any
	trouble  string
	after    int // pages before the trouble
	pages    int
}

type request struct {
	path                  string
	Transactions          []types.Signature
	Address, SortOrder    string
	TokenAccounts, Status string
	RawTransaction        string
	PaginationToken       string
	Limit                 int
	Slot, Time            map[string]json.Number
	IncludeRawTransaction bool
}

func newService(n int, seed uint64) *service {
	s := &service{rand: rand.New(rand.NewPCG(seed, 1)), after: -1}
	slot := uint64(400_000_000)
	for range n {
		if s.rand.IntN(3) > 0 { // some slots have several transactions
			slot += 1 + s.rand.Uint64N(50)
		}
		s.slots = append(s.slots, slot)
	}
	return s
}

func signature(i int) types.Signature {
	b := make([]byte, 64)
	binary.BigEndian.PutUint64(b, uint64(i)+1)
	b[63] = 7
	return types.Signature(base58.Encode(b))
}

func (s *service) signatures() []types.Signature {
	var all []types.Signature
	for i := range s.slots {
		all = append(all, signature(i))
	}
	return all
}

func (s *service) client(t *testing.T) *parsedapi.Client {
	t.Helper()
	c, err := parsedapi.New(types.Config{APIKey: types.Key("key-of-the-tests"), HTTPClient: &http.Client{Transport: s}})
	require.NoError(t, err)
	return c
}

func (s *service) item(i int) string {
	if i%1000 == 999 {
		return fmt.Sprintf(`{"signature":%q,"parserStatus":"ERROR","parserError":{"code":"parse_failed","message":"unknown format"}}`, signature(i))
	}
	return fmt.Sprintf(`{"signature":%q,"parserStatus":"OK","parsed":{"slot":%d,"transactionStatus":"OK","instructions":[]}}`, signature(i), s.slots[i])
}

func (s *service) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	in := request{path: req.URL.Path}
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.DisallowUnknownFields()
	if strings.Contains(string(body), "null") || decoder.Decode(&in) != nil {
		return answer(req, 400, `{"error":"unknown field"}`), nil
	}
	s.requests = append(s.requests, in)
	if s.failed = !s.failed && s.rand.IntN(10) < s.faults; s.failed {
		switch s.rand.IntN(3) {
		case 0:
			return answer(req, 503, `{"error":"unavailable"}`), nil
		case 1:
			return answer(req, 200, `{"data":[{"signature":"5G7Zz`), nil
		}
		return nil, io.ErrUnexpectedEOF
	}
	if n := max(in.Limit, len(in.Transactions)); s.most > 0 && n > s.most {
		return answer(req, 413, `{"error":"response too large"}`), nil
	}
	if in.Address == "" {
		return answer(req, 200, s.batch(in.Transactions)), nil
	}
	return answer(req, 200, s.history(in)), nil
}

func answer(req *http.Request, status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: req}
}

func (s *service) batch(signatures []types.Signature) string {
	var items []string
	for _, want := range signatures {
		item := fmt.Sprintf(`{"signature":%q,"parserStatus":"ERROR","parserError":{"code":"transaction_not_found","message":"not found"}}`, want)
		bytes, _ := base58.Decode(string(want))
		if i := int(binary.BigEndian.Uint64(bytes)) - 1; i < len(s.slots) {
			item = s.item(i)
		}
		items = append(items, item)
	}
	switch s.trouble {
	case "swapped":
		items[0], items[1] = items[1], items[0]
	case "short":
		items = items[1:]
	case "null":
		items[1] = "null"
	case "empty":
		items[1] = fmt.Sprintf(`{"signature":%q,"parserStatus":"OK"}`, signatures[1])
	case "unknown status":
		items[1] = fmt.Sprintf(`{"signature":%q,"parserStatus":"SKIPPED"}`, signatures[1])
	}
	return "[" + strings.Join(items, ",") + "]"
}

// history answers with a page. A token is the slot, the number of transactions before the
// page, and a nonce.
func (s *service) history(in request) string {
	var slot uint64
	var start, nonce int
	_, _ = fmt.Sscanf(in.PaginationToken, "%d:%d:%d", &slot, &start, &nonce) // empty for the first
	s.pages++
	s.nonce++
	troubled := s.after >= 0 && s.pages > s.after
	once := troubled && s.pages == s.after+1 && start > 0
	if s.rand.IntN(10) < s.empty || troubled && s.trouble == "empty" {
		return fmt.Sprintf(`{"data":[],"paginationToken":"%d:%d:%d"}`, slot, start, s.nonce)
	}
	end := min(start+1+s.rand.IntN(in.Limit), len(s.slots))
	from := start
	if once && s.trouble == "repeated page" {
		from, end = max(start-in.Limit, 0), start
	}
	if once && s.trouble == "overlap" {
		from = max(start-1-s.rand.IntN(5), 0)
	}
	var items []string
	for i := from; i < end; i++ {
		at := i
		if in.SortOrder != "asc" {
			at = len(s.slots) - 1 - i
		}
		items = append(items, s.item(at))
		slot = s.slots[at]
	}
	if once && s.trouble == "backwards" {
		for i := range len(items) / 2 {
			items[i], items[len(items)-1-i] = items[len(items)-1-i], items[i]
		}
	}
	token := fmt.Sprintf(`%d:%d:%d`, slot, max(end, start), s.nonce)
	switch {
	case max(end, start) == len(s.slots):
		return fmt.Sprintf(`{"data":[%s]%s}`, strings.Join(items, ","), [...]string{``, `,"paginationToken":null`, `,"paginationToken":""`}[s.rand.IntN(3)])
	case troubled && s.trouble == "repeated token" && start > 0:
		token = in.PaginationToken
	}
	return fmt.Sprintf(`{"data":[%s],"paginationToken":%q}`, strings.Join(items, ","), token)
}
