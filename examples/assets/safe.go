package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// safe escapes control characters, which may be commands to a terminal, and bidirectional
// marks, which change the visible order. JSON decodes to the same characters.
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
