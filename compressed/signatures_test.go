package compressed_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/fakeapi"
	"github.com/solwire/solwire-go/types"
)

// transactions answers with transactions in the slots from high down to low, and no
// cursor.
func transactions(high, low int) string {
	var items []string
	for n := high; n >= low; n-- {
		items = append(items, fmt.Sprintf(`{"signature":"%s","slot":%d,"blockTime":1}`, text(bytesOf(n, 64)), n))
	}
	return `{"context":{"slot":1},"value":{"items":[` + strings.Join(items, ",") + `]}}`
}

// The service takes cursors in this listing but sends none.
func TestCursorOfNonVotingSignaturesIsMadeFromTheLastItem(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, transactions(9, 7))
	s.Answer(200, transactions(6, 4))
	s.Answer(200, transactions(3, 2))
	slots := []uint64{}
	opts := &compressed.ListingOptions{PageOptions: types.PageOptions{Limit: 3}}
	for page, err := range client(t, s).LatestNonVotingSignatures(t.Context(), opts).Pages() {
		require.NoError(t, err)
		for _, item := range page.Items {
			slots = append(slots, item.Slot)
		}
	}
	require.Equal(t, []uint64{9, 8, 7, 6, 5, 4, 3, 2}, slots)
	cursor := base58.Encode(append(binary.LittleEndian.AppendUint64(nil, 7), bytesOf(7, 64)...))
	require.NotContains(t, s.Requests()[0].Body, "cursor")
	require.Contains(t, s.Requests()[1].Body, `"params":{"cursor":"`+cursor+`","limit":3}`)
}

func TestNonVotingSignaturesWithoutAValidLastItemAreIncomplete(t *testing.T) {
	t.Parallel()
	s := fakeapi.New()
	s.Answer(200, `{"context":{"slot":1},"value":{"items":[{"signature":"?"}]}}`)
	page, err := client(t, s).LatestNonVotingSignatures(t.Context(), &compressed.ListingOptions{PageOptions: types.PageOptions{Limit: 1}}).Page()
	require.NoError(t, err)
	require.ErrorIs(t, deadEnd(page), types.ErrIncomplete)
	require.Len(t, page.Items, 1)
}
