package fake_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/types"
)

const (
	tokenAccounts = "getTokenAccountsByDelegate"
	tokenProgram  = string(types.TokenProgram)
	token2022     = string(types.Token2022Program)
	usdc          = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
)

type tokenAccount struct {
	Pubkey  string `json:"pubkey"`
	Account struct {
		Owner      string          `json:"owner"`
		Executable *bool           `json:"executable"`
		Space      *int            `json:"space"`
		Data       json.RawMessage `json:"data"`
	} `json:"account"`
}

func accounts(t *testing.T, s *fake.Service, params string) []tokenAccount {
	t.Helper()
	result, failure := call(t, s, tokenAccounts, params)
	require.Empty(t, failure)
	var answer struct {
		Value []tokenAccount `json:"value"`
	}
	require.NoError(t, json.Unmarshal([]byte(result), &answer))
	require.NotNil(t, answer.Value)
	for i, a := range answer.Value {
		require.True(t, isAddress(a.Pubkey))
		require.NotNil(t, a.Account.Executable)
		if i > 0 {
			require.Greater(t, bytes58(t, a.Pubkey), bytes58(t, answer.Value[i-1].Pubkey))
		}
	}
	return answer.Value
}

// of builds the parameters: a filter of one member, and the config.
func of(member, value, config string) string {
	return `["` + fake.Delegate + `",{"` + member + `":"` + value + `"}` + config + `]`
}

func TestDelegationsAreFoundByProgramAndByMint(t *testing.T) {
	t.Parallel()
	s := fake.New()
	old := accounts(t, s, of("programId", tokenProgram, `,{"encoding":"base64"}`))
	extended := accounts(t, s, of("programId", token2022, `,{"encoding":"base64"}`))
	require.Greater(t, len(old), 20)
	require.Len(t, extended, 4)
	raw := func(a tokenAccount) []byte {
		var pair [2]string
		require.NoError(t, json.Unmarshal(a.Account.Data, &pair))
		require.Equal(t, "base64", pair[1])
		b, err := base64.StdEncoding.DecodeString(pair[0])
		require.NoError(t, err)
		return b
	}
	var ofUSDC []tokenAccount
	for _, a := range old {
		data := raw(a)
		require.Equal(t, tokenProgram, a.Account.Owner)
		require.Len(t, data, 165)
		require.Equal(t, fake.Delegate, base58.Encode(data[76:108]))
		if base58.Encode(data[:32]) == usdc {
			ofUSDC = append(ofUSDC, a)
		}
	}
	for _, a := range extended {
		require.Equal(t, token2022, a.Account.Owner)
		require.Len(t, raw(a), *a.Account.Space)
	}
	require.Greater(t, len(ofUSDC), 3)
	require.Equal(t, ofUSDC, accounts(t, s, of("mint", usdc, `,{"encoding":"base64"}`)))
	require.Empty(t, accounts(t, s, of("mint", "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs", "")))
	require.Empty(t, accounts(t, s, `["`+someone+`",{"programId":"`+tokenProgram+`"}]`))
}

func TestContextFollowsTheCommitment(t *testing.T) {
	t.Parallel()
	standing, running := fake.New(), fake.New()
	now := time.Date(2025, time.June, 2, 15, 4, 5, 0, time.UTC)
	running.Clock = func() time.Time { return now }
	for _, row := range []struct {
		service *fake.Service
		config  string
		want    int
	}{
		{running, ``, 344112201},
		{running, `,null`, 344112201},
		{running, `,{"commitment":"finalized"}`, 344112201},
		{running, `,{"commitment":"confirmed"}`, 344112232},
		{running, `,{"commitment":"processed"}`, 344112233},
		{running, `,{"minContextSlot":344112201}`, 344112201},
		{running, `,{"commitment":null,"dataSlice":null}`, 344112201},
		{running, `,{"commitment":"confirmed","minContextSlot":344112232}`, 344112232},
		{standing, `,{"commitment":"confirmed"}`, 344112233}, // all is finalized: time does not go on
		{standing, `,{"commitment":"processed"}`, 344112233},
	} {
		result, failure := call(t, row.service, tokenAccounts, of("mint", "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs", row.config))
		require.Empty(t, failure)
		same(t, fmt.Sprintf(`{"context":{"apiVersion":"4.4.0","slot":%d},"value":[]}`, row.want), result, row.config)
	}
	_, failure := call(t, running, tokenAccounts, of("mint", usdc, `,{"minContextSlot":344112202}`))
	same(t, `{"code":-32016,"message":"Minimum context slot has not been reached","data":{"contextSlot":344112201}}`, failure)
}
