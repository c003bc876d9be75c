package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// A point is a value at a time.
type point struct {
	Time  time.Time
	Value decimal.Decimal
}

// A chart is a picture of values over time, for an SVG of 100 by 100.
type chart struct {
	Points []point
	Line   string   // through the points
	Marks  []string // of the vertical axis, from the top to 0
	Times  []string // below the picture, in the middle of each third
	Text   string   // the picture in words
	Change string   // of the value, in words
	Class  string   // in or out, for a change of at least a cent
}

// draw draws points in ascending order of time. Each value lasts until the next one.
func draw(points []point) chart {
	c := chart{Points: points}
	first, last := points[0], points[len(points)-1]
	low, high := first.Value, first.Value
	for _, p := range points {
		low, high = decimal.Min(low, p.Value), decimal.Max(high, p.Value)
	}
	unit, parts := decimal.New(1, -2), decimal.New(4, 0) // of the axis
	for i := 0; unit.Mul(parts).LessThan(high); i++ {
		unit = unit.Mul([...]decimal.Decimal{decimal.New(25, -1), decimal.New(2, 0), decimal.New(2, 0)}[i%3]) // 1, 2.5, 5, 10
	}
	for ; !parts.IsNegative(); parts = parts.Sub(decimal.New(1, 0)) {
		c.Marks = append(c.Marks, "$"+grouped(unit.Mul(parts).String()))
	}
	span := max(last.Time.Sub(first.Time), 1)
	label := "2 Jan"
	switch {
	case span < 48*time.Hour:
		label = "15:04"
	case span > 300*24*time.Hour:
		label = "Jan 2006"
	}
	for at := first.Time.Add(span / 6); len(c.Times) < 3; at = at.Add(span / 3) {
		c.Times = append(c.Times, at.UTC().Format(label))
	}
	height := func(p point) float64 { return 100 - 25*p.Value.Div(unit).InexactFloat64() }
	var line strings.Builder
	for i, p := range points {
		x := 100 * float64(p.Time.Sub(first.Time)) / float64(span)
		fmt.Fprintf(&line, "%.2f,%.2f %.2f,%.2f ", x, height(points[max(i-1, 0)]), x, height(p))
	}
	c.Line = line.String()
	c.Text = fmt.Sprintf("Line chart from %s to %s: %s at first, between %s and %s, %s at last.",
		when(first.Time), when(last.Time), money(first.Value), money(low), money(high), money(last.Value))

	before, since := first, "since "+first.Time.UTC().Format("2 Jan, 15:04 UTC")
	for _, p := range points {
		if !p.Time.After(last.Time.Add(-24 * time.Hour)) {
			before, since = p, "in 24 hours"
		}
	}
	change, sign := last.Value.Sub(before.Value), "+"
	c.Class = "in"
	if change.IsNegative() {
		c.Class, sign = "out", "−"
	}
	c.Change = sign + money(change.Abs())
	if change.Abs().LessThan(decimal.New(1, -2)) {
		c.Change, c.Class = "No change", ""
	} else if before.Value.IsPositive() {
		c.Change += " (" + sign + change.Abs().Shift(2).DivRound(before.Value, 2).String() + " %)"
	}
	c.Change += " " + since
	return c
}
