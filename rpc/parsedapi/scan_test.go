package parsedapi_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/parsedapi"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

const jupiter types.Address = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"

// scanned returns a service whose wallet has n transactions, m of which call a program, and
// their signatures from new to old.
func scanned(t *testing.T, n, m int) (*fake.Service, parsedapi.Match, []types.Signature) {
	t.Helper()
	const program types.Address = "8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh8"
	w := &fake.World{}
	for i := range n {
		x := fake.Transaction{FeePayer: wallet, Transfers: []fake.Transfer{{From: wallet, To: program, Amount: decimal.New(1, -9)}}}
		if m > 0 && i%(n/m) == 0 && i/(n/m) < m { // in the first part of each group
			x.Instructions = []fake.Instruction{{Program: program, Accounts: []types.Address{wallet}, Data: []byte{7, 7, byte(i)}}}
		}
		w.Transactions = append(w.Transactions, x)
	}
	s := fake.New(&fake.Options{World: w, Seed: 1})
	match := parsedapi.Match{Programs: []parsedapi.ProgramMatch{{ProgramID: program, Discriminators: []parsedapi.Discriminator{{7, 7}}}}}
	c, err := parsedapi.New(s.Config())
	require.NoError(t, err)
	var all []types.Signature
	for r, err := range c.History(t.Context(), wallet, nil).All() {
		require.NoError(t, err)
		for _, i := range r.Parsed.Instructions {
			if i.ProgramID == program {
				all = append(all, r.Signature)
			}
		}
	}
	require.Len(t, all, m)
	return s, match, all
}

// 10 000 transactions cost 20 credits in one request; a smaller budget has empty pages in
// between. A process that is killed resumes at the cursor of the last page that it stored.
func TestScanFindsTheMatchesOfALongHistory(t *testing.T) {
	t.Parallel()
	s, match, want := scanned(t, 10_000, 37)
	for _, row := range []struct {
		budget, pages, empty int
		credits              uint64
	}{{0, 1, 0, 20}, {1000, 10, 0, 110}, {100, 100, 63, 1100}} {
		cfg := s.Config()
		cfg.Meter = new(types.Meter)
		var got []types.Signature
		opts, pages, empty, charged, searched := parsedapi.ScanOptions{Budget: row.budget}, 0, 0, uint64(0), uint64(0)
		for more := true; more; { // each process reads one page, and is killed
			c, err := parsedapi.New(cfg)
			require.NoError(t, err)
			page, err := c.Scan(t.Context(), wallet, match, &opts).Page()
			require.NoError(t, err)
			for _, r := range page.Items {
				got = append(got, r.Signature)
			}
			if len(page.Items) == 0 {
				empty++
			}
			pages++
			charged += page.Credits
			searched += page.Searched
			opts.Cursor, more = page.Cursor, page.HasMore
			require.Equal(t, more, page.StoppedOn == parsedapi.StoppedOnBudget)
		}
		require.Equal(t, want, got)
		require.Equal(t, []any{row.pages, row.empty, row.credits, uint64(10_000)}, []any{pages, empty, charged, searched}, row)
		require.Equal(t, row.credits, cfg.Meter.Credits())
	}

	c, err := parsedapi.New(s.Config())
	require.NoError(t, err)
	var all []types.Signature
	for page, err := range c.Scan(t.Context(), wallet, match, &parsedapi.ScanOptions{HistoryOptions: parsedapi.HistoryOptions{PageOptions: types.PageOptions{Limit: 10}}}).Pages() {
		require.NoError(t, err)
		require.LessOrEqual(t, len(page.Items), 10)
		for _, r := range page.Items {
			all = append(all, r.Signature)
		}
	}
	require.Equal(t, want, all)
	signatures, err := c.ScanSignatures(t.Context(), wallet, match, nil).Collect(100)
	require.NoError(t, err)
	require.Len(t, signatures, 37)
	require.Equal(t, want[36], signatures[36].Signature)
	count, err := c.ScanCount(t.Context(), wallet, match, &parsedapi.ScanOptions{Budget: 3000})
	require.NoError(t, err)
	require.Equal(t, []uint64{37, 10_000, 50}, []uint64{count.Matched, count.Searched, count.Credits})
}

func TestScanByNameMintAndScope(t *testing.T) {
	t.Parallel()
	const unrelated types.Address = "HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664"
	c, err := parsedapi.New(fake.New(nil).Config())
	require.NoError(t, err)
	count := func(address types.Address, m parsedapi.Match, o *parsedapi.ScanOptions) uint64 {
		got, err := c.ScanCount(t.Context(), address, m, o)
		require.NoError(t, err)
		return got.Matched
	}
	program := func(p parsedapi.ProgramMatch) parsedapi.Match {
		p.ProgramID = jupiter
		return parsedapi.Match{Programs: []parsedapi.ProgramMatch{p}}
	}
	all := count(fake.WalletAddress, program(parsedapi.ProgramMatch{}), nil)
	require.Positive(t, all)
	require.Equal(t, all, count(fake.WalletAddress, program(parsedapi.ProgramMatch{Instructions: []string{"route"}}), nil))
	require.Zero(t, count(fake.WalletAddress, program(parsedapi.ProgramMatch{Discriminators: []parsedapi.Discriminator{{1}}}), nil))
	succeeded := count(fake.WalletAddress, program(parsedapi.ProgramMatch{}), &parsedapi.ScanOptions{HistoryOptions: parsedapi.HistoryOptions{Outcome: types.OutcomeSucceeded}})
	failed := count(fake.WalletAddress, program(parsedapi.ProgramMatch{}), &parsedapi.ScanOptions{HistoryOptions: parsedapi.HistoryOptions{Outcome: types.OutcomeFailed}})
	require.Equal(t, all, succeeded+failed)
	both := program(parsedapi.ProgramMatch{})
	both.Mints = []parsedapi.MintMatch{{Mint: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"}}
	require.Less(t, count(fake.WalletAddress, both, nil), all)
	_, err = c.ScanCount(t.Context(), unrelated, program(parsedapi.ProgramMatch{Instructions: []string{"nope"}}), nil)
	var refusal *types.APIError
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, 400, refusal.StatusCode)
	require.GreaterOrEqual(t, count(jupiter, program(parsedapi.ProgramMatch{}), nil), all, "a program is an address too")
}

// A host that does not know the newer members gets requests without them, once they are
// refused. An option that the caller has set is not left out.
func TestUnknownMembersAreLeftOut(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		member string
		opts   *parsedapi.HistoryOptions
		sent   []string // texts in the requests, or an error
		fails  bool
	}{
		"status":                 {"status", nil, []string{`"status":"any"`, "", ""}, false},
		"token accounts":         {"tokenAccounts", nil, []string{`"tokenAccounts":"balanceChanged"`, "", ""}, false},
		"a status":               {"status", &parsedapi.HistoryOptions{Outcome: types.OutcomeSucceeded}, []string{`"status":"succeeded"`, `"status":"succeeded"`}, true},
		"all token accounts":     {"tokenAccounts", &parsedapi.HistoryOptions{TokenAccounts: types.TokenAccountHistoryAll}, []string{`"tokenAccounts":"all"`, `"tokenAccounts":"all"`}, true},
		"the raw transaction":    {"rawTransaction", &parsedapi.HistoryOptions{Raw: types.EncodingJSON}, []string{`"rawTransaction":"json"`, `"includeRawTransaction":true`, `"includeRawTransaction":true`}, false},
		"the raw transaction 64": {"rawTransaction", &parsedapi.HistoryOptions{Raw: types.EncodingBase64}, []string{`"rawTransaction":"base64"`, `"rawTransaction":"base64"`}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fake.New(nil)
			refused := fake.Fault{Status: 400, Body: fmt.Sprintf(`{"error":"unknown field `+"`%s`, expected one of `address`, `status`, `tokenAccounts`"+`"}`, row.member)}
			s.FailIf("", func(r fake.Request) bool { return strings.Contains(r.Body, strconv.Quote(row.member)) }, refused)
			c, err := parsedapi.New(s.Config())
			require.NoError(t, err)
			for range 2 {
				_, err = c.History(t.Context(), fake.WalletAddress, row.opts).Page()
				require.Equal(t, row.fails, err != nil, err)
			}
			requests := s.Requests()
			require.Len(t, requests, len(row.sent))
			for i, sent := range row.sent {
				if sent == "" {
					require.NotContains(t, requests[i].Body, strconv.Quote(row.member))
				}
				require.Contains(t, requests[i].Body, sent)
			}
		})
	}
}

// A refusal that names a member for another reason must not leave the member out for good: the
// service would then leave out failed transactions.
func TestRefusalForAnotherReasonLeavesOutNothing(t *testing.T) {
	t.Parallel()
	s := fake.New(nil)
	refused := fake.Fault{Status: 400, Body: `{"error":"paginationToken was issued for another status"}`}
	s.Fail("", 1, refused)
	s.Fail("", 2, refused)
	c, err := parsedapi.New(s.Config())
	require.NoError(t, err)
	_, err = c.History(t.Context(), fake.WalletAddress, nil).Page()
	require.ErrorContains(t, err, "another status")
	_, err = c.History(t.Context(), fake.WalletAddress, nil).Page()
	require.NoError(t, err)
	requests := s.Requests()
	require.Contains(t, requests[len(requests)-1].Body, `"status":"any"`)
}
