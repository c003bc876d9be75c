package fake

import "iter"

// Items returns an iterator over items that ends with err, unless err is nil. It is a
// stub for code that takes a listing such as wallet.Client.History.
func Items[T any](items []T, err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
		if err != nil {
			var none T
			yield(none, err)
		}
	}
}
