package decode

// LongNumber is longNumber.
var LongNumber = longNumber

// Refuses reports whether decoding body into v would take too much time or memory.
func Refuses(body []byte, v any) bool { return costOf(v).check(body) != nil }
