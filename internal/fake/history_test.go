package fake_test

import (
	"encoding/json"
	"math/big"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

type transaction struct {
	Signature string  `json:"signature"`
	Time      *int64  `json:"timestamp"`
	Slot      uint64  `json:"slot"`
	FeePayer  string  `json:"feePayer"`
	Error     *string `json:"error"`
	Changes   []struct {
		Mint     string      `json:"mint"`
		Amount   json.Number `json:"amount"`
		Decimals int         `json:"decimals"`
	} `json:"balanceChanges"`
}

type transfer struct {
	Signature    string      `json:"signature"`
	Time         *int64      `json:"timestamp"`
	Direction    string      `json:"direction"`
	Counterparty string      `json:"counterparty"`
	Mint         string      `json:"mint"`
	Symbol       *string     `json:"symbol"`
	Amount       json.Number `json:"amount"`
	Raw          string      `json:"amountRaw"`
	Decimals     int64       `json:"decimals"`
}

type restPage[T any] struct {
	Data       []T `json:"data"`
	Pagination struct {
		HasMore bool   `json:"hasMore"`
		Next    string `json:"nextCursor"`
	} `json:"pagination"`
}

func pageOf[T any](t *testing.T, s *fake.Service, path string) restPage[T] {
	t.Helper()
	status, body := get(t, s, "/v1/wallet/"+fake.Wallet+path)
	require.Equal(t, 200, status, body)
	var page restPage[T]
	require.NoError(t, json.Unmarshal([]byte(body), &page))
	require.NotNil(t, page.Data)
	require.Equal(t, page.Pagination.HasMore, page.Pagination.Next != "")
	return page
}

// follow reads all pages. The path ends in the parameter for the cursor.
func follow[T any](t *testing.T, s *fake.Service, path, cursor string) (all []T, pages int) {
	t.Helper()
	page := pageOf[T](t, s, path)
	for {
		all = append(all, page.Data...)
		pages++
		if !page.Pagination.HasMore {
			return all, pages
		}
		page = pageOf[T](t, s, path+"&"+cursor+"="+url.QueryEscape(page.Pagination.Next))
	}
}

func TestHistoryIsNewestFirst(t *testing.T) {
	t.Parallel()
	s := fake.New()
	all, pages := follow[transaction](t, s, "/history?tokenAccounts=all", "before")
	require.Len(t, all, 340)
	require.Equal(t, 4, pages)
	seen := map[string]bool{}
	mints := map[string]bool{}
	var failed, empty, foreign int
	for i, x := range all {
		require.Len(t, bytes58(t, x.Signature), 64)
		require.False(t, seen[x.Signature])
		seen[x.Signature] = true
		require.Equal(t, i < 2, x.Time == nil, "the newest have no time yet")
		if i > 0 {
			require.Less(t, x.Slot, all[i-1].Slot)
		}
		if i > 2 {
			require.Less(t, *x.Time, *all[i-1].Time)
		}
		if x.Error != nil {
			failed++
		}
		if len(x.Changes) == 0 {
			empty++
		}
		if x.FeePayer != fake.Wallet {
			foreign++
		}
		for _, c := range x.Changes {
			require.NotZero(t, rat(t, c.Amount).Sign())
			mints[c.Mint] = true
		}
	}
	require.Positive(t, failed)
	require.Positive(t, empty)
	require.Positive(t, foreign)
	require.True(t, mints["SOL"])
	require.True(t, mints[string(types.WrappedSOL)], "wrapped SOL moved too")

	small, pages := follow[transaction](t, s, "/history?tokenAccounts=all&limit=34", "before")
	require.Equal(t, all, small)
	require.Equal(t, 10, pages)
}

// last returns the signature of the oldest transaction.
func last(t *testing.T, s *fake.Service) string {
	t.Helper()
	all, _ := follow[transaction](t, s, "/history?tokenAccounts=all", "before")
	return all[len(all)-1].Signature
}

func TestHistoryReachesWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	s := fake.New()
	count := func(query string) int {
		all, _ := follow[transaction](t, s, "/history?"+query, "before")
		return len(all)
	}
	none, some, all := count("tokenAccounts=none"), count("tokenAccounts=balanceChanged"), count("tokenAccounts=all")
	require.Less(t, none, some)
	require.Less(t, some, all)
	require.Equal(t, some, count("limit=100"), "the default")

	list, _ := follow[transaction](t, s, "/history?tokenAccounts=all", "before")
	after, _ := follow[transaction](t, s, "/history?tokenAccounts=all&after="+list[10].Signature, "before")
	require.Equal(t, list[:10], after)
	between := pageOf[transaction](t, s, "/history?tokenAccounts=all&after="+list[10].Signature+"&before="+list[3].Signature)
	require.Equal(t, list[4:10], between.Data)
	crossed := pageOf[transaction](t, s, "/history?after="+list[3].Signature+"&before="+list[10].Signature)
	require.Empty(t, crossed.Data)
}

func TestHistoryOfATypeMayHaveEmptyPages(t *testing.T) {
	t.Parallel()
	s := fake.New()
	whole, _ := follow[transaction](t, s, "/history?type=NFT_SALE", "before")
	require.NotEmpty(t, whole)
	small, _ := follow[transaction](t, s, "/history?type=NFT_SALE&limit=3", "before")
	require.Equal(t, whole, small)
	first := pageOf[transaction](t, s, "/history?type=NFT_SALE&limit=3")
	require.Empty(t, first.Data)
	require.True(t, first.Pagination.HasMore)
	nothing, _ := follow[transaction](t, s, "/history?type=ADD_TO_WHITELIST", "before")
	require.Empty(t, nothing)
}

func TestTransfersAreNewestFirst(t *testing.T) {
	t.Parallel()
	s := fake.New()
	all, pages := follow[transfer](t, s, "/transfers?limit=100", "cursor")
	require.Greater(t, len(all), 300)
	require.Equal(t, (len(all)+99)/100, pages)
	perSignature, mints, directions := map[string]int{}, map[string]int{}, map[string]int{}
	var long, nameless int
	for i, x := range all {
		perSignature[x.Signature]++
		mints[x.Mint]++
		directions[x.Direction]++
		require.True(t, isAddress(x.Mint))
		require.True(t, isAddress(x.Counterparty))
		if i > 0 {
			require.LessOrEqual(t, *x.Time, *all[i-1].Time)
		}
		if len(x.Raw) > 16 {
			long++
		}
		if x.Symbol == nil {
			nameless++
		}
		scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(x.Decimals), nil))
		require.Zero(t, scale.Mul(scale, rat(t, x.Amount)).Cmp(rat(t, json.Number(x.Raw))))
		require.Equal(t, 1, rat(t, x.Amount).Sign())
	}
	require.Less(t, len(perSignature), len(all), "several moved at once")
	require.Positive(t, mints[string(types.NativeSOLMint)])
	require.Positive(t, mints[string(types.WrappedSOL)])
	require.Len(t, directions, 2)
	require.Positive(t, long, "beyond 2^53")
	require.Positive(t, nameless)

	half, pages := follow[transfer](t, s, "/transfers?", "cursor")
	require.Equal(t, all, half)
	require.Equal(t, (len(all)+49)/50, pages, "the default is 50")
}
