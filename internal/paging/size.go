package paging

// A Size is how many items or inputs a request is for. It is halved after a response
// that was too large, and doubled after some that were not, since one large item may
// have been the reason.
type Size struct {
	N    int // of the next request; 0 means Most
	Most int // the largest N
	good int // responses since N changed
}

// enough is the number of responses after which a Size is doubled. Where all items are
// large, one request in nine is then too large.
const enough = 8

// Halve sets N to half of n, the size of a request whose response was too large.
func (s *Size) Halve(n int) { s.N, s.good = n/2, 0 }

// Fits counts a response that was not too large.
func (s *Size) Fits() {
	s.good++
	if s.good == enough {
		s.N, s.good = min(2*s.N, s.Most), 0
	}
}
