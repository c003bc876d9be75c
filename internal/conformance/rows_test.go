package conformance_test

import (
	"context"
	"slices"
	"strings"

	"github.com/solwire/solwire-go/types"
)

// A row describes an operation.
type row struct {
	method   string    // Go name: wallet.Client.Balances
	wire     string    // wire name: GET /v1/wallet/{wallet}/balances
	section  string    // the heading of its table in the page of the area in docs
	does     string    // its purpose there; one row of a method has it
	golden   string    // path of the files in internal/golden, without extension
	minimal  call      // the call without options
	full     call      // the call with every option; nil without options
	answer   string    // path of the result in the response; empty for the whole response
	beside   []string  // members for paging that the result does not hold
	renamed  [2]string // a member of the response and its name in the result, where they differ
	keys     []string  // paths by which entries are matched to arguments
	needs    []string  // paths that a response must have
	maps     []string  // paths of objects whose members have any names
	null     null      // what a null result means
	refused  []refusal // invalid arguments
	list     *listing  // how to read the list; nil unless this is a listing
	unlisted string    // why the suite cannot read the list of a listing
	changes  bool      // creates or removes something
	small    bool      // has no number above 2^53
	checks   bool      // may send further requests to check a response
}

type call func(context.Context, *clients) (any, error)

// null is the meaning of a null result.
type null int

const (
	nullIsError null = iota
	nullIsNotFound
	nullIsAnswer
)

// A refusal is a call that fails before anything is sent.
type refusal struct {
	call call
	says string // the error text between the method and "invalid argument"
}

const (
	owner     = "BtJ5rdXcZs8hVqK2nTyWfMgPe7UDAoLx3Ri9GQk6uHSv"
	walletKey = "86xCnPeV69n6t3DnyGvkKobf9FdN2H9oiVDdaMpo2MMY"
	delegate  = "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T"
	mint      = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	exchange  = "HXsKP7wrBWaQ8T2Vtjry3Nj3oUgwYcqq9vrHDM12G664"
	hookID    = "582dcf85-fa9f-4c0d-93b4-1b6e4b4e7f1a"
)

// rows returns the table of requests.
func rows() []row {
	return slices.Concat(compressedRows(), dasRows(), parsedRows(), rpcRows(), walletRows(), webhooksRows())
}

// everyRow returns the whole table, and the streams.
func everyRow() []row { return append(rows(), streamRows()...) }

// streams reports whether the operation is a subscription. Its golden files are the
// requests to subscribe; what a stream delivers is tested in its package.
func (r row) streams() bool { return strings.HasPrefix(r.method, "stream.") }

// badAddress returns the refusals of an address argument.
func badAddress(name string, f func(context.Context, *clients, types.Address) (any, error)) []refusal {
	with := func(a types.Address) call {
		return func(ctx context.Context, c *clients) (any, error) { return f(ctx, c, a) }
	}
	return []refusal{
		{with(""), name + " is empty"},
		{with("short"), name + ` "short": address has length 5, not 32 to 44`},
		{with("0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl"), name + ` "0OIl0OIl0OIl0OIl0OIl0OIl0OIl0OIl": address is not base58`},
		{with("toly.sol"), name + ` "toly.sol" is a domain name; resolve it with wallet.Client.Identity`},
	}
}
