package compressed

import (
	"cmp"
	"encoding/binary"
	"fmt"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

// A key is the place of an item in the order of a listing: a number, and texts in base58.
type key struct {
	number uint64
	texts  [2]string
}

// An order is the strict order of the items and cursors of a listing. A page that breaks
// it may have skipped or repeated items.
type order[T any] struct {
	key        func(*T) key
	numbered   bool  // whether the number is next
	sizes      []int // of the texts after it, in bytes
	descending bool
}

// check makes the page of a walk one after which the listing cannot continue if it is not
// in order, within itself or at its borders. A page that is the whole listing may be in
// any order.
func (o order[T]) check(w *paging.Walk, p *types.Page[T]) {
	if w.At == "" && p.Cursor == "" {
		return
	}
	before, known := o.after(w.At)
	for i := range p.Items {
		item := o.key(&p.Items[i])
		if known && o.valid(item) && o.compare(before, item) >= 0 {
			p.Cursor = paging.DeadEnd(fmt.Sprintf("item %d of the page is out of order, so pages may skip or repeat items", i))
			return
		}
		before, known = item, o.valid(item)
	}
	if next, ok := o.after(p.Cursor); ok && known && len(p.Items) > 0 && len(w.Items.Unreadable) == 0 && o.compare(before, next) != 0 {
		p.Cursor = paging.DeadEnd("the cursor does not belong to the last item, so pages may skip or repeat items")
	}
}

// compare is negative if a comes before b.
func (o order[T]) compare(a, b key) int {
	sign := 1
	if o.descending {
		sign = -1
	}
	last := len(o.sizes) - 1
	return sign * cmp.Or(cmp.Compare(a.number, b.number), argument.CompareBase58(a.texts[0], b.texts[0]), argument.CompareBase58(a.texts[last], b.texts[last]))
}

// valid reports whether the texts of a key may have the sizes of the order.
func (o order[T]) valid(k key) bool {
	for i, size := range o.sizes {
		if n := len(k.texts[i]); n < size || n > size*11/8 {
			return false
		}
	}
	return true
}

// after returns the key of the item that a cursor follows. It is not known for cursors of
// another form.
func (o order[T]) after(cursor string) (k key, known bool) {
	if cursor == "" || len(cursor) > 128 {
		return k, false
	}
	b, err := base58.Decode(cursor)
	if o.numbered && len(b) > 8 {
		k.number = binary.LittleEndian.Uint64(b)
		b = b[8:]
	}
	for i, size := range o.sizes {
		size = min(size, len(b))
		k.texts[i] = base58.Encode(b[:size])
		b = b[size:]
	}
	return k, err == nil && len(b) == 0 && o.valid(k)
}

// isHash reports whether text may be 32 bytes in base58.
func isHash(text string) bool { return 32 <= len(text) && len(text) <= 44 }

var (
	tokenAccountOrder = order[TokenAccount]{sizes: []int{32, 32}, key: func(a *TokenAccount) key {
		return key{0, [2]string{string(a.TokenData.Mint), string(a.Account.Hash)}}
	}}
	tokenBalanceOrder = order[TokenBalance]{sizes: []int{32}, key: func(b *TokenBalance) key {
		return key{0, [2]string{string(b.Mint)}}
	}}
	tokenHolderOrder = order[TokenHolder]{numbered: true, sizes: []int{32}, descending: true, key: func(h *TokenHolder) key {
		return key{h.RawAmount, [2]string{string(h.Owner)}}
	}}
	signatureOrder = order[SignatureInfo]{numbered: true, sizes: []int{64}, descending: true, key: func(s *SignatureInfo) key {
		return key{s.Slot, [2]string{string(s.Signature)}}
	}}
)

// signatureCursor returns the cursor after s, a dead end if it is not a signature.
func signatureCursor(s *SignatureInfo) string {
	signature, err := s.Signature.Bytes()
	if err != nil {
		return paging.DeadEnd("the last item has no valid signature to continue after")
	}
	return base58.Encode(append(binary.LittleEndian.AppendUint64(nil, s.Slot), signature...))
}
