package compressed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// A cursorMark is the end of all cursors of a listing. Cursors of the service are
// positions: in a listing of another owner, a cursor would skip items silently.
type cursorMark string

// newCursorMark returns the mark of the listing with a method and parameters.
func newCursorMark(op transport.Op, params any) cursorMark {
	text, _ := json.Marshal(params) // fails for invalid arguments only, which are refused
	sum := sha256.Sum256(append([]byte(op.Method()), text...))
	return cursorMark("~" + hex.EncodeToString(sum[:4]))
}

// remove returns a cursor without its mark. A cursor without a mark is accepted: callers
// may have it from another client.
func (m cursorMark) remove(cursor string) (string, error) {
	i := strings.LastIndexByte(cursor, '~')
	if i < 0 {
		return cursor, nil
	}
	if cursor[i:] != string(m) {
		return "", argument.Invalid("Cursor", "belongs to another listing; resume with the method, arguments and filters of the page it came with")
	}
	return cursor[:i], nil
}

// minPosition is the length of the shortest cursors of the service, 32 bytes in base58.
const minPosition = 32

// markedList returns the list of a listing whose cursors are marked. Begin starts a reading
// and returns the function that requests the page at a cursor of the service.
func markedList[T any](
	ctx context.Context, c *Client, op transport.Op, cursor string, prefetch bool, params any,
	begin func() func(context.Context, string) (*types.Page[T], error),
) types.List[T] {
	mark := newCursorMark(op, params)
	return paging.ListOf(ctx, op.String(), cursor, prefetch, func() func(context.Context, string) (*types.Page[T], error) {
		fetch := begin()
		return func(ctx context.Context, cursor string) (*types.Page[T], error) {
			position, err := mark.remove(cursor)
			if err := c.api.Check(op, err); err != nil {
				return nil, err
			}
			p, err := fetch(ctx, position)
			if err != nil {
				return nil, err
			}
			if len(p.Cursor) >= minPosition && paging.CheckDeadEnd("", p.Cursor) == nil {
				p.Cursor += string(mark)
			}
			return p, nil
		}
	})
}
