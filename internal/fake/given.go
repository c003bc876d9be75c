package fake

import (
	"cmp"
	"iter"
	"slices"
)

// A lister lists compressed accounts in the order of their hashes.
type lister interface {
	after(cursor string, byLeaf bool) iter.Seq[int]
	fill(x *account, i int)
}

// given are compressed accounts one by one.
type given []account

// with returns g and x, in order.
func (g given) with(x account) given {
	g = append(slices.Clone(g), x)
	slices.SortFunc(g, func(a, b account) int { return cmp.Compare(bytesOf(a.hash), bytesOf(b.hash)) })
	return g
}

func bytesOf(hash []byte) string {
	b, _ := unbase58(string(hash))
	return string(b)
}

func (g given) after(cursor string, byLeaf bool) iter.Seq[int] {
	start := bytesOf([]byte(cursor))
	order := make([]int, len(g))
	for i := range order {
		order[i] = i
	}
	if byLeaf {
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(g[a].leaf, g[b].leaf) })
	}
	return func(yield func(int) bool) {
		for _, i := range order {
			if (cursor == "" || bytesOf(g[i].hash) > start) && !yield(i) {
				return
			}
		}
	}
}

func (g given) fill(x *account, i int) {
	*x = g[i]
	x.hash, x.address, x.dataHash = slices.Clone(x.hash), slices.Clone(x.address), slices.Clone(x.dataHash) // x is used again
}
