package webhooks

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// lamports are sent as text or as a number.
type lamports uint64

func (l *lamports) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `"`)
	if text == "" {
		return nil
	}
	amount, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("amount is no number of lamports: %.40q", text)
	}
	*l = lamports(amount)
	return nil
}

// tokens are a decimal that is short enough for one: the digits of quoted ones
// are otherwise bounded by the body alone.
type tokens decimal.Decimal

func (t *tokens) UnmarshalJSON(b []byte) error {
	if len(b) > 100 {
		return errors.New("amount: more than 100 digits")
	}
	return (*decimal.Decimal)(t).UnmarshalJSON(b)
}
