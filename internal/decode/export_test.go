package decode

// LongNumber is longNumber.
var LongNumber = longNumber

// Exceeds reports whether decoding body into v would take too much memory.
func Exceeds(body []byte, v any) bool { return costOf(v).exceeds(body) }
