package das

import (
	"fmt"

	"github.com/solwire/solwire-go/internal/argument"
	"github.com/solwire/solwire-go/types"
)

// AssetsOptions select and page the assets of a listing. The zero value, like nil,
// starts at the first page, in the default order of the service.
type AssetsOptions struct {
	// Limit is at most 1000, and 0 means 1000. With a Limit of 10 or less, hidden
	// assets may end the listing early: see the package comment.
	types.PageOptions

	// SortBy is the order; empty means SortByID. All other orders are paged by number: assets that
	// change during a listing may be missed, and late pages are slow.
	SortBy SortBy

	// SortDirection is the direction; empty means the default of the service, most likely
	// SortDirectionDescending.
	SortDirection SortDirection

	// AfterID and BeforeID limit a listing to the IDs between them, without these two. They
	// require SortByID, and fail with SortDirectionDescending.
	AfterID, BeforeID types.Address

	HideUnverified bool // leaves out assets that the creator did not sign; AssetsByCreator only

	ShowFungible              bool // adds fungible tokens, and sets Asset.TokenInfo
	ShowUnverifiedCollections bool // adds groups that the collection did not confirm
	ShowCollectionMetadata    bool // sets Group.Metadata
	ShowInscription           bool // sets Asset.InscriptionData and Asset.SPL20
	ShowZeroBalance           bool // adds tokens with a balance of 0
	ShowNativeBalance         bool // sets AssetPage.NativeBalance; in lists by owner only

	// ShowGrandTotal sets AssetPage.Total, which slows the service down. A listing with fewer
	// assets ends with [types.ErrIncomplete], except with Concurrency or a Cursor.
	ShowGrandTotal bool

	// Concurrency is the number of ranges of IDs that All and Collect request at the same time,
	// at most 256. 0 and 1 mean one request after the other. Each range costs its pages and one
	// request. Set a Limiter in the Config. Pages and Page ignore Concurrency.
	//
	// The ranges are mixed. Each is in the SortDirection; empty then means descending, or
	// ascending with AfterID or BeforeID. Concurrency requires SortByID and an empty Cursor. The
	// Cursor of a [types.ItemError] is empty too.
	Concurrency int
}

// shown are the members that a request for a listing sends as options.
type shown struct {
	AssetOptions

	ShowZeroBalance   bool `json:"showZeroBalance,omitempty"`
	ShowNativeBalance bool `json:"showNativeBalance,omitempty"`
	ShowGrandTotal    bool `json:"showGrandTotal,omitempty"`
}

func (o *AssetsOptions) shown() shown {
	return shown{
		AssetOptions{o.ShowFungible, o.ShowUnverifiedCollections, o.ShowCollectionMetadata, o.ShowInscription},
		o.ShowZeroBalance, o.ShowNativeBalance, o.ShowGrandTotal,
	}
}

// SortBy is the order of a listing. Values without a constant here pass through.
type SortBy string

// The orders.
const (
	SortByID           SortBy = "id"            // the default
	SortByCreated      SortBy = "created"       // when the asset was made
	SortByUpdated      SortBy = "updated"       // when the asset changed
	SortByRecentAction SortBy = "recent_action" // when something happened to it
	SortByNone         SortBy = "none"          // no order: repeated assets are ErrIncomplete
)

// SortDirection is the direction of a listing. Values without a constant here pass
// through.
type SortDirection string

// The directions.
const (
	SortDirectionAscending  SortDirection = "asc"
	SortDirectionDescending SortDirection = "desc"
)

// byNumber reports whether the listing is paged by page number.
func (o *AssetsOptions) byNumber() bool { return o.SortBy != "" && o.SortBy != SortByID }

// inRange reports whether the listing is limited to a range of IDs.
func (o *AssetsOptions) inRange() bool { return o.AfterID != "" || o.BeforeID != "" }

// maxConcurrency limits the requests in flight.
const maxConcurrency = 256

// check returns why the options are invalid. A part of a concurrent listing may descend.
func (o *AssetsOptions) check(part bool) error {
	invalid := argument.Fields(o)
	switch {
	case invalid != nil:
		return invalid
	case o.Concurrency > maxConcurrency:
		return argument.Invalid("Concurrency", fmt.Sprintf("%d is more than %d", o.Concurrency, maxConcurrency))
	case o.byNumber() && o.inRange():
		return argument.Invalid("SortBy "+argument.Quote(string(o.SortBy)), "does not go with AfterID and BeforeID; use SortByID")
	case o.byNumber() && o.Concurrency > 1:
		return argument.Invalid("SortBy "+argument.Quote(string(o.SortBy)), "does not go with Concurrency; use SortByID")
	case !part && o.inRange() && o.SortDirection == SortDirectionDescending:
		return argument.Invalid("SortDirection", "desc does not go with AfterID and BeforeID; leave it empty")
	}
	return nil
}
