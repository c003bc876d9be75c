package rpc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/rpc"
	"github.com/solwire/solwire-go/types"
	fakes "github.com/solwire/solwire-go/types/fake"
)

// The accounts are from a node of Agave 4.2.2, except the balance above 2^53 and the account
// that was given away. Its last byte is the state, and its first 32 are the owner.
func TestAssociatedTokenBalancesAreThoseOfTheWallet(t *testing.T) {
	t.Parallel()
	const (
		mint  = `{"data":{"parsed":{"info":{"decimals":9,"freezeAuthority":null,"isInitialized":true,"mintAuthority":null,"supply":"1"},"type":"mint"},"program":"spl-token","space":82},"executable":false,"lamports":1461600,"owner":"` + string(types.TokenProgram) + `","rentEpoch":18446744073709551615,"space":82}`
		held  = `{"data":["aAIPbU4JSc196RZzHo5Nih7Fo4KZmFfduNb6ECTI1VoAbMqI//8fAAEAAAAGnJbPAVNy9u7oLIBHe6MHSKjZea0ws3DvsaONE7KbIAE=","base64"],"executable":false,"lamports":2039280,"owner":"` + string(types.TokenProgram) + `","rentEpoch":18446744073709551615,"space":165}`
		wrong = `{"data":["","base64"],"executable":false,"lamports":1,"owner":"11111111111111111111111111111111","rentEpoch":18446744073709551615,"space":0}`
		owner = types.Address("811Dv5AuND19q48ZS1nhnqmTSpXEXvvciUA1DEXiJaiu")
		other = types.Address("AcCKkPQWA1AwYfxggasJDmsNrxT4HMkAfb1W9YPw9dRS")
		id    = types.Address("6nQztsh181HQhDQnCpgEnoF1stWmjg8eXuetVw4YQSwV")
	)
	values := func(items string) string {
		return `{"jsonrpc":"2.0","id":null,"result":{"context":{"slot":7},"value":[` + items + `]}}`
	}
	ask := func(answers ...string) ([]rpc.AssociatedTokenBalance, error) {
		s := fakeapi.New()
		for _, items := range answers {
			s.Answer(200, values(items))
		}
		return clientOf(t, s).AssociatedTokenBalances(t.Context(), id, []types.Address{owner, other, owner}, nil)
	}

	got, err := ask(mint, held+","+held+",null")
	require.NoError(t, err)
	const ofOwner, ofOther = "APQXmjUpibwXQS18oaW55kAoraDxtJZs6bWHbi5qtVps", "BZX1s1C9fXpRnUfYpA85BoLsY6WUdD6Y9UJSPsycAHVN"
	require.Equal(t, []rpc.AssociatedTokenBalance{
		{Owner: owner, Account: ofOwner, Exists: true, RawAmount: 9007197254740992, Decimals: 9, State: types.TokenStateInitialized, Slot: 7},
		{Owner: other, Account: ofOther, Decimals: 9, Slot: 7}, // it belongs to owner
		{Owner: owner, Account: ofOwner, Decimals: 9, Slot: 7},
	}, got)

	_, err = ask("null")
	require.ErrorIs(t, err, types.ErrNotFound)
	require.EqualError(t, err, "getMultipleAccounts: mint "+string(id)+": not found")
	_, err = ask(wrong)
	require.EqualError(t, err, "getMultipleAccounts: mint "+string(id)+" is an account of program 11111111111111111111111111111111, not a mint: account data: not parsed by the node; request EncodingJSONParsed, or use Bytes")
	got, err = ask(mint, wrong+",null,null")
	var failed *types.BatchError
	require.ErrorAs(t, err, &failed)
	require.ErrorContains(t, failed.Errs[0], "account "+ofOwner+": account data: not of a token account")
	require.Zero(t, got[0])
	require.NoError(t, failed.Errs[1])
	require.EqualValues(t, ofOther, got[1].Account)
}

// An airdrop to 5000 wallets: listing the token accounts of each costs 1 credit at least.
func TestAssociatedTokenBalancesCostACreditPer100Wallets(t *testing.T) {
	t.Parallel()
	for _, program := range []types.Address{types.TokenProgram, types.Token2022Program} {
		mint, owners := types.AddressOf([32]byte{0: 9}), some(t, 5000)
		var w fakes.World
		for i, owner := range owners {
			if i%2 == 0 {
				account, err := types.AssociatedTokenAddress(owner, mint, program)
				require.NoError(t, err)
				w.TokenAccounts = append(w.TokenAccounts, fakes.TokenAccount{
					Address: account, Owner: owner, Mint: mint, RawAmount: uint64(i), Decimals: 6, Token2022: program == types.Token2022Program, Frozen: i == 4,
				})
			}
		}
		cfg := fakes.New(&fakes.Options{World: &w}).Config()
		cfg.Meter = new(types.Meter)
		client, err := rpc.New(cfg)
		require.NoError(t, err)
		got, err := client.AssociatedTokenBalances(t.Context(), mint, owners, nil)
		require.NoError(t, err)
		require.EqualValues(t, 51, cfg.Meter.Credits()) // 50, and the mint
		require.Len(t, got, len(owners))
		for i, b := range got {
			require.Equal(t, owners[i], b.Owner)
			require.Equal(t, i%2 == 0, b.Exists)
			require.EqualValues(t, 6, b.Decimals)
			if b.Exists {
				require.EqualValues(t, i, b.RawAmount)
				require.Equal(t, i == 4, b.State == types.TokenStateFrozen)
			}
		}
	}
}
