package das

import (
	"fmt"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/internal/paging"
	"github.com/solwire/solwire-go/types"
)

// AssetsOptions select and page the assets of a listing. The zero value, like nil,
// starts at the first page, in the default order of the service.
type AssetsOptions struct {
	// Cursor is that of the last handled page, to go on after it with the same
	// options. Empty means the first page.
	Cursor string

	// Limit is the number of items per page. 0 means 1000, which is the default and
	// the maximum of the service. Where a response would be too large, pages are
	// smaller. A small limit makes gaps more likely (see the package comment).
	Limit int

	// SortBy is the order; empty means SortByID, the only one that is paged by cursor.
	// The others are paged by number: assets that change during a listing may be missed
	// or listed twice, and late pages are slow.
	SortBy SortBy

	// SortDirection is the direction; empty means the default of the service, most likely
	// SortDirectionDescending.
	SortDirection SortDirection

	// After and Before limit a listing to the IDs between them, both excluded. They
	// require SortByID and exclude SortDirectionDescending.
	After, Before types.Address

	OnlyVerified bool // only assets that the creator signed; AssetsByCreator only
	Show         Show // additional members and items
	Prefetch     bool // request the next page while the loop handles the current one

	// Workers is the number of ranges of IDs that the All methods request at the same
	// time, through the Limiter. They then yield the assets in no particular order,
	// and take no Cursor. 0 and 1 mean one request after the other. Single pages and
	// the Pages methods ignore it.
	Workers int
}

// SortBy is the order of a listing. Values without a constant here pass through.
type SortBy string

// The orders.
const (
	SortByID           SortBy = "id"            // the default
	SortByCreated      SortBy = "created"       // when the asset was made
	SortByUpdated      SortBy = "updated"       // when the asset changed
	SortByRecentAction SortBy = "recent_action" // when something happened to it
	SortByNone         SortBy = "none"          // no defined order
)

// SortDirection is the direction of a listing. Values without a constant here pass
// through.
type SortDirection string

// The directions.
const (
	SortDirectionAscending  SortDirection = "asc"
	SortDirectionDescending SortDirection = "desc"
)

func (o *AssetsOptions) copied() AssetsOptions {
	if o == nil {
		return AssetsOptions{}
	}
	return *o
}

// byNumber reports whether the listing is paged by page number.
func (o *AssetsOptions) byNumber() bool { return o.SortBy != "" && o.SortBy != SortByID }

// inRange reports whether the listing is limited to a range of IDs.
func (o *AssetsOptions) inRange() bool { return o.After != "" || o.Before != "" }

// maxWorkers limits the requests in flight.
const maxWorkers = 256

func (o *AssetsOptions) check() error {
	if err := argument.NotNegative("Limit", o.Limit); err != nil {
		return err
	}
	if err := argument.NotNegative("Workers", o.Workers); err != nil {
		return err
	}
	if o.Workers > maxWorkers {
		return argument.Invalid("Workers", fmt.Sprintf("%d is more than %d", o.Workers, maxWorkers))
	}
	for name, a := range map[string]types.Address{"After": o.After, "Before": o.Before} {
		if a != "" {
			if err := argument.Address(name, a); err != nil {
				return err
			}
		}
	}
	switch {
	case o.byNumber() && o.inRange():
		return argument.Invalid("SortBy "+argument.Quote(string(o.SortBy)), "does not go with After and Before; use SortByID")
	case o.byNumber() && o.Workers > 1:
		return argument.Invalid("SortBy "+argument.Quote(string(o.SortBy)), "does not go with Workers; use SortByID")
	case o.inRange() && o.SortDirection == SortDirectionDescending:
		return argument.Invalid("SortDirection", "desc does not go with After and Before; leave it empty")
	case o.byNumber():
		return checkPlace(o.Cursor)
	case paging.CheckCursor(o.Cursor) != nil:
		return argument.Invalid("Cursor", "is too long")
	}
	return nil
}
