package fake_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/fake"
	"github.com/solwire/solwire-go/internal/fake/world"
)

func TestHostileIdentityHasNoName(t *testing.T) {
	t.Parallel()
	status, body := get(t, fake.NewOf(world.Default("hostile")), "/v1/wallet/"+fake.Collector+"/identity")
	require.Equal(t, 200, status)
	same(t, `{"address":"`+fake.Collector+`","type":"unknown"}`, body)
}
