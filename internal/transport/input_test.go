package transport_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

func TestErrorsNameTheirInput(t *testing.T) {
	t.Parallel()
	const a, b = types.Address("86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"), types.Address("4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T")
	const aKey = types.Address("7PRLRM1SzzQKnEwmdta8QeTQd94G4up6LkJwAw1UNhZw") // as an address
	type options struct {
		Commitment types.Commitment
		Mint       types.Address
	}
	for _, row := range []struct {
		want          string
		about, params any
	}{
		{"", nil, nil},
		{"", nil, []any{}},
		{"", nil, []any{options{Commitment: "confirmed"}}},
		{"", nil, []any{"YSBtZXNzYWdl"}},
		{"", nil, map[string]any{"cursor": a}},
		{"", types.Address(""), map[string]any{"cursor": a}},
		{" of " + string(a), a, struct{ Cursor, Owner types.Address }{b, a}},
		{" of " + string(a), nil, []any{a, options{Mint: b}}},
		{" of " + string(b), nil, []any{options{"confirmed", b}}},
		{" of 515", nil, []any{uint64(515), 516, options{Mint: b}}},
		{" of " + string(b) + " and 1 more", nil, []any{[]types.Address{b, a}}},
		{" of d and 2 more", []string{"d", "e", "f"}, nil},
		{" of ***", nil, []any{aKey}},
	} {
		s := &script{steps: []step{answer(400, `{"error":"no"}`)}}
		cfg := config(s)
		cfg.APIKey = types.Key(string(aKey))
		c := newClient(t, cfg, transport.RPC)
		_, err := transport.Result(t.Context(), c, transport.Query[int]{Op: transport.Op{Method: "test.Client.Thing", Wire: "getThing"}, About: row.about, Params: row.params})
		require.EqualError(t, err, "getThing"+row.want+": 400 Bad Request: no")
		var refusal *types.APIError
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, strings.TrimPrefix(row.want, " of "), refusal.Input)

		if params, ok := row.params.([]any); ok {
			// of a subscription
			err = c.Refusal("x", params, []byte(`{"error":{"code":1,"message":"no"}}`))
			require.EqualError(t, err, "x"+row.want+": code 1: no")
		}
	}
}
