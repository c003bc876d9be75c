package conformance_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/fake"
)

// rooms are the packages of internal/fakeapi that answer the operations of an area.
var rooms = map[string]string{
	"rpc": "node", "das": "assets", "parsedapi": "decoded", "stream": "notify", "compressed": "indexer", "wallet": "walletapi", "webhooks": "hooks", "enhancedapi": "hooks",
}

func TestFakeAnswersEveryOperation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := fake.New(nil)
		c := connect(t, s.Config())
		for _, r := range everyRow() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			var err error
			if r.streams() || strings.Contains(r.wire, "/") {
				_, err = r.any()(ctx, c)
			} else {
				err = c.rpc.Call(ctx, r.wire, nil, nil)
			}
			cancel()
			var refusal *types.APIError
			known := slices.ContainsFunc(s.Requests(), func(q fake.Request) bool { return q.Operation == r.wire })
			if !strings.Contains(r.wire, "/") {
				known = known && (!errors.As(err, &refusal) || refusal.Code != -32601)
			}
			area, _, _ := strings.Cut(r.method, ".")
			require.True(t, known, "the fake does not answer %s; add it to the table of operations in internal/fakeapi/%s", r.wire, rooms[area])
		}
		c.stream.Close()
	})
}

// The responses of the fake follow from its World: an address outside it has another
// response than an address within.
func TestFakeTellsAddressesApart(t *testing.T) {
	t.Parallel()
	c := connect(t, fake.New(nil).Config())
	all := rows()
	for name, method := range methods() {
		isRow := slices.ContainsFunc(all, func(r row) bool { return r.method == name })
		if !isRow || method.Type.NumIn() < 3 || method.Type.In(2) != reflect.TypeFor[types.Address]() {
			continue
		}
		answer := func(a types.Address) (text string, found bool) {
			result, err := unnoted(name, valids(method, a)...)(t.Context(), c)
			encoded, _ := json.Marshal(result)
			said := strings.Trim(regexp.MustCompile(`"\w+":|[][{},:]|null|false|""|\b0\b`).ReplaceAllString(string(encoded), ""), " ")
			return string(encoded), err == nil && said != ""
		}
		known, found := answer(fake.WalletAddress)
		unknown, alsoFound := answer("8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh8")
		area, _, _ := strings.Cut(name, ".")
		require.False(t, found && alsoFound && known == unknown,
			"the fake answers %s alike for every address; derive the answer from the World in internal/fakeapi/%s", name, rooms[area])
	}
}
