package decode

import (
	"bytes"
	"strings"
)

// maxNumber limits the characters of a number. Real numbers have at most 20. A decimal of
// 16 384 digits takes half a millisecond to decode, one of a million digits 1.7 s.
const maxNumber = 16 << 10

// longNumber reports whether body has a run of more than maxNumber numeric characters
// outside strings, or anywhere if texts is set. Such a run covers a multiple of
// maxNumber, so only the surroundings of those offsets are read.
func longNumber(body []byte, texts bool) bool {
	text := 0 // the end of the strings that were skipped
	for i := 0; i < len(body); i += maxNumber {
		start, end := number(body, i)
		if end-start <= maxNumber {
			continue
		}
		if texts {
			return true
		}
		for text <= start {
			quote := bytes.IndexByte(body[text:], '"')
			if quote < 0 || text+quote > start {
				return true
			}
			text = endOfText(body, text+quote) + 1
		}
		i = text - maxNumber // continue after the string
	}
	return false
}

// number returns the start and end of the run of numeric characters around i.
func number(body []byte, i int) (start, end int) {
	start, end = i, i
	for start > 0 && numeric(body[start-1]) {
		start--
	}
	for end < len(body) && numeric(body[end]) {
		end++
	}
	return start, end
}

func numeric(c byte) bool {
	switch c {
	case '+', '-', '.', 'e', 'E':
		return true
	}
	return '0' <= c && c <= '9'
}

// maxExponent limits the exponent of a decimal, since arithmetic with larger ones
// takes unbounded time and memory. shopspring/decimal has the same limit, but in a
// variable that a program can raise: only then are exponents looked for.
const maxExponent = 10_000

// hugeExponent reports whether a number in body, quoted or not, has an exponent beyond
// maxExponent. Such an exponent has at least five digits, so only every fifth byte is
// read, and the surroundings of those that are one of five digits.
func hugeExponent(body []byte) bool {
	for i := 4; i < len(body); i += 5 {
		if !digit(body[i]) || !digit(body[i-2]) && (i+2 >= len(body) || !digit(body[i+2])) {
			continue
		}
		start, end := i, i
		for start > 0 && digit(body[start-1]) {
			start--
		}
		for end < len(body) && digit(body[end]) {
			end++
		}
		i = end // the next sample is the fifth byte after these digits
		e := start - 1
		if e > 0 && (body[e] == '+' || body[e] == '-') {
			e--
		}
		if e < 1 || body[e]|0x20 != 'e' || !digit(body[e-1]) && body[e-1] != '.' || !beyond(body[e+1:]) {
			continue
		}
		if start, end := number(body, e); isolated(body, start, end) {
			return true
		}
	}
	return false
}

// beyond reports whether text starts with an exponent beyond maxExponent.
func beyond(text []byte) bool {
	if len(text) > 0 && (text[0] == '+' || text[0] == '-') {
		text = text[1:]
	}
	n := 0
	for _, c := range text {
		if !digit(c) {
			break
		}
		if n = 10*n + int(c-'0'); n > maxExponent {
			return true
		}
	}
	return false
}

// isolated reports whether body[start:end] is a whole value and not part of a string.
func isolated(body []byte, start, end int) bool {
	quotedStart, quotedEnd := start > 0 && body[start-1] == '"', end < len(body) && body[end] == '"'
	if quotedStart || quotedEnd {
		return quotedStart && quotedEnd
	}
	around := func(i int) bool {
		return i < 0 || i >= len(body) || strings.IndexByte(" \t\r\n:,[]{}", body[i]) >= 0
	}
	return around(start-1) && around(end)
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
