package fake

import "github.com/solwire/solwire-go/types"

// List returns a list of one page with these items. It then ends with err, unless err is nil. Use
// it to stub a listing such as wallet.Client.History.
func List[T any](items []T, err error) types.List[T] {
	return types.NewList(func(yield func(*types.Page[T], error) bool) {
		if (len(items) > 0 || err == nil) && !yield(&types.Page[T]{Items: items, HasMore: err != nil}, nil) {
			return
		}
		if err != nil {
			yield(nil, err)
		}
	})
}
