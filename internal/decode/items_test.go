package decode_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/internal/decode"
)

// A transfer has a required amount.
type transfer struct {
	Name   string `json:"name"`
	Amount *uint8 `json:"amount"`
	Parts  []struct {
		Share int `json:"share"`
	} `json:"parts"`
}

func readPage(body []byte) error {
	var page struct {
		Total uint8       `json:"total"`
		Items []*transfer `json:"items"`
	}
	if err := decode.JSON(body, &page); err != nil {
		return err
	}
	for _, item := range page.Items {
		if item == nil || item.Amount == nil {
			return decode.ErrEmpty // any error
		}
	}
	return nil
}

func TestOneByOneLeavesOutWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	body := `{"total":3, "items":[ {"name":"a","amount":1}, {"name":"b","amount":-7}, null, {"name":"\u00e9]","amount":255,"parts":[{"share":1},{"share":33.3}]}, {"name":"d"}, {"amount":0}]}`
	rest, unreadable := decode.OneByOne([]byte(body), "", readPage)
	require.JSONEq(t, `{"total":3,"items":[{"name":"a","amount":1},{"amount":0}]}`, string(rest))
	require.Len(t, unreadable, 4)
	for i, want := range []decode.Unreadable{{Index: 1, Path: "amount"}, {Index: 2}, {Index: 3, Path: "parts[1].share"}, {Index: 4}} {
		require.Equal(t, want.Index, unreadable[i].Index)
		require.Equal(t, want.Path, unreadable[i].Path)
		require.Error(t, unreadable[i].Err)
	}
	require.JSONEq(t, `{"name":"b","amount":-7}`, string(unreadable[0].JSON))

	rest, _ = decode.OneByOne([]byte(body), `{"amount":9}`, readPage)
	require.JSONEq(t, `{"total":3,"items":[{"name":"a","amount":1},{"amount":9},{"amount":9},{"amount":9},{"amount":9},{"amount":0}]}`, string(rest))
}

// Transport uses the memory of a body for the next one.
func TestUnreadableItemsOutliveTheirBody(t *testing.T) {
	t.Parallel()
	body := []byte(`{"items":[{"amount":1},{"name":"b","amount":-7}]}`)
	rest, unreadable := decode.OneByOne(body, "", readPage)
	clear(body)
	require.JSONEq(t, `{"items":[{"amount":1}]}`, string(rest))
	require.Len(t, unreadable, 1)
	require.JSONEq(t, `{"name":"b","amount":-7}`, string(unreadable[0].JSON))
}

// Another writer of JSON may write all numbers so.
func TestMendingManyNumbersIsLinear(t *testing.T) {
	t.Parallel()
	bytesRead := func(items int) (n int) {
		list := strings.Repeat(`,{"amount":7}`, items)[1:]
		plain := `{"total":3,"items":[` + list + `]}`
		body := strings.NewReplacer("3", "3.0", "7", "7.0").Replace(plain)
		rest, unreadable := decode.OneByOne([]byte(body), "", func(part []byte) error {
			n += len(part)
			return readPage(part)
		})
		require.Empty(t, unreadable)
		require.JSONEq(t, plain, string(rest))
		return n
	}
	require.Less(t, bytesRead(400), 5*bytesRead(100))
}

func TestOneByOneBlamesNoItemForItsPage(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"total":"three","items":[{"amount":1}]}`, `{"total":300}`, `{"items":[{"amount":1}`, `7`, ``} {
		_, unreadable := decode.OneByOne([]byte(body), "", readPage)
		require.Empty(t, unreadable, body)
	}
}
