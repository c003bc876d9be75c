package compressed

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/types"
)

// An order is the strict order of the items and cursors of a listing. A page that breaks
// it may have skipped or repeated items.
type order[T any] struct {
	valid   func(*T) bool          // whether an item can be compared
	compare func(a, b *T) int      // negative if a comes before b
	at      func(cursor []byte) *T // the item that a cursor stands for; nil if it has another length
}

// check makes the page at start one after which the listing cannot continue if it is not
// in order, within itself or at its borders. A page that is the whole listing may be in
// any order.
func (o order[T]) check(start string, p *types.Page[T]) {
	if start == "" && !p.HasMore {
		return
	}
	before := o.item(start)
	for i := range p.Items {
		item := &p.Items[i]
		if !o.valid(item) {
			before = nil
			continue
		}
		if before != nil && o.compare(before, item) >= 0 {
			incomplete(p, fmt.Sprintf("item %d of the page is out of order, so pages may skip or repeat items", i))
			return
		}
		before = item
	}
	next := o.item(p.Cursor)
	if next != nil && before != nil && len(p.Items) > 0 && o.compare(before, next) != 0 {
		incomplete(p, "the cursor does not belong to the last item, so pages may skip or repeat items")
	}
}

// item returns the item that a cursor stands for, nil if that is not known.
func (o order[T]) item(cursor string) *T {
	if cursor == "" || len(cursor) > 128 {
		return nil
	}
	b, err := base58.Decode(cursor)
	if err != nil {
		return nil
	}
	return o.at(b)
}

// isHash reports whether text may be 32 bytes in base58.
func isHash(text string) bool { return 32 <= len(text) && len(text) <= 44 }

// isSignature reports whether text may be 64 bytes in base58.
func isSignature(text string) bool { return 64 <= len(text) && len(text) <= 88 }

// compareBase58 compares two base58 texts of equally many bytes by their bytes. The
// letters of base58 are in the order of their values, and 1 is zero.
func compareBase58(a, b string) int {
	a, b = strings.TrimLeft(a, "1"), strings.TrimLeft(b, "1")
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// tokenAccountOrder is by mint and hash. With a mint, cursors are compared by their
// hashes alone.
func tokenAccountOrder(mint types.Address) order[TokenAccount] {
	return order[TokenAccount]{
		valid: func(a *TokenAccount) bool { return isHash(string(a.Account.Hash)) && isHash(string(a.TokenData.Mint)) },
		compare: func(a, b *TokenAccount) int {
			byHash := compareBase58(string(a.Account.Hash), string(b.Account.Hash))
			if mint != "" {
				return byHash
			}
			return cmp.Or(compareBase58(string(a.TokenData.Mint), string(b.TokenData.Mint)), byHash)
		},
		at: func(b []byte) *TokenAccount {
			if len(b) != 64 {
				return nil
			}
			return &TokenAccount{
				Account:   Account{Hash: types.Hash(base58.Encode(b[32:]))},
				TokenData: TokenData{Mint: types.Address(base58.Encode(b[:32]))},
			}
		},
	}
}

// tokenBalanceOrder is by mint.
func tokenBalanceOrder() order[TokenBalance] {
	return order[TokenBalance]{
		valid:   func(b *TokenBalance) bool { return isHash(string(b.Mint)) },
		compare: func(a, b *TokenBalance) int { return compareBase58(string(a.Mint), string(b.Mint)) },
		at: func(b []byte) *TokenBalance {
			if len(b) != 32 {
				return nil
			}
			return &TokenBalance{Mint: types.Address(base58.Encode(b))}
		},
	}
}

// tokenHolderOrder is by amount and then owner, both descending.
func tokenHolderOrder() order[TokenHolder] {
	return order[TokenHolder]{
		valid: func(h *TokenHolder) bool { return isHash(string(h.Owner)) },
		compare: func(a, b *TokenHolder) int {
			return cmp.Or(cmp.Compare(b.RawAmount, a.RawAmount), compareBase58(string(b.Owner), string(a.Owner)))
		},
		at: func(b []byte) *TokenHolder {
			if len(b) != 40 {
				return nil
			}
			return &TokenHolder{RawAmount: binary.LittleEndian.Uint64(b), Owner: types.Address(base58.Encode(b[8:]))}
		},
	}
}

// signatureOrder is by slot and then signature, both descending.
func signatureOrder() order[SignatureInfo] {
	return order[SignatureInfo]{
		valid: func(s *SignatureInfo) bool { return isSignature(string(s.Signature)) },
		compare: func(a, b *SignatureInfo) int {
			return cmp.Or(cmp.Compare(b.Slot, a.Slot), compareBase58(string(b.Signature), string(a.Signature)))
		},
		at: func(b []byte) *SignatureInfo {
			if len(b) != 72 {
				return nil
			}
			return &SignatureInfo{Slot: binary.LittleEndian.Uint64(b), Signature: types.Signature(base58.Encode(b[8:]))}
		},
	}
}

// signatureCursor returns the cursor after s, empty if it is not a signature.
func signatureCursor(s *SignatureInfo) string {
	signature, err := s.Signature.Bytes()
	if err != nil {
		return ""
	}
	return base58.Encode(append(binary.LittleEndian.AppendUint64(nil, s.Slot), signature...))
}
