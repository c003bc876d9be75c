// Package prometheus has collectors of client_golang for the credits of a types.Meter, the
// connections and loops of a stream.Client, and the state of a keeper.Keeper.
//
//	registry.MustRegister(
//		prometheus.Meter(cfg.Meter),
//		prometheus.Streams(streams.Status),
//		prometheus.Keeper(k.Status),
//		observer, // of the Keeper: see NewObserver
//	)
//
// It is a module of its own, so that programs without Prometheus do not depend on it.
package prometheus

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/solwire/solwire-go/rpc/stream"
	"github.com/solwire/solwire-go/types"
	"github.com/solwire/solwire-go/webhooks"
	"github.com/solwire/solwire-go/webhooks/keeper"
)

// A collector sends metrics without describing them first.
type collector func(send func(name, help string, kind prometheus.ValueType, value float64, labels ...string))

// Describe describes nothing, since the metrics depend on the state.
func (collector) Describe(chan<- *prometheus.Desc) {}

// Collect sends the metrics. Labels are pairs of a name and a value.
func (c collector) Collect(to chan<- prometheus.Metric) {
	c(func(name, help string, kind prometheus.ValueType, value float64, labels ...string) {
		var names, values []string
		for i := 0; i < len(labels); i += 2 {
			names, values = append(names, labels[i]), append(values, labels[i+1])
		}
		to <- prometheus.MustNewConstMetric(prometheus.NewDesc("solwire_"+name, help, names, nil), kind, value, values...)
	})
}

// Meter collects the credits of calls, by operation.
func Meter(m *types.Meter) prometheus.Collector {
	return collector(func(send func(string, string, prometheus.ValueType, float64, ...string)) {
		for _, s := range m.Spent() {
			send("credits_total", "Credits that calls cost, by operation.", prometheus.CounterValue, float64(s.Credits), "operation", s.Op)
			send("responses_total", "Responses that cost credits, by operation.", prometheus.CounterValue, float64(s.Responses), "operation", s.Op)
		}
		if m.Limit > 0 {
			send("credits_limit", "Credits of the budget.", prometheus.GaugeValue, float64(m.Limit))
		}
	})
}

// Streams collects the connections and the loops of a client of streams; status is its
// Status method.
func Streams(status func() stream.Status) prometheus.Collector {
	return collector(func(send func(string, string, prometheus.ValueType, float64, ...string)) {
		s := status()
		send("stream_fill_credits", "Credits spent on filling gaps within the hour.", prometheus.GaugeValue, float64(s.CreditsSpent))
		for i, c := range s.Connections {
			connection := strconv.Itoa(i)
			send("stream_connection_up", "Whether a connection has slots.", prometheus.GaugeValue, number(!c.Since.IsZero()), "connection", connection)
			send("stream_connection_behind_slots", "Slots that a connection is behind the chain.", prometheus.GaugeValue, float64(c.Behind), "connection", connection)
			send("stream_connection_subscriptions", "Subscriptions of a connection.", prometheus.GaugeValue, float64(c.Subscriptions), "connection", connection)
			send("stream_reconnects_total", "Attempts to connect again.", prometheus.CounterValue, float64(c.Reconnects), "connection", connection)
		}
		for i, l := range s.Loops {
			labels := []string{"loop", strconv.Itoa(i), "operation", l.Op}
			send("stream_loop_slot", "Slot of the last event of a loop.", prometheus.GaugeValue, float64(l.Slot), labels...)
			send("stream_loop_filling", "Whether a loop fills a gap.", prometheus.GaugeValue, number(l.Filling != nil), labels...)
			send("stream_unreadable_events_total", "Events that could not be read.", prometheus.CounterValue, float64(l.Unreadable), labels...)
		}
	})
}

// Keeper collects the state of a Keeper; status is its Status method.
func Keeper(status func() keeper.Status) prometheus.Collector {
	return collector(func(send func(string, string, prometheus.ValueType, float64, ...string)) {
		s := status()
		gauge := func(name, help string, value float64, labels ...string) {
			send("keeper_"+name, help, prometheus.GaugeValue, value, labels...)
		}
		gauge("up", "Whether the Keeper has no problems.", number(len(s.Problems) == 0))
		gauge("processes", "Processes that share the Store.", float64(s.Processes))
		gauge("addresses_behind", "Addresses that were not listed in time.", float64(s.Behind))
		gauge("pending_events", "Events that are not handled yet.", float64(s.Pending))
		gauge("dead_letters", "Events that were given up.", float64(s.DeadLetters))
		if !s.Oldest.IsZero() {
			gauge("oldest_pending_timestamp_seconds", "Since when the oldest event is pending.", float64(s.Oldest.Unix()))
		}
		if !s.Delivered.IsZero() {
			gauge("delivered_timestamp_seconds", "The last delivery.", float64(s.Delivered.Unix()))
		}
		for _, p := range s.Problems {
			gauge("problem_since_timestamp_seconds", "Since when a problem lasts, by cause.", float64(p.Since.Unix()), "cause", string(p.Cause))
		}
	})
}

// An Observer counts the deliveries and events of a process: set it as the Observer of a
// keeper.Config or a webhooks.ReceiverConfig, and register it.
type Observer struct{ received, refused, ended *prometheus.CounterVec }

// NewObserver returns an Observer of one Keeper or Receiver.
func NewObserver() *Observer {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "solwire_webhook_" + name, Help: help}, labels)
	}
	return &Observer{
		counter("received_events_total", "Events of deliveries."),
		counter("refused_deliveries_total", "Refused deliveries, by status.", "status"),
		counter("events_total", "Events whose processing has ended, by outcome.", "outcome"),
	}
}

// Received counts the events of a delivery.
func (o *Observer) Received(events int) { o.received.WithLabelValues().Add(float64(events)) }

// Refused counts a refused delivery.
func (o *Observer) Refused(status int, _ error) {
	o.refused.WithLabelValues(strconv.Itoa(status)).Inc()
}

// Ended counts the outcome of an event.
func (o *Observer) Ended(_ *webhooks.Event, outcome webhooks.Outcome, _ error) {
	o.ended.WithLabelValues(outcome.String()).Inc()
}

// Describe describes the counters.
func (o *Observer) Describe(to chan<- *prometheus.Desc) {
	for _, c := range o.counters() {
		c.Describe(to)
	}
}

// Collect sends the counters.
func (o *Observer) Collect(to chan<- prometheus.Metric) {
	for _, c := range o.counters() {
		c.Collect(to)
	}
}

func (o *Observer) counters() []*prometheus.CounterVec {
	return []*prometheus.CounterVec{o.received, o.refused, o.ended}
}

func number(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
