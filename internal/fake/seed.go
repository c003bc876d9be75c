package fake

import "encoding/binary"

// alphabet is that of base58. It is in the order of ASCII, so texts of the same
// length sort like the numbers that they encode.
const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// A seed identifies one kind of data.
type seed uint64

// item returns the source of item i.
func (s seed) item(i int) source {
	x := source(s) ^ source(uint64(i)*0xd1342543de82ef95)
	x.next()
	return x
}

// A source generates the same numbers in every run, with splitmix64.
type source uint64

func (s *source) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1.
func (s *source) below(n int) int { return int(s.next() % uint64(n)) }

// bytes fills b.
func (s *source) bytes(b []byte) {
	for len(b) >= 8 {
		binary.LittleEndian.PutUint64(b, s.next())
		b = b[8:]
	}
	var rest [8]byte
	binary.LittleEndian.PutUint64(rest[:], s.next())
	copy(b, rest[:])
}

// letters appends n letters of base58.
func (s *source) letters(b []byte, n int) []byte {
	var x uint64
	for i := range n {
		if i%10 == 0 {
			x = s.next()
		}
		b = append(b, alphabet[x%58])
		x /= 58
	}
	return b
}

// address returns an address or a hash. Any 44 letters that begin with 2 to H are
// base58 of 32 bytes, so nothing is encoded.
func (s *source) address() string {
	b := append(make([]byte, 0, 44), alphabet[1+s.below(16)])
	return string(s.letters(b, 43))
}

// fieldLetters is the number of first letters with which any 44 letters are base58
// of a number below the prime of BN254, as the hashes of compressed accounts are.
const fieldLetters = 2

// field appends a hash of a compressed account.
func (s *source) field(b []byte) []byte {
	b = append(b, alphabet[1+s.below(fieldLetters)])
	return s.letters(b, 43)
}

// signature returns a signature. Any 88 letters that begin with 2 to 5 are base58
// of 64 bytes.
func (s *source) signature() string {
	b := append(make([]byte, 0, 88), alphabet[1+s.below(4)])
	return string(s.letters(b, 87))
}
