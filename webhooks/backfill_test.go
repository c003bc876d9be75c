package webhooks_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/internal/fakeapi/world"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/txtype"
	"github.com/solwire/solwire-go/webhooks"
)

// filled runs a backfill without a Receiver.
func filled(t *testing.T, s *fakeapi.Service, cfg webhooks.BackfillConfig) (*handled, error) {
	t.Helper()
	got := &handled{}
	handle := cfg.Handle
	cfg.Handle = func(ctx context.Context, e *webhooks.Event) error {
		if handle != nil {
			if err := handle(ctx, e); err != nil {
				return err
			}
		}
		got.note(e)
		again, err := webhooks.ParseEvents(e.JSON)
		if err != nil || again[0].Kind != e.Kind || again[0].Signature != e.Signature || again[0].Slot != e.Slot {
			t.Errorf("event %s cannot be stored: %v", e.Signature, err)
		}
		return nil
	}
	if cfg.Settings.Type == "" {
		cfg.Settings.Type = webhooks.TypeEnhanced
	}
	if cfg.Settings.AccountAddresses == nil {
		cfg.Settings.AccountAddresses = []types.Address{account}
	}
	if cfg.SinceSlot == 0 && cfg.Since.IsZero() {
		cfg.SinceSlot = 1
	}
	return got, client(t, s).Backfill(t.Context(), cfg)
}

// result answers a JSON-RPC request.
func result(s *fakeapi.Service, format string, args ...any) {
	s.Answer(200, `{"jsonrpc":"2.0","result":`+fmt.Sprintf(format, args...)+`}`)
}

// listing answers the requests for a listing of three transactions.
func listing(s *fakeapi.Service) {
	result(s, "%q", types.MainnetGenesisHash)
	result(s, `[{"signature":%q,"slot":3},{"signature":%q,"slot":2,"err":{"a":1}},{"signature":%q,"slot":1}]`, sig3, sig2, sig1)
	result(s, "[]")
}

func TestBackfillFiltersLikeTheWebhook(t *testing.T) {
	t.Parallel()
	var items, raws []string
	for i, row := range []struct{ kind, failed string }{{"SWAP", "null"}, {"SWAP", `{"a":1}`}, {"TRANSFER", "null"}} {
		signature := []types.Signature{sig1, sig2, sig3}[i]
		items = append(items, fmt.Sprintf(`{"signature":%q,"slot":%d,"type":%q,"transactionError":%s}`, signature, i+1, row.kind, row.failed))
		raws = append(raws, fmt.Sprintf(`{"transaction":{"signatures":[%q]},"slot":%d,"meta":{"err":%s,"fee":5000}}`, signature, i+1, row.failed))
	}
	for name, row := range map[string]struct {
		settings webhooks.Settings
		want     []types.Signature
	}{
		"any type":   {webhooks.Settings{TransactionTypes: []txtype.Type{txtype.Any}}, []types.Signature{sig1, sig3}},
		"Any":        {webhooks.Settings{TransactionTypes: []txtype.Type{"Any"}}, []types.Signature{sig1, sig3}},
		"no types":   {webhooks.Settings{}, []types.Signature{sig1, sig3}},
		"one type":   {webhooks.Settings{TransactionTypes: []txtype.Type{txtype.Swap}}, []types.Signature{sig1}},
		"failed":     {webhooks.Settings{Outcome: types.OutcomeFailed}, nil},
		"raw":        {webhooks.Settings{Type: webhooks.TypeRaw, TransactionTypes: []txtype.Type{txtype.Swap}}, []types.Signature{sig1, sig2, sig3}},
		"raw failed": {webhooks.Settings{Type: webhooks.TypeRaw, Outcome: types.OutcomeFailed}, []types.Signature{sig2}},
		"raw good":   {webhooks.Settings{Type: webhooks.TypeRaw, Outcome: types.OutcomeSucceeded}, []types.Signature{sig1, sig3}},
	} {
		s := fakeapi.New()
		listing(s)
		if row.settings.Type == webhooks.TypeRaw {
			for _, raw := range raws {
				result(s, "%s", raw)
			}
		} else {
			s.Answer(200, "["+strings.Join(items, ",")+"]")
		}
		got, err := filled(t, s, webhooks.BackfillConfig{Settings: row.settings, TokenAccounts: types.TokenAccountHistoryNone})
		require.NoError(t, err, name)
		require.Equal(t, row.want, got.list(), name)
	}
}

func TestBackfillIsBounded(t *testing.T) {
	t.Parallel()
	s, signatures := past(4) // one event in a second
	got, err := filled(t, s, webhooks.BackfillConfig{Since: time.Unix(1_735_689_600+1, 999)})
	require.NoError(t, err)
	require.Equal(t, signatures[1:], got.list(), "from old to new")

	got, err = filled(t, s, webhooks.BackfillConfig{SinceSlot: 311_144_625}) // of the third
	require.NoError(t, err)
	require.Equal(t, signatures[2:], got.list())

	got, err = filled(t, s, webhooks.BackfillConfig{SinceSlot: 1, TokenAccounts: types.TokenAccountHistoryNone})
	require.NoError(t, err)
	require.Equal(t, signatures, got.list())
}

// The backfill continues after failures, and reports the first.
func TestBackfillContinuesPastFailures(t *testing.T) {
	t.Parallel()
	s, signatures := past(10)
	mine := errors.New("database is down")
	cfg := webhooks.BackfillConfig{Seen: newSeen(), Handle: func(_ context.Context, e *webhooks.Event) error {
		switch e.Signature {
		case signatures[3], signatures[5]:
			return mine
		case signatures[1]:
			return webhooks.ErrSkip
		}
		return nil
	}}
	got, err := filled(t, s, cfg)
	require.ErrorIs(t, err, mine)
	require.EqualError(t, err, "webhooks.Client.Backfill: event "+string(signatures[3])+" of "+account+" was not handled: database is down")
	require.Equal(t, slices.Concat(signatures[:1], signatures[2:3], signatures[4:5], signatures[6:]), got.list())

	cfg.Handle = nil
	rest, err := filled(t, s, cfg)
	require.NoError(t, err)
	require.Equal(t, []types.Signature{signatures[3], signatures[5]}, rest.list())
}

// The service does not return one event, and another one cannot be decoded.
func TestBackfillOfOddEvents(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	listing(s)
	s.Answer(200, fmt.Sprintf(`[null,{"signature":%q,"slot":3,"fee":"x"},{"signature":%q,"slot":1}]`, sig3, sig1))
	var odd []error
	got, err := filled(t, s, webhooks.BackfillConfig{TokenAccounts: types.TokenAccountHistoryNone, Handle: func(_ context.Context, e *webhooks.Event) error {
		odd = append(odd, e.Err)
		return nil
	}})
	require.EqualError(t, err, "webhooks.Client.Backfill: event "+string(sig2)+" of "+account+" was not handled: the service does not return it: incomplete listing")
	require.Equal(t, []types.Signature{sig1, sig3}, got.list())
	require.ErrorContains(t, odd[1], "event: ")
}

// A listed transaction without a signature cannot be requested, and is not lost silently.
func TestBackfillReportsListedTransactionsWithoutASignature(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{"null", `{"slot":2}`, `{"signature":7,"slot":2}`} {
		for _, tokens := range []types.TokenAccountHistory{types.TokenAccountHistoryNone, types.TokenAccountHistoryChanged} {
			s := fakeapi.New()
			result(s, "%q", types.MainnetGenesisHash)
			items := fmt.Sprintf(`[{"signature":%q,"slot":3},%s,{"signature":%q,"slot":1}]`, sig3, odd, sig1)
			if tokens == types.TokenAccountHistoryNone {
				result(s, "%s", items)
				result(s, "[]")
			} else {
				result(s, `{"data":%s,"paginationToken":null}`, items)
			}
			s.Answer(200, "["+event(sig3)+","+event(sig1)+"]")
			got, err := filled(t, s, webhooks.BackfillConfig{TokenAccounts: tokens})
			require.ErrorIs(t, err, types.ErrIncomplete, odd)
			require.ErrorContains(t, err, "event without a signature of "+account)
			require.Equal(t, []types.Signature{sig1, sig3}, got.list())
		}
	}
}

func TestEventsSurviveFailingRequests(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	var all []types.Signature
	for i := range 150 {
		x := world.Seed(7).Item(i)
		all = append(all, types.Signature(x.Signature()))
	}
	s.Answer(200, fmt.Sprintf(`[{"signature":%q,"slot":3}]`, all[7]))
	s.Answer(400, `{"error":"no"}`)
	events, err := client(t, s).Events(t.Context(), webhooks.TypeEnhanced, all)
	var failed *types.BatchError
	require.ErrorAs(t, err, &failed)
	require.Len(t, events, 150)
	require.Equal(t, all[7], events[7].Signature)
	require.NoError(t, failed.Errs[99])
	require.Error(t, failed.Errs[100])

	_, err = client(t, s).Events(t.Context(), webhooks.TypeEnhanced, []types.Signature{"x"})
	require.ErrorIs(t, err, types.ErrInvalid)
	_, err = client(t, s).Events(t.Context(), webhooks.TypeDiscord, all)
	require.ErrorIs(t, err, types.ErrInvalid)
}

func TestNodeOfAnotherNetworkIsRefused(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	result(s, "%q", types.DevnetGenesisHash)
	err := client(t, s).Signatures(t.Context(), webhooks.Listing{Address: account}, nil)
	require.EqualError(t, err, "webhooks.Client.Signatures: Config.RPCURL is not a node of mainnet: invalid argument")
}

func TestBackfillRefusesInvalidConfig(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	handle := func(context.Context, *webhooks.Event) error { return nil }
	with := func(change func(*webhooks.Settings)) webhooks.Settings {
		settings := full()
		change(&settings)
		return settings
	}
	for says, cfg := range map[string]webhooks.BackfillConfig{
		"Handle is nil":                                                           {SinceSlot: 1},
		"SinceSlot is 0; set it, or Since":                                        {Handle: handle},
		`Type "" has no events; it is not enhanced or raw`:                        {Handle: handle, SinceSlot: 1},
		`Type "enhancedDevnet" does not fit the Config, whose Network is mainnet`: {Handle: handle, SinceSlot: 1, Settings: with(func(s *webhooks.Settings) { s.Type = webhooks.TypeEnhancedDevnet })},
		`AccountAddresses[0] "x": address has length 1, not 32 to 44`:             {Handle: handle, SinceSlot: 1, Settings: with(func(s *webhooks.Settings) { s.AccountAddresses = []types.Address{"x"} })},
	} {
		err := client(t, s).Backfill(t.Context(), cfg)
		require.EqualError(t, err, "webhooks.Client.Backfill: "+says+": invalid argument")
	}
	require.Empty(t, s.Requests())
}

// past returns a service in whose history the account has n transfers, one a second, and their
// signatures.
func past(n int) (*fakeapi.Service, []types.Signature) {
	return pastOf(n, account)
}

// pastOf is past for the transfers of several accounts in turn.
func pastOf(n int, accounts ...string) (*fakeapi.Service, []types.Signature) {
	b := world.NewBuilder("default")
	var all []types.Signature
	for i := range n {
		s := world.Seed(7).Item(i)
		all = append(all, types.Signature(s.Signature()))
		x := world.Transaction{Signature: string(all[i]), Kind: "TRANSFER", Fee: 5000, At: time.Unix(1735689600+int64(i), 0)}
		b.Transact(x, []world.Leg{{From: accounts[i%len(accounts)], To: s.Address(), Amount: "0.5"}})
	}
	w, err := b.World()
	if err != nil {
		panic(err)
	}
	return fakeapi.NewOf(w), all
}
