package das

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// isID reports whether a is an address, as IDs and their cursors are.
func isID(a types.Address) bool {
	_, err := a.Bytes()
	return err == nil
}

// compare returns -1, 0 or 1 as the bytes of a are less than, equal to or greater than
// those of b. Base58 keeps the order of numbers of the same length.
func compare(a, b types.Address) int {
	if len(a) == len(b) {
		return strings.Compare(string(a), string(b))
	}
	x, errX := a.Bytes()
	y, errY := b.Bytes()
	if errX != nil || errY != nil {
		return strings.Compare(string(a), string(b))
	}
	return bytes.Compare(x, y)
}

// direction returns 1 if ids ascend, -1 if they descend and 0 if there are less than
// two. Sorted is false if they do neither.
func direction(ids []types.Address) (sign int, sorted bool) {
	for i := 1; i < len(ids); i++ {
		step := compare(ids[i], ids[i-1])
		if step == 0 || sign == -step {
			return 0, false
		}
		sign = step
	}
	return sign, true
}

// An idOrder follows the order of IDs through a walk by cursor. It tells when the
// service ignores the cursor, and where assets would be that the walk did not come to.
type idOrder struct {
	asked int           // 1 for ascending, -1 for descending, 0 when the request does not say
	sign  int           // the direction of the walk; 0 as long as it is not known
	none  bool          // whether the IDs are in no order
	last  types.Address // the farthest ID so far; at first, the cursor that the walk starts at
	moved bool          // whether there was an item
}

func newOrder(o *AssetsOptions) idOrder {
	order := idOrder{last: types.Address(o.Cursor)}
	switch {
	case o.inRange() || o.SortDirection == SortDirectionAscending:
		order.asked = 1
	case o.SortDirection == SortDirectionDescending:
		order.asked = -1
	}
	if o.inRange() && order.last == "" {
		order.last = o.After
	}
	order.sign = order.asked
	order.none = order.last != "" && !isID(order.last)
	return order
}

// telling is the number of items that are not in order by accident.
const telling = 8

// add adds the items of a page. It fails if they do not follow those before.
func (o *idOrder) add(op transport.Op, items []Asset) error {
	ids := shown(items)
	sign, sorted := direction(ids)
	border := sign // between the page before and this one
	if o.last != "" && len(ids) > 0 {
		border = compare(ids[0], o.last)
	}
	switch {
	case o.none || len(ids) == 0:
	case o.asked != 0 && (!sorted || sign == -o.asked || o.last != "" && border != o.asked),
		o.asked == 0 && sorted && len(ids) >= telling && border == -sign && o.sign != -sign:
		return fmt.Errorf("%s: a page does not continue the previous one: %w", op, types.ErrIncomplete)
	case !sorted || opposite(sign, border) || opposite(sign, o.sign) || opposite(border, o.sign):
		o.none = true
	case o.sign == 0 && sign != 0:
		o.sign = sign
	case o.sign == 0:
		o.sign = border
	}
	for i := range items {
		if id := items[i].ID; o.last == "" || compare(id, o.last) == o.sign {
			o.last = id
		}
	}
	o.moved = o.moved || len(items) > 0
	o.none = o.none || o.last != "" && !isID(o.last)
	return nil
}

func opposite(a, b int) bool { return a*b < 0 }

// shown returns the IDs of the assets that are not broken. The broken ones come last
// in a page, whatever their IDs.
func shown(items []Asset) []types.Address {
	ids := make([]types.Address, 0, len(items))
	for i := range items {
		if items[i].Err == "" {
			ids = append(ids, items[i].ID)
		}
	}
	return ids
}

// beyond reports whether items hold an asset that the walk did not come to.
func (o *idOrder) beyond(items []Asset) bool {
	for i := range items {
		side := 1
		if o.last != "" {
			side = compare(items[i].ID, o.last)
		}
		if side != 0 && (o.sign == 0 || side == o.sign || o.last == "") {
			return true
		}
	}
	return false
}
