package main

import (
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/solwire/solwire-go/rpc/das"
	"github.com/solwire/solwire-go/types"
)

// A span is a time that the chart can show.
type span struct {
	Name, Words string
	For, Step   time.Duration // Step is from point to point
}

func spans() []span {
	const day = 24 * time.Hour
	return []span{
		{"24h", "24 hours", day, 15 * time.Minute},
		{"7d", "7 days", 7 * day, 2 * time.Hour},
		{"30d", "30 days", 30 * day, 8 * time.Hour},
		{"90d", "90 days", 90 * day, day},
		{"1y", "a year", 364 * day, 4 * day},
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

// A chart is a picture of values over time.
type chart struct {
	Points    []point
	Low, High decimal.Decimal
	Rows      []point     // of the table, the latest first
	Times     []time.Time // below the picture, in the middle of each third
	Flow      string      // the change over the time
}

// worth draws the value of a wallet over a time at the prices of today: its value now without
// the flow of later transactions.
func worth(total decimal.Decimal, h *history, assets map[types.Address]*das.Asset, now time.Time, s span) chart {
	points := []point{{Time: now, Value: total}}
	flow, entries := decimal.Zero, h.Entries
	for at := now.Add(-1).Truncate(s.Step); at.After(now.Add(-s.For)); at = at.Add(-s.Step) {
		for len(entries) > 0 && entries[0].Time.After(at) {
			flow, entries = flow.Add(entries[0].flow(assets)), entries[1:]
		}
		if h.Capped && at.Before(h.Since) {
			break
		}
		points = append(points, point{Time: at, Value: total.Sub(flow)})
	}
	return draw(points)
}

// flow returns the value that e added to the wallet.
func (e entry) flow(assets map[types.Address]*das.Asset) (sum decimal.Decimal) {
	for _, c := range e.Changes {
		sum = sum.Add(c.Net.Mul(usd(assets[priced(c.Mint)]).Decimal))
	}
	return sum
}

// draw draws points, the latest first, between their lowest and highest value.
func draw(points []point) chart {
	byValue := func(a, b point) int { return a.Value.Cmp(b.Value) }
	c := chart{Points: points, Low: slices.MinFunc(points, byValue).Value, High: slices.MaxFunc(points, byValue).Value}
	for i := 0; i < len(points); i += 8 {
		c.Rows = append(c.Rows, points[i])
	}
	slices.Reverse(points)
	height := decimal.Max(c.High.Sub(c.Low), decimal.New(1, -2))
	for i := range points {
		p := &points[i]
		p.X = 100 * (float64(i) + 0.5) / float64(len(points))
		p.Y = 100 - 100*p.Value.Sub(c.Low).Div(height).InexactFloat64()
	}
	for i := 1; i < 6; i += 2 {
		c.Times = append(c.Times, points[i*(len(points)-1)/6].Time)
	}
	c.Flow = sign(points[len(points)-1].Value.Sub(points[0].Value).Round(2), money)
	return c
}
