// Package conformance has a table with one row per operation of this module, and one test suite
// that runs against every row. It tests requests and responses on the wire, refused arguments,
// null and unknown members, paging, cancellation and retries. No error or log record may contain
// the API key. The suite fails for an operation without a row. It also fails for a row without
// its golden files, its Example, its wire line or its line in docs.
package conformance
