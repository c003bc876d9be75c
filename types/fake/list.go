package fake

import "github.com/solwire/solwire-go/types"

// List returns a list of items, in one page, that ends with err, unless err is nil. It is
// for stubs of listings such as wallet.Client.History.
func List[T any](items []T, err error) types.List[T] {
	page := func() (*types.Page[T], error) {
		if len(items) == 0 && err != nil {
			return nil, err
		}
		return &types.Page[T]{Items: items, HasMore: err != nil}, nil
	}
	return types.NewList(page, func(yield func(*types.Page[T], error) bool) {
		if len(items) > 0 && !yield(&types.Page[T]{Items: items, HasMore: err != nil}, nil) {
			return
		}
		if err != nil {
			yield(nil, err)
		}
	})
}
