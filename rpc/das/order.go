package das

import (
	"bytes"
	"fmt"
	"slices"
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
// the bytes of b. Base58 keeps the order of numbers of the same length.
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

// directionOf returns the direction of a listing, as its first page shows it: 1, -1, or 0
// if it does not. The ID last belongs to this page or to a later one.
func directionOf(page *AssetPage, last types.Address) int {
	if page.Cursor == "" {
		sign, _ := direction(unbroken(page.Items))
		return sign
	}
	for _, end := range []types.Address{types.Address(page.Cursor), last} { // a cursor is the last ID of its page
		for i := range page.Items {
			if sign := compare(end, page.Items[i].ID); sign != 0 {
				return sign
			}
		}
	}
	return 0
}

// An idOrder follows the order of IDs through a walk by cursor. It tells when the
// service ignores the cursor, and where assets would be that the walk did not come to.
type idOrder struct {
	asked    int           // 1 for ascending, -1 for descending, 0 when the request does not say
	sign     int           // the direction of the walk; 0 as long as it is not known
	unsorted bool          // whether the IDs are in no order
	last     types.Address // the farthest ID so far; at first, the cursor that the walk starts at
	moved    bool          // whether there was an item

	low, high types.Address // the lowest and the highest ID until the direction is known
}

func newOrder(o *AssetsOptions) idOrder {
	var order idOrder
	switch {
	case o.inRange() || o.SortDirection == SortDirectionAscending:
		order.asked = 1
	case o.SortDirection == SortDirectionDescending:
		order.asked = -1
	}
	order.sign, order.last = order.asked, o.AfterID
	return order
}

// start sets the cursor that the walk starts at.
func (o *idOrder) start(cursor string) {
	if cursor != "" {
		o.last = types.Address(cursor)
	}
	o.low, o.high = o.last, o.last
	o.unsorted = o.last != "" && !isID(o.last)
}

// minSorted is the number of items from which on order is not taken for chance.
const minSorted = 8

// add adds the items of a page. It fails if they do not follow those before.
func (o *idOrder) add(op transport.Op, items []Asset) error {
	ids := unbroken(items)
	sign, sorted := direction(ids)
	border := sign // between the page before and this one
	if o.last != "" && len(ids) > 0 {
		border = compare(ids[0], o.last)
	}
	switch {
	case o.unsorted || len(items) == 0:
	case len(ids) == 0: // all are broken, and in no order
		if o.sign == 0 && o.last != "" {
			o.sign = compare(items[0].ID, o.last)
		}
	case o.asked != 0 && (!sorted || sign == -o.asked || o.last != "" && border != o.asked),
		o.asked == 0 && sorted && len(ids) >= minSorted && border == -sign && o.sign != -sign:
		return fmt.Errorf("%s: a page does not continue the previous one: %w", op, types.ErrIncomplete)
	case !sorted || opposite(sign, border) || opposite(sign, o.sign) || opposite(border, o.sign):
		o.unsorted = true
	case o.sign == 0 && sign != 0:
		o.sign = sign
	case o.sign == 0:
		o.sign = border
	}
	for i := range items {
		o.extend(items[i].ID)
	}
	o.moved = o.moved || len(items) > 0
	o.unsorted = o.unsorted || o.last != "" && !isID(o.last)
	return nil
}

// extend adds an ID that the walk reached.
func (o *idOrder) extend(id types.Address) {
	switch {
	case o.last == "":
		o.last, o.low, o.high = id, id, id
	case o.sign != 0:
		if compare(id, o.last) == o.sign {
			o.last = id
		}
	case compare(id, o.low) < 0:
		o.low = id
	case compare(id, o.high) > 0:
		o.high = id
	}
}

func opposite(a, b int) bool { return a*b < 0 }

// unbroken returns the IDs of the assets that are not broken. The broken ones come last
// in a page, whatever their IDs.
func unbroken(items []Asset) []types.Address {
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
	return slices.ContainsFunc(items, func(a Asset) bool {
		switch {
		case o.last == "":
			return true
		case o.sign == 0:
			return compare(a.ID, o.low) < 0 || compare(a.ID, o.high) > 0
		}
		return compare(a.ID, o.last) == o.sign
	})
}
