package fakeapi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fakeapi"
)

func TestAllocations(t *testing.T) { //nolint:paralleltest // other tests would count
	s := fakeapi.New()
	transfer := func() {
		_, err := sendSOL(s, fakeapi.Wallet, fakeapi.Exchange, 1)
		require.NoError(t, err)
	}
	require.Less(t, testing.AllocsPerRun(3, func() { fakeapi.New().World() }), 25_000.0)
	require.Less(t, testing.AllocsPerRun(3, transfer), 100.0)
}
