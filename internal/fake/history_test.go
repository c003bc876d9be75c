package fake_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
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

// last returns the signature of the oldest transaction.
func last(t *testing.T, s *fake.Service) string {
	t.Helper()
	all, _ := follow[transaction](t, s, "/history?tokenAccounts=all", "before")
	return all[len(all)-1].Signature
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
