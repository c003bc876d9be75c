package types

// A Page is one page of a listing. It may be short or empty although more pages follow:
// check HasMore for the end.
//
// To continue after a page, also in another process, set the Cursor of the options to the Cursor of
// the page. If the listing cannot continue after the page without skipping items, following the
// Cursor fails with [ErrIncomplete].
type Page[T any] struct {
	Items   []T    `json:"items"`   // in the order of the listing
	Cursor  string `json:"cursor"`  // resumes after this page; empty on the last page
	HasMore bool   `json:"hasMore"` // whether more pages follow
	Slot    uint64 `json:"slot"`    // the slot of the state; 0 where the listing has none

	// Total is the number of items of the whole listing; 0 where the service does not count them.
	Total uint64 `json:"total"`
}

// PageOptions say where a listing starts and how it is paged. They are part of the options
// of listings.
type PageOptions struct {
	// Cursor resumes after a page: set it to the Cursor of the last page you handled, and
	// leave the other options as they were. In another listing, it fails with [ErrInvalid].
	// Empty starts at the first page.
	Cursor string `json:"-"`

	// Limit is the largest number of items of a page. 0 means the most that the service allows,
	// unless the method says otherwise. In packages das and parsedapi, pages are smaller where a
	// response would be too large.
	Limit int `json:"-"`

	// Prefetch requests the next page while the loop handles the current one. It starts with the
	// second page, so that the first page alone costs one request.
	Prefetch bool `json:"-"`
}
