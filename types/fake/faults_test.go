package fake_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/types/fake"
)

func TestFaultFromTheNthRequestOn(t *testing.T) {
	t.Parallel()
	s := fake.New(nil)
	s.FailFrom("getSlot", 2, fake.Fault{Code: -32005, Message: "behind"})
	require.Empty(t, ask(t, s, "getSlot", `[]`, nil))
	for range 3 {
		require.Contains(t, ask(t, s, "getSlot", `[]`, nil), "behind")
	}
	require.Empty(t, ask(t, s, "getHealth", `[]`, nil))
}

func TestFaultOfEitherVersion(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"getCompressedAccountsByOwner", "getCompressedAccountsByOwnerV2"} {
		s := fake.New(nil)
		s.FailShare(name, 1, fake.NodeBehind())
		for _, method := range []string{"getCompressedAccountsByOwner", "getCompressedAccountsByOwnerV2"} {
			require.Contains(t, ask(t, s, method, `{"owner":"`+string(ann)+`"}`, nil), "behind")
		}
	}
}

func TestUnknownOperationsPanicWithTheNearestNames(t *testing.T) {
	t.Parallel()
	s := fake.New(nil)
	for name, nearest := range map[string]string{
		"getSlotz": "getSlot", "wallet.Client.History": "GET /v1/wallet/{wallet}/history", "rpc.Client.TokenSupply": "getTokenSupply", "GET /v1/wallet/{wallet}/balance": "GET /v1/wallet/{wallet}/balances",
	} {
		func() {
			defer func() { require.Contains(t, fmt.Sprint(recover()), nearest) }()
			s.Fail(name, 1, fake.NotFound())
			t.Error("no panic for", name)
		}()
	}
	require.Panics(t, func() { s.Fail("getSlot", 0, fake.NotFound()) })
	require.Panics(t, func() { s.FailShare("getSlot", 0.5) })
}

type recorder struct {
	cleanups []func()
	errors   []string
}

func (*recorder) Helper()            {}
func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Errorf(f string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(f, args...))
}

func TestUnusedFaultsFailTheTest(t *testing.T) {
	t.Parallel()
	s, r := fake.New(nil), new(recorder)
	s.CheckFaults(r)
	s.Fail("getSlot", 1, fake.NodeBehind())
	s.Fail("getSlot", 3, fake.NodeBehind())
	ask(t, s, "getSlot", `[]`, nil)
	require.Equal(t, []string{`Fail("getSlot", 3)`}, s.Unused())
	r.cleanups[0]()
	require.Equal(t, []string{`the fault of Fail("getSlot", 3) did not happen`}, r.errors)
}
