package argument_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

func TestInvalidAddressesSayWhatToDo(t *testing.T) {
	t.Parallel()
	for address, says := range map[types.Address]string{
		"":         "owner is empty: invalid argument",
		"toly.sol": `owner "toly.sol" is a domain name; resolve it with wallet.Client.Identity: invalid argument`,
		"86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY\n": `owner "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY\n" begins or ends with white space; trim it: invalid argument`,
	} {
		require.EqualError(t, argument.Address("owner", address), says)
	}
	require.NoError(t, argument.Address("owner", "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"))
}
