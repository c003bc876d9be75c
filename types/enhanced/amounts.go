package enhanced

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/solwire/solwire-go/types"
)

// lamports decode from a string or a number.
type lamports uint64

func (l *lamports) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `"`)
	if text == "" {
		return nil
	}
	amount, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return errors.New("amount is not a number of lamports") // err would quote it
	}
	*l = lamports(amount)
	return nil
}

// seconds are Unix seconds. Some examples of the service have milliseconds, which are
// recognized by their size.
type seconds types.Time

func (s *seconds) UnmarshalJSON(b []byte) error {
	const largest = 100_000_000_000 // in the year 5138, or as milliseconds in 1973
	t := (*types.Time)(s)
	if err := t.UnmarshalJSON(b); err != nil {
		return err
	}
	if ms := t.Unix(); ms > largest {
		t.Time = time.UnixMilli(ms).UTC().Truncate(time.Second)
	}
	return nil
}
