//go:build !js

package pubsub_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/solwire/solwire-go/rpc/stream/internal/pubsub"
)

func TestConnectionsAreReplaced(t *testing.T) {
	for _, fault := range []string{"cut", "1000", "1001", "1008", "silence", "unreadable", "mute", "down"} {
		t.Run(fault, func(t *testing.T) {
			s := &server{fault: map[int]string{1: fault}, answer: func(socket int, _ string) string {
				if fault == "mute" && socket == 1 {
					return "none"
				}
				return ""
			}}
			with(t, s, func(t *testing.T, m *pubsub.Manager) {
				var got sink
				m.Subscribe(t.Context(), "xSubscribe", []any{"a"}, &got)
				after(5 * time.Minute)
				got.do(func() {
					require.Len(t, got.breaks, 1)
					require.Greater(t, got.pulses[len(got.pulses)-1], s.slot()-2)
					require.Contains(t, got.results[len(got.results)-1], fmt.Sprint(s.slot() - 1)[:3])
					require.NoError(t, got.err)
				})
				require.Equal(t, 2, s.sockets)
			})
		})
	}
}

func TestEqualSubscriptionsEndByThemselves(t *testing.T) {
	s := &server{ids: byLength}
	with(t, s, func(t *testing.T, m *pubsub.Manager) {
		var first, second, slots sink
		_, end := m.Subscribe(t.Context(), "xSubscribe", []any{"a"}, &first)
		_, endSecond := m.Subscribe(t.Context(), "xSubscribe", []any{"a"}, &second)
		_, endSlots := m.Subscribe(t.Context(), "slotSubscribe", nil, &slots)
		after(10 * time.Second)
		end()
		end()
		after(10 * time.Second)
		require.Equal(t, []string{"slotSubscribe[]", `xSubscribe["a"]`, `xSubscribe["a"]`}, s.requests)
		require.InDelta(t, len(second.results), 2*len(first.results), 2)
		require.InDelta(t, len(slots.pulses), len(slots.results), 1)
		endSecond()
		after(time.Second)
		require.Equal(t, "xUnsubscribe[10]", s.requests[3])
		endSlots() // the last
		after(time.Second)
		require.Equal(t, []websocket.StatusCode{websocket.StatusNormalClosure}, s.codes)
	})
}

// Ids may be 0 or above 2^53.
func TestIDs(t *testing.T) {
	ids := map[string]uint64{"slotSubscribe": 1<<64 - 1, "xSubscribe": 0, "ySubscribe": 1 << 60}
	with(t, &server{ids: func(method string) uint64 { return ids[method] }}, func(t *testing.T, m *pubsub.Manager) {
		var x, y sink
		m.Subscribe(t.Context(), "xSubscribe", nil, &x)
		m.Subscribe(t.Context(), "ySubscribe", nil, &y)
		after(10 * time.Second)
		for method, got := range map[string]*sink{"xSubscribe": &x, "ySubscribe": &y} {
			require.NotEmpty(t, got.results)
			for _, result := range got.results {
				require.Contains(t, result, method)
			}
			require.NotEmpty(t, got.pulses)
		}
	})
}

func TestSharedIDReachesBothSubscriptions(t *testing.T) {
	s := &server{ids: byLength}
	with(t, s, func(t *testing.T, m *pubsub.Manager) {
		var a, b sink
		_, end := m.Subscribe(t.Context(), "xSubscribe", []any{"a"}, &a)
		m.Subscribe(t.Context(), "xSubscribe", []any{"b"}, &b)
		after(5 * time.Second)
		end()
		after(5 * time.Second)
		require.NotContains(t, s.requests, "xUnsubscribe[10]")
		require.Greater(t, len(b.results), len(a.results)+10)
	})
}

// Nodes give equal subscriptions of a connection one id, which one request to unsubscribe ends.
func TestSubscriptionSurvivesTheEndOfAnEarlierOne(t *testing.T) {
	s := &server{ids: byLength, answer: func(int, string) string { time.Sleep(100 * time.Millisecond); return "" }}
	with(t, s, func(t *testing.T, m *pubsub.Manager) {
		m.Subscribe(t.Context(), "otherSubscribe", nil, new(sink))
		time.Sleep(time.Second)
		var first, second sink
		_, end := m.Subscribe(t.Context(), "xSubscribe", nil, &first)
		time.Sleep(50 * time.Millisecond)
		end() // before the answer
		m.Subscribe(t.Context(), "xSubscribe", nil, &second)
		after(5 * time.Second)
		require.Empty(t, first.results)
		require.Greater(t, len(second.results), 10)
	})
}

func TestAnswerWithoutIDIsAFailure(t *testing.T) {
	for _, answer := range []string{`"result":null`, `"result":"x"`, `"jsonrpc":"2.0"`} {
		s := &server{answer: func(socket int, method string) string {
			if socket == 1 && method == "xSubscribe" {
				return answer
			}
			return ""
		}}
		with(t, s, func(t *testing.T, m *pubsub.Manager) {
			var got sink
			m.Subscribe(t.Context(), "xSubscribe", nil, &got)
			after(10 * time.Second)
			require.Len(t, got.breaks, 1)
			require.Greater(t, len(got.results), 10)
		})
	}
}

// A refused subscription does not disturb another one for long. Nodes may also
// cut the connection instead of answering, such as to a message that is too long.
func TestRefusedSubscriptions(t *testing.T) {
	for name, test := range map[string]struct {
		answer string
		lasts  time.Duration
		err    string // a minute later; empty for none
		logged int
	}{
		"for good":          {`"error":{"code":-32600,"message":"plan"}`, 5 * time.Second, "plan", 0},
		"for a time":        {`"error":{"code":-32603,"message":"later"}`, 70 * time.Second, "", 3},
		"by cuts":           {"cut", 4 * time.Minute, "had no answer on 10 connections in a row", 0},
		"by cuts, for less": {"cut", time.Minute, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{}
			s.answer = func(_ int, method string) string {
				if method == "ySubscribe" && time.Since(s.begun) < test.lasts {
					return test.answer
				}
				return ""
			}
			with(t, s, func(t *testing.T, m *pubsub.Manager) {
				var x, y sink
				m.Subscribe(t.Context(), "xSubscribe", nil, &x)
				m.Subscribe(t.Context(), "ySubscribe", nil, &y)
				after(test.lasts + time.Minute)
				require.Equal(t, test.logged, strings.Count(s.log.String(), `msg="stream refused"`))
				require.NoError(t, x.err)
				require.Greater(t, len(x.results), 25)
				require.Less(t, len(x.breaks), 20)
				if test.err == "" {
					require.NoError(t, y.err)
					require.NotEmpty(t, y.results)
					require.NotEmpty(t, y.breaks)
				} else {
					require.ErrorContains(t, y.err, test.err)
					require.Empty(t, y.results)
				}
			})
		})
	}
}

// Gateways send refusals without the id of the request.
func TestRefusalsWithoutAnID(t *testing.T) {
	const slow, spent, plan = "rate limited: too many subscriptions", "max usage reached", "not in your plan"
	for name, id := range map[string]string{"null": `,"id":null`, "zero": `,"id":0`, "missing": "", "unknown": `,"id":77777`} {
		for _, test := range []struct {
			message string
			alone   bool // whether no other request is open
			ends    time.Duration
		}{
			{slow, true, 0},
			{slow, false, 0},
			{spent, true, time.Second},
			{spent, false, time.Second},
			{plan, true, time.Second},
			{plan, false, 3 * time.Minute},
		} {
			t.Run(fmt.Sprint(name, test), func(t *testing.T) {
				s := &server{}
				refusal := fmt.Sprintf(`{"jsonrpc":"2.0","error":{"code":-32429,"message":%q}%s}`, test.message, id)
				s.answer = func(socket int, method string) string {
					switch {
					case method == "ySubscribe" && time.Since(s.begun) < 4*time.Minute:
						return refusal
					case method == "slotSubscribe" && socket == 1 && !test.alone:
						return "none"
					}
					return ""
				}
				with(t, s, func(t *testing.T, m *pubsub.Manager) {
					var x, y sink
					m.Subscribe(t.Context(), "xSubscribe", nil, &x)
					if test.alone {
						after(10 * time.Second)
					}
					m.Subscribe(t.Context(), "ySubscribe", nil, &y)
					after(cmp.Or(test.ends, 30*time.Second))
					if test.ends == 0 {
						y.do(func() {
							require.NotEmpty(t, y.breaks)
							require.ErrorContains(t, y.breaks[0], slow)
						})
						after(8 * time.Minute)
						y.do(func() {
							require.NoError(t, y.err)
							require.NotEmpty(t, y.results)
						})
					} else {
						y.do(func() { require.ErrorContains(t, y.err, test.message) })
					}
					x.do(func() {
						if test.message == spent && !test.alone {
							require.ErrorContains(t, x.err, spent)
							return
						}
						require.NoError(t, x.err)
						require.NotEmpty(t, x.results)
					})
					if !test.alone && test.message != spent {
						require.Contains(t, s.log.String(), "stream disconnected\" reason=\"WebSocket: code -32429: "+test.message)
					}
				})
			})
		}
	}
}

func TestServerThatCutsBeforeTheFirstSlotEndsNothing(t *testing.T) {
	s := &server{}
	s.answer = func(int, string) string {
		if time.Since(s.begun) < 10*time.Minute {
			return "cut"
		}
		return ""
	}
	with(t, s, func(t *testing.T, m *pubsub.Manager) {
		var x sink
		m.Subscribe(t.Context(), "xSubscribe", nil, &x)
		after(11 * time.Minute)
		require.NoError(t, x.err)
		require.NotEmpty(t, x.results)
	})
}

// A permanent failure ends all subscriptions, at once if no connection has ever worked, and
// otherwise after two minutes.
func TestFinalRefusalsEndAll(t *testing.T) {
	for name, test := range map[string]struct {
		faults []string // of the sockets
		ends   time.Duration
	}{
		"first":             {[]string{"401", "401"}, time.Second}, // it may end before ySubscribe
		"after others":      {[]string{"down", "down", "401"}, 10 * time.Second},
		"for a while":       {[]string{"cut", "401", "401", "down", "401"}, 0},
		"after a good time": {append([]string{"cut"}, slices.Repeat([]string{"401"}, 12)...), 4 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{fault: map[int]string{}}
			for i, fault := range test.faults {
				s.fault[i+1] = fault
			}
			with(t, s, func(t *testing.T, m *pubsub.Manager) {
				var x, y, late sink
				m.Subscribe(t.Context(), "xSubscribe", nil, &x)
				m.Subscribe(t.Context(), "ySubscribe", nil, &y)
				after(cmp.Or(test.ends, 10*time.Minute))
				if test.ends == 0 {
					require.NoError(t, x.err)
					require.Greater(t, len(x.results), 100)
					return
				}
				require.ErrorIs(t, x.err, errUnauthorized)
				require.ErrorIs(t, y.err, errUnauthorized)
				clear(s.fault)
				m.Subscribe(t.Context(), "xSubscribe", nil, &late) // with a new connection
				after(time.Minute)
				require.NotEmpty(t, late.results)
			})
		})
	}
}

func TestConnectionsAreLimited(t *testing.T) {
	s := &server{}
	with(t, s, func(t *testing.T, m *pubsub.Manager) {
		var sinks [7]sink
		for i := range sinks {
			m.Subscribe(t.Context(), "xSubscribe", []any{i}, &sinks[i])
		}
		after(5 * time.Second)
		require.ErrorContains(t, sinks[6].err, "MaxWebSockets")
		require.Equal(t, 2, s.sockets)
		require.Equal(t, 4, s.most) // one of them shows that the connection is alive
		for i := range sinks[:6] {
			require.NotEmpty(t, sinks[i].results)
		}
		ctx, end := m.Subscribe(t.Context(), "xSubscribe", nil, new(sink))
		defer end()
		m.Close()
		synctest.Wait()
		require.ErrorIs(t, context.Cause(ctx), pubsub.ErrClosed)
		m.Subscribe(t.Context(), "xSubscribe", nil, &sinks[6])
		require.ErrorIs(t, sinks[6].err, pubsub.ErrClosed)
	})
}
