package main

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"time"

	"github.com/go-analyze/charts"
	"github.com/shopspring/decimal"
)

// A point is a value at a time.
type point struct {
	Time  time.Time
	Value decimal.Decimal
}

// A chart is a picture of values over time.
type chart struct {
	Source   template.URL // the SVG
	Variants []variant    // for other screens
	Text     string       // the picture in words
	Rows     []row        // some of its values
	From, To string       // the first and the last day
	Change   string       // of the value, in words
	Down     bool
}

// A variant is a chart for a kind of screen.
type variant struct {
	Media  string
	Source template.Srcset
}

// A row is a value of a chart as text.
type row struct{ Day, Value string }

// draw draws points in ascending order of time. Each value lasts until the next one.
func draw(points []point, now time.Time) (*chart, error) {
	const steps = 90
	first, last := points[0], points[len(points)-1]
	values, days := make([]float64, steps+1), make([]string, steps+1)
	c, low, high, i := new(chart), first.Value, first.Value, 0
	label, day := "2 Jan", "2 Jan 2006"
	switch span := last.Time.Sub(first.Time); {
	case span < 48*time.Hour:
		label, day = "15:04", "2 Jan 2006, 15:04"
	case span > 300*24*time.Hour:
		label = "Jan 2006"
	}
	for step := range values {
		at := first.Time.Add(last.Time.Sub(first.Time) / steps * time.Duration(step))
		for step == steps && i < len(points)-1 || i < len(points)-1 && !points[i+1].Time.After(at) {
			i++
		}
		v := points[i].Value
		low, high = decimal.Min(low, v), decimal.Max(high, v)
		values[step] = v.InexactFloat64()
		if step%(steps/6) == 0 {
			c.Rows = append(c.Rows, row{at.UTC().Format(day), money(v)})
		}
		if step%(steps/3) == steps/6 {
			days[step] = at.UTC().Format(label)
		}
	}
	c.From, c.To = c.Rows[0].Day, c.Rows[len(c.Rows)-1].Day
	c.setChange(points, now)
	c.Text = fmt.Sprintf("Line chart from %s to %s: %s at first, between %s and %s, %s at last.",
		c.From, c.To, money(first.Value), money(low), money(high), money(last.Value))
	for _, v := range []struct {
		media string
		width int
		dark  bool
	}{
		{"(max-width: 30rem) and (prefers-color-scheme: dark)", 360, true},
		{"(max-width: 30rem)", 360, false},
		{"(prefers-color-scheme: dark)", 760, true},
		{"", 760, false},
	} {
		link, err := svg(values, days, v.width, v.dark)
		if err != nil {
			return nil, err
		}
		if v.media == "" {
			c.Source = template.URL(link) //nolint:gosec // drawn here
			break
		}
		c.Variants = append(c.Variants, variant{v.media, template.Srcset(link)}) //nolint:gosec // drawn here
	}
	return c, nil
}

// setChange says how the value has changed within a day, or since the first point if that
// is later.
func (c *chart) setChange(points []point, now time.Time) {
	before, since := points[0], "since "+points[0].Time.UTC().Format("2 Jan, 15:04 UTC")
	for _, p := range points {
		if !p.Time.After(now.Add(-24 * time.Hour)) {
			before, since = p, "in 24 hours"
		}
	}
	change := points[len(points)-1].Value.Sub(before.Value)
	c.Down = change.IsNegative()
	sign := "+"
	if c.Down {
		sign = "−"
	}
	c.Change = sign + money(change.Abs())
	if change.Abs().LessThan(decimal.New(1, -2)) {
		c.Change = "No change"
	} else if before.Value.IsPositive() {
		c.Change += " (" + sign + change.Abs().Shift(2).DivRound(before.Value, 2).String() + " %)"
	}
	c.Change += " " + since
}

// svg returns a link that contains the picture. Its inline styles, which the policy of the
// page forbids, are allowed in an image.
func svg(values []float64, days []string, width int, dark bool) (string, error) {
	text, line, area := charts.ColorFromHex("#5b6475"), charts.ColorFromHex("#e3e7ee"), charts.ColorFromHex("#5b3df5")
	if dark {
		text, line, area = charts.ColorFromHex("#a7b0c0"), charts.ColorFromHex("#2a3140"), charts.ColorFromHex("#9d86ff")
	}
	theme := charts.MakeTheme(charts.ThemeOption{
		IsDarkMode: dark, AxisStrokeColor: line, AxisSplitLineColor: line, TextColor: text,
		BackgroundColor: charts.ColorTransparent, SeriesColors: []charts.Color{area},
	})
	option := charts.NewLineChartOptionWithData([][]float64{values})
	option.Theme = theme
	option.Padding = charts.NewBoxEqual(8)
	option.FillArea = charts.Ptr(true)
	option.FillOpacity = 40
	option.LineStrokeWidth = 2
	option.Symbol = charts.Symbol{Shape: charts.SymbolNone}
	option.YAxis = []charts.YAxisOption{{Min: charts.Ptr(0.0)}}
	option.XAxis.Labels = days
	option.XAxis.LabelCount = len(days)
	option.XAxis.BoundaryGap = charts.Ptr(false)
	option.ValueFormatter = func(v float64) string { return "$" + grouped(decimal.NewFromFloat(v).StringFixed(0)) }
	painter := charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputSVG, Width: width, Height: 260, Theme: theme})
	if err := painter.LineChart(option); err != nil {
		return "", err
	}
	b, err := painter.Bytes()
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(b), err
}
