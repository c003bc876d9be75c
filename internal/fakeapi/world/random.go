package world

import (
	"hash/fnv"
	"io"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/solwire/solwire-go/types"
)

// alphabet is the alphabet of base58. It is in the order of ASCII, so texts of the same length
// sort like the numbers that they encode.
const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// A Seed identifies one kind of data.
type Seed uint64

// Item returns the source of item i.
func (s Seed) Item(i int) Source {
	x := Source(s) ^ Source(uint64(i)*0xd1342543de82ef95)
	x.Next()
	return x
}

// A Source generates the same numbers in every run, with splitmix64.
type Source uint64

// Next returns the next number.
func (s *Source) Next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Below returns a number from 0 to n-1.
func (s *Source) Below(n int) int { return int(s.Next() % uint64(n)) }

// Bytes fills b.
func (s *Source) Bytes(b []byte) {
	for part := range slices.Chunk(b, 8) {
		n := s.Next()
		for i := range part {
			part[i] = byte(n >> (8 * i))
		}
	}
}

// letters appends n letters of base58.
func (s *Source) letters(b []byte, n int) []byte {
	var x uint64
	for i := range n {
		if i%10 == 0 {
			x = s.Next()
		}
		b = append(b, alphabet[x%58])
		x /= 58
	}
	return b
}

// Address returns an address or a hash. Any 44 letters that begin with 2 to H are
// base58 of 32 bytes, so nothing is encoded.
func (s *Source) Address() string { return string(s.text(make([]byte, 0, 44), 16, 44)) }

// fieldLetters is the number of first letters with which any 44 letters are base58 of a number
// below the prime of BN254. Hashes of compressed accounts are such numbers.
const fieldLetters = 2

// field returns a hash of a compressed account.
func (s *Source) field() string { return string(s.text(make([]byte, 0, 44), fieldLetters, 44)) }

// text appends n letters of base58. The first one is one of the first letters of the alphabet.
func (s *Source) text(b []byte, first, n int) []byte {
	return s.letters(append(b, alphabet[1+s.Below(first)]), n-1)
}

// Signature returns a signature. Any 88 letters that begin with 2 to 5 are base58
// of 64 bytes.
func (s *Source) Signature() string { return string(s.text(make([]byte, 0, 88), 4, 88)) }

// Key returns the 32 bytes of an address or a hash as text, by which lists are sorted.
// The text of an address is valid.
func Key(address string) string {
	b, _ := Unbase58(address)
	return string(b)
}

// Unbase58 is base58.Decode for texts that may be empty.
func Unbase58(s string) ([]byte, error) {
	if s == "" {
		return nil, nil
	}
	return base58.Decode(s)
}

// IsAddress reports whether a text is base58 of 32 bytes.
func IsAddress(s string) bool {
	_, err := types.ParseAddress(s)
	return err == nil
}

// Derived returns the address that belongs to some texts, the same in every run.
func Derived(texts ...string) string {
	s := Seeded(texts...)
	return s.Address()
}

// Seeded returns a source that belongs to some texts.
func Seeded(texts ...string) Source {
	h := fnv.New64a()
	for _, text := range texts {
		_, _ = io.WriteString(h, text) // a hash accepts everything
	}
	return Source(h.Sum64())
}
