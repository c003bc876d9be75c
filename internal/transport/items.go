package transport

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/internal/decode"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/types/tx"
)

// Items makes a [Query] or a [Request] read the lists of a response item by item if the
// response as a whole does not decode. It belongs to one request at a time.
type Items struct {
	// Keep leaves null at the place of an unreadable item: the check of the result has to accept
	// it. Without Keep, the list gets shorter.
	Keep bool

	// ByID is for a batch whose results have the IDs of their inputs, in any order.
	ByID bool

	Unreadable []*types.ItemError // of the last response; set by the call
	Places     []int              // of the unreadable items in their lists
}

// Fail adds an item that cannot be used.
func (l *Items) Fail(place int, e *types.ItemError) {
	l.Unreadable, l.Places = append(l.Unreadable, e), append(l.Places, place)
}

// Null adds the null at a place, unless it stands for an unreadable item.
func (l *Items) Null(op Op, place int) {
	if !slices.Contains(l.Places, place) {
		l.Fail(place, &types.ItemError{Op: op.Wire, JSON: json.RawMessage("null"), Err: NullItem(place)})
	}
}

// Err returns the unreadable items of the last response as one error, nil if there are none.
func (l *Items) Err() error {
	if len(l.Unreadable) == 0 {
		return nil
	}
	first := *l.Unreadable[0]
	first.More = l.Unreadable[1:]
	return &first
}

// Last returns the ID of the last item in the response that has one. Last is the ID of the
// last one of the readable items.
func (l *Items) Last(readable int, last string) string {
	if n := len(l.Places); n > 0 && l.Places[n-1] == readable+n-1 {
		return cmp.Or(l.Unreadable[n-1].ID, last)
	}
	return last
}

// readAgain reads a body for which read has failed with err: with plain numbers, or item by item
// if l is not nil. Read decodes a body, and checks the result.
func (l *Items) readAgain(c *call, body []byte, err error, read func(body []byte) error) error {
	if errors.As(err, new(*types.APIError)) || !json.Valid(body) {
		return err
	}
	if l == nil {
		_, err = decode.Mended(body, read)
		return err
	}
	placeholder := ""
	if l.Keep {
		placeholder = "null"
	}
	l.Unreadable, l.Places = nil, nil // of an earlier attempt
	rest, unreadable := decode.OneByOne(body, placeholder, read)
	if rest == nil { // something outside of the lists does not decode
		return read(body)
	}
	for _, u := range unreadable {
		l.Fail(u.Index, l.unreadable(c, u))
	}
	return read(rest)
}

// unreadable returns the error of an item in the response to c.
func (l *Items) unreadable(c *call, u decode.Unreadable) *types.ItemError {
	id := idOf(u.JSON)
	switch {
	case errors.As(u.Err, new(nullError)):
		u.Err = NullItem(u.Index) // it was read alone
	case id != "", l.Keep: // a batch sets the ID
	case strings.HasPrefix(u.Err.Error(), "the response "):
		u.Err = fmt.Errorf("item %d of %w", u.Index, u.Err)
	default:
		u.Err = fmt.Errorf("item %d of the response: %w", u.Index, u.Err)
	}
	return c.CleanItem(&types.ItemError{Op: c.name(), ID: id, Path: u.Path, JSON: u.JSON, Err: u.Err})
}

// CleanItem removes the key from the error of an item, and returns it.
func (c *Client) CleanItem(e *types.ItemError) *types.ItemError {
	e.ID, e.Path, e.Err = c.secret.hide(e.ID), c.secret.hide(e.Path), c.secret.clean(e.Err)
	return e
}

// NullItem is the error of a list with a null at index i.
func NullItem(i int) error { return nullError(i) }

type nullError int

func (e nullError) Error() string { return fmt.Sprintf("item %d of the response is null", int(e)) }

// Unreadable returns the error of one item, which failed with err. Read decodes an item; it
// gets changed items to find the unreadable member. CleanItem is due.
func Unreadable(op Op, item json.RawMessage, err error, read func(item []byte) error) *types.ItemError {
	path, err := decode.Blame(item, err, read)
	return &types.ItemError{Op: op.Wire, ID: idOf(item), Path: path, JSON: item, Err: err}
}

// maxID is the length of the longest IDs, which are signatures.
const maxID = 88

// idOf returns the signature, address, hash or ID of an item, empty if it has none.
func idOf(item json.RawMessage) string {
	var text string
	if json.Unmarshal(item, &text) == nil {
		if len(text) > maxID {
			return ""
		}
		return text
	}
	var list []json.RawMessage
	if json.Unmarshal(item, &list) == nil && len(list) > 0 {
		return idOf(list[0])
	}
	var members map[string]json.RawMessage
	_ = json.Unmarshal(item, &members)
	// The most specific ones are first.
	for _, name := range [...]string{"signature", "id", "inputDomain", "address", "pubkey", "hash", "edition_address", "mint", "owner", "account", "transaction", "signatures", "value"} {
		if member, ok := members[name]; ok {
			var signed tx.Signed // also as bytes
			if name == "transaction" && json.Unmarshal(member, &signed) == nil && len(signed.Signatures) > 0 {
				return string(signed.Signatures[0])
			}
			if id := idOf(member); id != "" {
				return id
			}
		}
	}
	return ""
}
