package paging

import (
	"encoding/base64"
	"encoding/binary"
)

// A Seen has the cursors or the items of a walk, as fingerprints, which stay small in long
// walks.
type Seen map[uint64]struct{}

// Add adds a text.
func (s *Seen) Add(text string) { s.AddPrint(Print(text)) }

// AddPrint adds the fingerprint of a text.
func (s *Seen) AddPrint(hash uint64) {
	if *s == nil {
		*s = Seen{}
	}
	(*s)[hash] = struct{}{}
}

// Has reports whether text was added.
func (s Seen) Has(text string) bool {
	_, has := s[Print(text)]
	return has
}

const printSize = 6 // bytes; among a million texts, two are alike once in 500

// Print returns the fingerprint of a text: its hash FNV-1a, shortened. It is the same in
// every process.
func Print(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h >> (64 - 8*printSize)
}

// PrintsText returns fingerprints as text for a cursor.
func PrintsText(prints []uint64) string {
	var b []byte
	for _, hash := range prints {
		b = append(b, binary.BigEndian.AppendUint64(nil, hash)[8-printSize:]...)
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// ParsePrints returns the fingerprints in a text.
func ParsePrints(text string) (prints []uint64) {
	b, _ := base64.RawURLEncoding.DecodeString(text)
	for ; len(b) >= printSize; b = b[printSize:] {
		prints = append(prints, binary.BigEndian.Uint64(append([]byte{0, 0}, b[:printSize]...)))
	}
	return prints
}

// A Pending is the result of a function that runs in a goroutine.
type Pending[P any] struct {
	done   chan struct{} // closed once the other fields are set
	result P
	err    error
	panic  any
}

// Go runs f in a goroutine. A panic in it, such as one of the caller's Transport, reaches the
// caller of Wait.
func Go[P any](f func() (P, error)) *Pending[P] {
	p := &Pending[P]{done: make(chan struct{})}
	go func() {
		defer close(p.done)
		defer func() { p.panic = recover() }()
		p.result, p.err = f()
	}()
	return p
}

// Wait returns the results of the function, or panics as it did.
func (p *Pending[P]) Wait() (P, error) {
	<-p.done
	if p.panic != nil {
		panic(p.panic) //nolint:forbidigo // the caller's own panic
	}
	return p.result, p.err
}

// End waits until the function has returned, and ignores its results. It does nothing for nil.
func (p *Pending[P]) End() {
	if p != nil {
		<-p.done
	}
}
