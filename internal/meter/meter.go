// Package meter gives clients access to the counts of a types.Meter, which has no exported
// methods for it: programs only read their meters.
package meter

// Functions of a *types.Meter, which this package cannot import. Package types sets them.
type Functions struct {
	Add     func(meter any, op string, credits, reserved uint64) // counts a response, some reserved
	Reserve func(meter any, credits uint64) bool                 // unless credits exceed the limit
	Release func(meter any, credits uint64)                      // gives them back
}

var functions Functions

// Add counts one response of an operation in a *types.Meter, and ends the reservation of some
// of its credits.
func Add(meter any, op string, credits, reserved uint64) {
	functions.Add(meter, op, credits, reserved)
}

// Reserve sets credits aside until Release, and reports whether the limit allows it.
func Reserve(meter any, credits uint64) bool { return functions.Reserve(meter, credits) }

// Release gives back the credits of Reserve.
func Release(meter any, credits uint64) { functions.Release(meter, credits) }

// Export sets the functions. Package types calls it once.
func Export(f Functions) bool {
	functions = f
	return true
}
