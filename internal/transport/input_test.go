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
	const a = types.Address("86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY")
	type options struct {
		Commitment types.Commitment
		Mint       types.Address
	}
	for want, params := range map[string]any{
		"getThing":                                      []any{options{Commitment: "confirmed"}},
		"getThing of " + string(a):                      struct{ Owner types.Address }{a},
		"getThing of " + string(a) + " ":                []any{a, options{Mint: "mint"}},
		"getThing of mint":                              []any{&options{"confirmed", "mint"}},
		"getThing of 515":                               []any{uint64(515)},
		"getThing of b and 1 more":                      []any{[]types.Address{"b", a}},
		"getThing of c and 2 more":                      struct{ Names []string }{[]string{"c", "d", "e"}},
		`getThing of "a b"`:                             []any{"a\nb"},
		"getThing of ***":                               []any{key},
		"getThing of " + strings.Repeat("x", 100) + "…": []any{strings.Repeat("x", 1000)},
		"getThing ":                                     nil,
		"getThing  ":                                    map[string]any{"owner": a},
	} {
		c, _ := client(t, transport.RPC, answer(400, `{"error":"no"}`))
		_, err := transport.Result(t.Context(), c, transport.Query[int]{Op: transport.Op{Method: "test.Client.Thing", Wire: "getThing"}, Params: params})
		require.EqualError(t, err, strings.TrimSpace(want)+": 400 Bad Request: no")
		var refusal *types.APIError
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(want), "getThing"), " of "), refusal.Input)
	}
}
