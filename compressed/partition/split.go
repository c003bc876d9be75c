package partition

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// A state is what a cursor carries.
type state struct {
	Offsets   []uint64   `json:"offsets"`
	Next      []byte     `json:"next"`      // the bytes of the next part
	Balance   uint64     `json:"balance"`   // of the owner when the listing began; 0 with filters
	Lamports  uint64     `json:"lamports"`  // of all accounts so far
	Listed    int        `json:"listed"`    // accounts so far
	Highest   types.Hash `json:"highest"`   // of them
	Outside   bool       `json:"outside"`   // whether an account in no part was seen
	Unpaid    bool       `json:"unpaid"`    // whether it had no lamports, which their sum would show
	Unchecked bool       `json:"unchecked"` // whether the listing is over, and Balance has changed
}

// cursor returns the state as a cursor.
func (w *walk) cursor() string {
	text, _ := json.Marshal(w.state)
	return base64.RawURLEncoding.EncodeToString(text)
}

// resume sets the state that a cursor without its mark describes.
func (w *walk) resume(cursor string) error {
	if cursor == "" {
		return nil
	}
	var s state
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil || len(s.Next) > len(s.Offsets) || len(s.Next) == 0 && !s.Unchecked || len(s.Offsets) > maxFilters-len(w.options.Filters) {
		return argument.Invalid("Cursor", "is not the Cursor of a page of partition.AccountsByOwner")
	}
	w.state = s
	for level := range s.Next {
		w.split[string(s.Next[:level])] = true
	}
	return nil
}

// after returns the part after one, or after all those that it is in; nil if there is none.
func after(path []byte) []byte {
	path = slices.Clone(path)
	for last := len(path) - 1; last >= 0; last-- {
		path[last]++
		if path[last] > 0 {
			return path[:last+1]
		}
	}
	return nil
}

// divide continues with 256 smaller parts of a part that does not fit a page, and returns the
// accounts of the page that are in none of them.
func (w *walk) divide(path []byte, page []compressed.Account) (outside []compressed.Account) {
	w.split[string(path)] = true
	w.Next = append(slices.Clone(path), 0)
	for _, a := range page {
		if isShort(&a, w.Offsets[len(path)]) {
			w.outside(&a)
			outside = append(outside, a)
		}
	}
	return outside
}

// isShort reports whether an account has no byte at an offset.
func isShort(a *compressed.Account, offset uint64) bool {
	return a.Data == nil || uint64(len(a.Data.Bytes)) <= offset
}

// outside notes an account in no part.
func (w *walk) outside(a *compressed.Account) {
	w.Outside = true
	w.Unpaid = w.Unpaid || a.Lamports == 0
}

// sampleSize is about how many accounts probe looks at. They have to fit a page.
const sampleSize = 900

// note adds the accounts of a page to the state.
func (w *walk) note(accounts []compressed.Account) {
	w.Listed += len(accounts)
	for i := range accounts {
		w.Lamports += accounts[i].Lamports
		if argument.CompareBase58(accounts[i].Hash, w.Highest) > 0 {
			w.Highest = accounts[i].Hash
		}
	}
}

// probe looks for accounts in no part. Hashes are random, so the accounts with the highest
// ones, which fit a page after a cursor, are a sample of all accounts.
func (w *walk) probe() error {
	highest, _ := w.Highest.Bytes()
	if len(highest) == 0 { // no account was listed
		return nil
	}
	share := max(0, 1-sampleSize/float64(w.Listed))
	var after [32]byte
	binary.BigEndian.PutUint64(after[:], uint64(share*float64(binary.BigEndian.Uint64(highest[:8]))))
	page, err := w.request(nil, base58.Encode(after[:])).Page()
	if err != nil {
		return err
	}
	for i := range page.Items {
		a := &page.Items[i]
		for path := []byte{}; w.split[string(path)]; {
			offset := w.Offsets[len(path)]
			if isShort(a, offset) {
				w.outside(a)
				break
			}
			path = append(path, a.Data.Bytes[offset])
		}
	}
	return nil
}

// sampledBytes is how many bytes of the data are looked at to choose offsets.
const sampledBytes = 256

// chooseOffsets adds to given offsets those that split the largest part of a sample of
// accounts best: it shrinks to half or less, the fewest accounts have no byte there, and then
// the largest part of it is the smallest.
func chooseOffsets(sample []compressed.Account, offsets []uint64, most int) []uint64 {
	for _, offset := range offsets {
		sample, _ = largestPart(sample, offset)
	}
	for len(offsets) < most && len(sample) > 1 {
		best := []int{2} // to compare; the last element is the offset
		for offset := range sampledBytes {
			part, short := largestPart(sample, uint64(offset))
			weak, left := 0, max(len(part), short)
			if 2*left > len(sample) {
				weak = 1
			}
			if score := []int{weak, short, len(part), offset}; left < len(sample) && slices.Compare(score, best) < 0 {
				best = score
			}
		}
		if len(best) == 1 {
			break
		}
		offset := uint64(best[3])
		offsets = append(offsets, offset)
		sample, _ = largestPart(sample, offset)
	}
	return offsets
}

// largestPart returns the largest part of accounts with the same byte at an offset, and how
// many accounts have no such byte.
func largestPart(accounts []compressed.Account, offset uint64) (part []compressed.Account, short int) {
	var parts [256][]compressed.Account
	for i := range accounts {
		if isShort(&accounts[i], offset) {
			short++
			continue
		}
		b := accounts[i].Data.Bytes[offset]
		parts[b] = append(parts[b], accounts[i])
		if len(parts[b]) > len(part) {
			part = parts[b]
		}
	}
	return part, short
}
