package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// safe escapes what a terminal may take for a command, or shows in another order:
// control characters and marks of direction. In JSON they stay the same characters.
func safe(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch high, low := utf16.EncodeRune(r); {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
