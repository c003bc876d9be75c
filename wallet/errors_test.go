package wallet_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/wallet"
)

// operations are all of the package, each with its name in errors. What they
// return besides an error is checked to be nothing.
func operations(t *testing.T) map[string]func(context.Context, *wallet.Client) error {
	t.Helper()
	const path = "/v1/wallet/86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY/"
	return map[string]func(context.Context, *wallet.Client) error{
		"GET " + path + "balances": func(ctx context.Context, c *wallet.Client) error {
			page, err := c.Balances(ctx, fake.Wallet, nil)
			require.Nil(t, page)
			return err
		},
		"GET " + path + "history": func(ctx context.Context, c *wallet.Client) error {
			page, err := c.History(ctx, fake.Wallet, nil)
			require.Nil(t, page)
			return err
		},
		"GET " + path + "transfers": func(ctx context.Context, c *wallet.Client) error {
			page, err := c.Transfers(ctx, fake.Wallet, nil)
			require.Nil(t, page)
			return err
		},
		"GET " + path + "identity": func(ctx context.Context, c *wallet.Client) error {
			identity, err := c.Identity(ctx, fake.Wallet)
			require.Nil(t, identity)
			return err
		},
		"POST /v1/wallet/batch-identity": func(ctx context.Context, c *wallet.Client) error {
			identities, err := c.Identities(ctx, []types.Address{fake.Wallet})
			require.Equal(t, []wallet.Identity{{}}, identities)
			return err
		},
		"GET " + path + "funded-by": func(ctx context.Context, c *wallet.Client) error {
			funding, err := c.FundedBy(ctx, fake.Wallet)
			require.Nil(t, funding)
			return err
		},
		"GET " + path + "balance-at": func(ctx context.Context, c *wallet.Client) error {
			balance, err := c.BalanceAt(ctx, fake.Wallet, types.NativeSOLMint, wallet.AtSlot(1))
			require.Nil(t, balance)
			return err
		},
	}
}

func TestRefusalsAreTyped(t *testing.T) {
	t.Parallel()
	for op, call := range operations(t) {
		for _, row := range []struct {
			status  int
			body    string
			headers []string
			want    types.APIError
			is      error
		}{
			{
				status: 400,
				body:   `{"error":"Invalid wallet address","code":400,"details":"'x' is not a valid Solana address"}`,
				want:   types.APIError{StatusCode: 400, Message: "Invalid wallet address", Details: "'x' is not a valid Solana address"},
			},
			{
				status: 401,
				body:   `{"error":"API key required. Pass via ?api-key=xxx or X-Api-Key header","code":401}`,
				want:   types.APIError{StatusCode: 401, Message: "API key required. Pass via ?api-key=xxx or X-Api-Key header"},
				is:     types.ErrUnauthorized,
			},
			{
				status: 403,
				body:   `{"error":{"code":-32003,"message":"not in your plan"}}`,
				want:   types.APIError{StatusCode: 403, Code: -32003, Message: "not in your plan"},
			},
			{
				status: 404,
				body:   `{"error":"No funding transaction found","code":404}`,
				want:   types.APIError{StatusCode: 404, Message: "No funding transaction found"},
				is:     types.ErrNotFound,
			},
			{
				status:  429,
				body:    `{"error":"RATE_LIMIT_EXCEEDED","code":429,"details":"Too many requests. Retry after 2 seconds."}`,
				headers: []string{"Retry-After", "2"},
				want: types.APIError{
					StatusCode: 429, Message: "RATE_LIMIT_EXCEEDED",
					Details: "Too many requests. Retry after 2 seconds.", RetryAfter: 2 * time.Second,
				},
				is: types.ErrRateLimited,
			},
			{
				status: 500,
				body:   ``,
				want:   types.APIError{StatusCode: 500},
			},
			{
				status:  503,
				body:    `<html><body>key 3f1c9a52-7d04-4e6b-9b8f-1d2a60c7e5f4</body></html>`,
				headers: []string{"Content-Type", "text/html"},
				want:    types.APIError{StatusCode: 503, Message: "text/html instead of JSON"},
			},
			{
				status: 200,
				body:   `{"error":"No identity information available for this address","code":404}`,
				want:   types.APIError{StatusCode: 200, Code: 404, Message: "No identity information available for this address"},
				is:     types.ErrNotFound,
			},
		} {
			s := fake.New()
			s.Answer(row.status, row.body, row.headers...)
			cfg := s.Config()
			cfg.MaxAttempts = 1
			c, err := wallet.New(cfg)
			require.NoError(t, err)

			err = call(t.Context(), c)
			var refusal *types.APIError
			require.ErrorAs(t, err, &refusal)
			row.want.Op = op
			row.want.Attempts = 1
			require.Equal(t, row.want, *refusal)
			for _, kind := range []error{types.ErrUnauthorized, types.ErrNotFound, types.ErrRateLimited} {
				require.Equal(t, errors.Is(row.is, kind), errors.Is(err, kind), "%s: %v", op, row.want)
			}
			require.True(t, strings.HasPrefix(err.Error(), op+": "))
			require.NotContains(t, err.Error(), fake.Key)
		}
	}
}

func TestAnswersThatAreNoneAreErrors(t *testing.T) {
	t.Parallel()
	for op, call := range operations(t) {
		for _, body := range []string{``, `null`, `<html>maintenance</html>`, `{"balances":[`, `[{"address":`, `"text"`, `7`, `{} {}`} {
			s := fake.New()
			s.Answer(200, body)
			cfg := s.Config()
			cfg.MaxAttempts = 1
			c, err := wallet.New(cfg)
			require.NoError(t, err)
			err = call(t.Context(), c)
			require.Error(t, err, "%s: %s", op, body)
			require.True(t, strings.HasPrefix(err.Error(), op+": "), err)
		}
	}
}

func TestAnswersWithoutWhatWasAskedForAreErrors(t *testing.T) {
	t.Parallel()
	for op, call := range operations(t) {
		if strings.HasPrefix(op, "POST ") { // answers with a list, which may leave wallets out
			continue
		}
		for _, body := range []string{
			`{}`,
			`{"data":{"address":"a","funder":"a","balance":"1","balances":[]}}`,
			`{"address":null,"funder":null,"balance":null,"balances":null,"data":null}`,
			`{"wallet":"a","mint":"b","decimals":9,"type":"unknown","amount":1,"amountRaw":"1"}`,
		} {
			s := fake.New()
			s.Answer(200, body)
			err := call(t.Context(), client(t, s))
			require.ErrorContains(t, err, op+": ", body)
			require.Len(t, s.Requests(), 1, "the next answer would be the same")
		}
	}
}

func TestZeroIsABalance(t *testing.T) {
	t.Parallel()
	for _, zero := range []string{`"0"`, `0`, `"0.000"`} {
		s := fake.New()
		s.Answer(200, `{"balance":`+zero+`,"balanceRaw":"0"}`)
		balance, err := client(t, s).BalanceAt(t.Context(), fake.Wallet, types.NativeSOLMint, wallet.AtSlot(1))
		require.NoError(t, err)
		require.True(t, balance.Amount.IsZero())
	}
}

func TestEveryOperationIsTriedAgain(t *testing.T) {
	t.Parallel()
	for op, call := range operations(t) {
		synctest.Test(t, func(t *testing.T) { // the waits between tries take no time
			s := fake.New()
			for range 4 {
				s.Answer(503, `{"error":"overloaded","code":503}`)
			}
			err := call(t.Context(), client(t, s))
			var refusal *types.APIError
			require.ErrorAs(t, err, &refusal)
			require.Equal(t, types.APIError{Op: op, StatusCode: 503, Message: "overloaded", Attempts: 4}, *refusal)
			require.Len(t, s.Requests(), 4)
		})
	}
}

func TestWalletsThatAreNoAddressAndNegativeLimitsAreRefused(t *testing.T) {
	t.Parallel()
	s := fake.New()
	c := client(t, s)
	refused := func(argument string, result any, err error) {
		require.ErrorIs(t, err, types.ErrInvalid)
		require.ErrorContains(t, err, argument+": ")
		require.Nil(t, result)
	}
	for _, bad := range []types.Address{"", "toly.sol", "../balances", fake.Wallet + "1", types.SOL} {
		history, err := c.History(t.Context(), bad, nil)
		refused("wallet", history, err)
		transfers, err := c.Transfers(t.Context(), bad, nil)
		refused("wallet", transfers, err)
		funding, err := c.FundedBy(t.Context(), bad)
		refused("wallet", funding, err)
		for _, err := range c.AllHistory(t.Context(), bad, nil) {
			refused("wallet", nil, err)
		}
		for _, err := range c.AllTransfers(t.Context(), bad, nil) {
			refused("wallet", nil, err)
		}
	}
	history, err := c.History(t.Context(), fake.Wallet, &wallet.HistoryOptions{Limit: -1})
	refused("Limit", history, err)
	transfers, err := c.Transfers(t.Context(), fake.Wallet, &wallet.TransfersOptions{Limit: -1})
	refused("Limit", transfers, err)
	require.Empty(t, s.Requests())
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]types.Config{
		"APIKey":    {},
		"WalletURL": {APIKey: "key", WalletURL: "http://example.com"},
	} {
		c, err := wallet.New(cfg)
		require.ErrorIs(t, err, types.ErrInvalid)
		require.ErrorContains(t, err, name+": ")
		require.Nil(t, c)
	}
}
