// Package conformance has a table with one row per operation of this module, and
// one test suite that runs against every row: requests and responses on the wire,
// refused arguments, null and unknown members, paging, cancellation, retries, and
// that no error or log record contains the API key. The suite fails for an
// operation without a row, and for a row without its golden files, its Example,
// its wire line or its line in docs.
package conformance
