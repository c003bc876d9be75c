package fake

import "encoding/binary"

// alphabet is that of base58. It is in the order of ASCII, so texts of one
// length sort as the numbers they stand for.
const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// A seed stands for one kind of data.
type seed uint64

// item returns what item i of the data is made from.
func (s seed) item(i int) source {
	x := source(s) ^ source(uint64(i)*0xd1342543de82ef95)
	x.next()
	return x
}

// A source yields the same numbers in every run: splitmix64.
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

// address appends an address or a hash. Any 44 letters whose first is one of
// 2 to H are base58 of 32 bytes, so nothing needs encoding.
func (s *source) address(b []byte) []byte {
	b = append(b, alphabet[1+s.below(16)])
	return s.letters(b, 43)
}

// signature appends a signature: 88 letters whose first is one of 2 to 5 are
// base58 of 64 bytes.
func (s *source) signature(b []byte) []byte {
	b = append(b, alphabet[1+s.below(4)])
	return s.letters(b, 87)
}
