// Package partition lists all compressed accounts of an owner on indexers whose cursors skip
// accounts. There, [compressed.Client.AccountsByOwner] ends with types.ErrIncomplete. This
// package lists parts that fit a page. The data of all accounts of a part begins with the same
// bytes.
//
// A whole program:
//
//	// Count counts the accounts of an owner.
//	package main
//
//	import (
//		"context"
//		"errors"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/solwire/solwire-go/compressed"
//		"github.com/solwire/solwire-go/compressed/partition"
//		"github.com/solwire/solwire-go/types"
//	)
//
//	func main() {
//		client, err := compressed.New(types.Config{APIKey: types.Key(os.Getenv("HELIUS_API_KEY"))})
//		if err != nil {
//			log.Fatal(err)
//		}
//		owner := types.Address("BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv")
//		accounts := 0
//		for _, err := range partition.AccountsByOwner(context.Background(), client, owner, nil).All() {
//			if errors.Is(err, types.ErrIncomplete) {
//				log.Print(err) // accounts without data may be missing
//				break
//			}
//			if err != nil {
//				log.Fatal(err)
//			}
//			accounts++
//		}
//		fmt.Println(accounts, "accounts")
//	}
//
// # Cost
//
// The listing sends one request if a page has all accounts. Otherwise it sends 256 more, for the
// values of the first byte. Each part that does not fit a page costs 256 requests too. With a
// Limit below 1000, each split may cost one more. A request costs 10 credits. If the data of all
// accounts begins with the same bytes, skip them with Offset.
//
// # Accounts without data
//
// If a part is split, accounts whose data ends before the next byte may be missing. If the page
// before the split has such accounts, the listing contains them. It then ends with
// types.ErrIncomplete after the last part. If the page has none, missing accounts remain
// unnoticed.
package partition

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/solwire/solwire-go/compressed"
	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/internal/transport"
	"github.com/solwire/solwire-go/types"
)

// Options are the options of a partitioned listing. The zero value, like nil, selects all
// accounts.
type Options struct {
	// Limit is at most 1000, and 0 means 1000. A smaller Limit splits more parts, which costs
	// requests. Resume a Cursor with the same Limit.
	types.PageOptions

	// Offset is the first byte of AccountData.Bytes that divides the accounts into parts. The
	// following bytes divide these further.
	Offset uint64

	// DataSlice is the part of AccountData.Bytes to return; nil means all of it.
	DataSlice *types.DataSlice

	// An account has to match all Filters, 4 at most: the parts use the fifth.
	Filters []types.Filter
}

// The limits of the service for a request.
const (
	maxFilters = 5
	maxOffset  = 1<<31 - 2
	maxPath    = 128 // bytes of a filter
)

func (o *Options) check() error {
	switch {
	case len(o.Filters) >= maxFilters:
		return argument.Invalid("Filters", fmt.Sprintf("has %d filters; at most %d leave room for one that splits", len(o.Filters), maxFilters-1))
	case o.Offset > maxOffset-maxPath:
		return argument.Invalid("Offset", fmt.Sprintf("is beyond %d", maxOffset-maxPath))
	}
	return argument.Fields(o)
}

var opAccountsByOwner = transport.Op{Method: "partition.AccountsByOwner", Wire: "partition.AccountsByOwner"}

const (
	firstPart = "part " // begins the position of a part; its bytes follow
	short     = "short" // in Walk.Known: an account that is in no part was listed
)

// AccountsByOwner lists the accounts of an owner in parts. A page is a part, and may be empty. If
// a part neither fits a page nor can be split, the list ends with [types.ErrIncomplete]. If
// accounts with too little data may be missing, it does so after the last part. Read the list
// with All, Pages, Page or Collect; each page costs 10 credits, with a Limit up to 20.
func AccountsByOwner(ctx context.Context, client *compressed.Client, owner types.Address, opts *Options) types.List[compressed.Account] {
	o := argument.Options(opts)
	o.Filters = slices.Clone(o.Filters)
	if o.DataSlice != nil {
		part := *o.DataSlice
		o.DataSlice = &part
	}
	l := paging.ListingOf(nil, opAccountsByOwner, owner, fmt.Sprint(argument.FilterText(o.Filters), o.Offset), o.PageOptions)
	l.Sized = true // a part that fits a page may not fit another
	return paging.List(ctx, l, func(ctx context.Context, w *paging.Walk) (*types.Page[compressed.Account], error) {
		text, found := bytes.CutPrefix([]byte(w.At), []byte(firstPart))
		path, err := hex.DecodeString(string(text))
		if invalid := o.check(); invalid != nil || err != nil || w.At != "" && !found {
			return nil, fmt.Errorf("%s: %w", opAccountsByOwner.Method, orCursor(invalid))
		}
		page, err := o.request(w.Inside(ctx), client, owner, path).Page()
		var item *types.ItemError
		if errors.As(err, &item) {
			w.Items.Unreadable = append([]*types.ItemError{item}, item.More...)
		} else if err != nil {
			return nil, err
		}
		next := after(path)
		if page.HasMore {
			at := o.Offset + uint64(len(path))
			page.Items = slices.DeleteFunc(page.Items, func(a compressed.Account) bool { return a.Data != nil && uint64(len(a.Data.Bytes)) > at })
			next = append(slices.Clone(path), 0)
		}
		if page.HasMore && len(page.Items) > 0 {
			w.Known = short
		}
		o.slice(page)
		switch {
		case len(next) > maxPath:
			page.Cursor = paging.DeadEnd("a part that does not fit a page cannot be split; set another Offset, or Filters")
		case next != nil:
			page.Cursor = firstPart + hex.EncodeToString(next)
		case w.Known == short:
			page.Cursor = paging.DeadEnd("accounts without data, or with too little of it, are in no part and may be missing")
		default:
			page.Cursor = ""
		}
		return page, nil
	})
}

func orCursor(invalid error) error {
	if invalid != nil {
		return invalid
	}
	return argument.Invalid("Cursor", "is not the Cursor of a page of partition.AccountsByOwner")
}

// request returns the listing of a part. A path has the bytes that its data begins with.
func (o *Options) request(ctx context.Context, client *compressed.Client, owner types.Address, path []byte) types.List[compressed.Account] {
	part := &compressed.AccountsByOwnerOptions{PageOptions: types.PageOptions{Limit: o.Limit}, Filters: slices.Clone(o.Filters)}
	if len(path) > 0 {
		part.Filters = append(part.Filters, types.Memcmp(o.Offset, path))
	}
	if s := o.DataSlice; s != nil {
		part.DataSlice = &types.DataSlice{Length: max(s.Offset+s.Length, o.Offset+uint64(len(path))+1)}
	}
	return client.AccountsByOwner(ctx, owner, part)
}

// after returns the next part that is not inside of this one; nil after the last part.
func after(path []byte) []byte {
	path = slices.Clone(path)
	for last := len(path) - 1; last >= 0; last-- {
		path[last]++
		if path[last] > 0 {
			return path[:last+1]
		}
	}
	return nil
}

// slice cuts the data of accounts to the DataSlice of the options.
func (o *Options) slice(page *types.Page[compressed.Account]) {
	s := o.DataSlice
	for i := range page.Items {
		if data := page.Items[i].Data; s != nil && data != nil {
			size := uint64(len(data.Bytes))
			data.Bytes = data.Bytes[min(s.Offset, size):min(s.Offset+s.Length, size)]
		}
	}
}
