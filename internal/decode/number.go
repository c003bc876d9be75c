package decode

import "bytes"

// maxNumber limits the characters of a number. Real numbers have at most 20. A decimal of
// 16 384 digits takes half a millisecond to decode, one of a million digits 1.7 s.
const maxNumber = 16 << 10

const numeric = "0123456789+-.eE" // the characters of numbers

// longNumber reports whether body has a run of more than maxNumber numeric characters, also
// inside strings. Such a run covers a multiple of maxNumber, so only the surroundings of
// those offsets are read.
func longNumber(body []byte) bool {
	for i := 0; i < len(body); i += maxNumber {
		start := len(bytes.TrimRight(body[:i], numeric))
		if end := len(body) - len(bytes.TrimLeft(body[i:], numeric)); end-start > maxNumber {
			return true
		}
	}
	return false
}
