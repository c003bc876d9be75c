package argument

// Options returns a copy of options, so that later changes by the caller have no effect;
// nil is the zero value.
func Options[O any](opts *O) O {
	if opts == nil {
		var none O
		return none
	}
	return *opts
}
