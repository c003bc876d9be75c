package fakeapi_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

const (
	tokenAccounts = "getTokenAccountsByDelegate"
	tokenProgram  = string(types.TokenProgram)
	usdc          = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
)

// of builds the parameters: a filter of one member, and the config.
func of(member, value, config string) string {
	return `["` + fakeapi.Delegate + `",{"` + member + `":"` + value + `"}` + config + `]`
}

func TestContextFollowsTheCommitment(t *testing.T) {
	t.Parallel()
	standing, running := fakeapi.New(), fakeapi.New()
	now := time.Date(2025, time.June, 2, 15, 4, 5, 0, time.UTC)
	running.Clock = func() time.Time { return now }
	for _, row := range []struct {
		service *fakeapi.Service
		config  string
		want    int
	}{
		{running, ``, 344112201},
		{running, `,{"commitment":"confirmed"}`, 344112232},
		{running, `,{"commitment":"processed"}`, 344112233},
		{running, `,{"minContextSlot":344112201}`, 344112201},
		{running, `,{"commitment":"confirmed","minContextSlot":344112232}`, 344112232},
		{standing, `,{"commitment":"confirmed"}`, 344112233}, // all is finalized: time stands still
		{standing, `,{"commitment":"processed"}`, 344112233},
	} {
		result, failure := call(t, row.service, tokenAccounts, of("mint", "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs", row.config))
		require.Empty(t, failure)
		same(t, fmt.Sprintf(`{"context":{"apiVersion":"4.4.0","slot":%d},"value":[]}`, row.want), result, row.config)
	}
	_, failure := call(t, running, tokenAccounts, of("mint", usdc, `,{"minContextSlot":344112202}`))
	same(t, `{"code":-32016,"message":"Minimum context slot has not been reached","data":{"contextSlot":344112201}}`, failure)
}
