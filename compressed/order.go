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
	a, b   string
}

func (k key) compare(other key) int {
	return cmp.Or(cmp.Compare(k.number, other.number), argument.CompareBase58(k.a, other.a), argument.CompareBase58(k.b, other.b))
}

// inOrder ends a listing after a page that breaks its order, since it may have skipped or repeated
// items. The order is strict, also across pages. Sign is 1 for an ascending listing, and -1 for a
// descending one. A page that is the whole listing may be in any order.
func inOrder[T any](w *paging.Walk, p *types.Page[T], sign int, place func(*T) key) {
	if w.At == "" && p.Cursor == "" {
		return
	}
	var before key
	// nothing is known of the first page
	_, _ = fmt.Sscan(w.Known, &before.number, &before.a, &before.b)
	for i := range p.Items {
		next := place(&p.Items[i])
		if len(before.a) >= 32 && len(next.a) >= 32 && sign*before.compare(next) >= 0 {
			p.Cursor = paging.DeadEnd(fmt.Sprintf("item %d of the page is out of order, so pages may skip or repeat items", i))
			return
		}
		before = next
	}
	w.Known = fmt.Sprint(before.number, " ", before.a, " ", before.b)
}

// signatureCursor returns the cursor after s, a dead end if it is not a signature.
func signatureCursor(s *SignatureInfo) string {
	signature, err := s.Signature.Bytes()
	if err != nil {
		return paging.DeadEnd("the last item has no valid signature to continue after")
	}
	return base58.Encode(append(binary.LittleEndian.AppendUint64(nil, s.Slot), signature...))
}
