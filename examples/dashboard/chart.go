package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/types"
)

// A span is a time that the chart can show.
type span struct {
	Name, Words string
	For, Step   time.Duration // Step is from point to point
	Row         time.Duration // from row to row of the table
}

func spans() []span {
	const day = 24 * time.Hour
	return []span{
		{"24h", "24 hours", day, 15 * time.Minute, 2 * time.Hour},
		{"7d", "7 days", 7 * day, 2 * time.Hour, day},
		{"30d", "30 days", 30 * day, 8 * time.Hour, 3 * day},
		{"90d", "90 days", 90 * day, day, 7 * day},
		{"1y", "a year", 364 * day, 4 * day, 28 * day},
	}
}

// spanOf returns the span with a name, 30 days for other names.
func spanOf(name string) span {
	all := spans()
	if i := slices.IndexFunc(all, func(s span) bool { return s.Name == name }); i >= 0 {
		return all[i]
	}
	return all[2]
}

// A point is a value at a time, and its place in a picture of 100 by 100.
type point struct {
	Time  time.Time
	Value decimal.Decimal
	X, Y  float64
}

// A mark is a line across the picture.
type mark struct {
	Text string
	Y    float64
}

// A chart is a picture of values over time.
type chart struct {
	Points []point
	Rows   []point     // of the table
	Line   string      // through the points
	Area   string      // below the line
	Marks  []mark      // of the vertical axis, from the top
	Times  []time.Time // below the picture, in the middle of each third
	Hours  bool        // whether Times are of a day
	Text   string      // the picture in words
	Flow   string      // the change over the time
}

// worth draws the value of a wallet over a time at the prices of today: its value now without
// the flow of later transactions.
func worth(total decimal.Decimal, h *history, prices map[types.Address]decimal.Decimal, now time.Time, s span) chart {
	points := []point{{Time: now, Value: total}}
	flow, entries := decimal.Zero, h.Entries
	for at := now.Add(-1).Truncate(s.Step); at.After(now.Add(-s.For)); at = at.Add(-s.Step) {
		for len(entries) > 0 && entries[0].Time.After(at) {
			flow, entries = flow.Add(entries[0].flow(prices)), entries[1:]
		}
		if h.Capped && at.Before(h.Since) {
			break
		}
		points = append(points, point{Time: at, Value: total.Sub(flow)})
	}
	slices.Reverse(points)
	return draw(points, s)
}

// flow returns the value that e added to the wallet.
func (e entry) flow(prices map[types.Address]decimal.Decimal) (sum decimal.Decimal) {
	for _, c := range e.Changes {
		sum = sum.Add(c.Net.Mul(prices[priced(c.Mint)]))
	}
	return sum
}

// draw draws points in ascending order of time.
func draw(points []point, s span) chart {
	c := chart{Points: points, Hours: s.For <= 24*time.Hour}
	first, last := points[0], points[len(points)-1]
	low, high := first.Value, first.Value
	for _, p := range points {
		low, high = decimal.Min(low, p.Value), decimal.Max(high, p.Value)
	}
	base, unit, parts := scale(low, high)
	for i := parts; i >= 0; i-- {
		c.Marks = append(c.Marks, mark{compact(base.Add(unit.Mul(decimal.NewFromInt(i)))), 100 - 100*float64(i)/float64(parts)})
	}
	var line strings.Builder
	for i := range points {
		p := &points[i]
		p.X = 100 * (float64(i) + 0.5) / float64(len(points))
		p.Y = 100 - 100*p.Value.Sub(base).Div(unit).InexactFloat64()/float64(parts)
		fmt.Fprintf(&line, "%.2f,%.2f ", p.X, p.Y)
		if i == len(points)-1 || p.Time.Equal(p.Time.Truncate(s.Row)) {
			c.Rows = append(c.Rows, *p)
		}
	}
	c.Line = line.String()
	c.Area = fmt.Sprintf("%.2f,100 %s%.2f,100", points[0].X, c.Line, points[len(points)-1].X)
	slices.Reverse(c.Rows)
	for i := 1; i < 6; i += 2 {
		c.Times = append(c.Times, points[i*(len(points)-1)/6].Time)
	}
	c.Text = fmt.Sprintf("Line chart of %s: %s at first, between %s and %s, %s now.", s.Words, money(first.Value), money(low), money(high), money(last.Value))
	c.Flow = flow(last.Value.Sub(first.Value))
	return c
}

// flow is an amount of US dollars with its sign.
func flow(d decimal.Decimal) string {
	switch {
	case d.Abs().LessThan(decimal.New(1, -2)):
		return "$0.00"
	case d.IsNegative():
		return "−" + money(d.Neg())
	default:
		return "+" + money(d)
	}
}

// scale returns the lowest mark of an axis, the distance between marks, and the number of
// distances.
func scale(low, high decimal.Decimal) (base, unit decimal.Decimal, parts int64) {
	if low.Mul(decimal.New(3, 0)).LessThan(high) {
		low = decimal.Zero // not far away
	}
	unit = decimal.New(1, -2)
	for i := 0; ; i++ {
		base = low.Div(unit).Floor().Mul(unit)
		if parts = high.Sub(base).Div(unit).IntPart() + 1; parts <= 5 {
			return base, unit, parts
		}
		// 1, 2, 2.5, 5, 10
		unit = unit.Mul([...]decimal.Decimal{decimal.New(2, 0), decimal.New(125, -2), decimal.New(2, 0), decimal.New(2, 0)}[i%4])
	}
}

// compact is an amount of US dollars in a few characters, such as $12.5k.
func compact(d decimal.Decimal) string {
	for i, unit := range []string{"b", "m", "k"} {
		if size := int32(9 - 3*i); d.Abs().GreaterThanOrEqual(decimal.New(1, size)) {
			return "$" + d.Shift(-size).String() + unit
		}
	}
	return "$" + d.String()
}
