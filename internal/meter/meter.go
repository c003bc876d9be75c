// Package meter lets the clients count credits in a types.Meter, which has no exported
// method for it: programs only read their meters.
package meter

// add is set by package types, which this package cannot import.
var add func(meter any, op string, credits uint64)

// Add counts one response of an operation in a *types.Meter.
func Add(meter any, op string, credits uint64) { add(meter, op, credits) }

// Export makes the function that Add calls known. Package types calls it once.
func Export(f func(meter any, op string, credits uint64)) bool {
	add = f
	return true
}
