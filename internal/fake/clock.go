package fake

import "time"

// The time of a world without a clock, and the slot of that time.
const epochSlot = 344_112_233

func epoch() time.Time { return time.Date(2025, time.June, 2, 15, 4, 5, 0, time.UTC) }

// slotsPerSecond is the pace of the blocks.
const slotsPerSecond = 2.5

// Start fixes the moment up to which the world has a past. The first request does
// so otherwise.
func (s *Service) Start() { s.started() }

// now returns the time of the world.
func (s *Service) now() time.Time {
	if s.Clock == nil {
		return epoch()
	}
	return s.Clock().UTC()
}

func (s *Service) started() time.Time {
	s.once.Do(func() { s.start = s.now() })
	return s.start
}

// slotAt returns the slot of a time. Slots go on from the real ones, unless the
// clock is behind that time, as in a bubble of testing/synctest.
func (s *Service) slotAt(t time.Time) uint64 {
	start := s.started()
	at := float64(epochSlot)
	if past := start.Sub(epoch()); past > 0 {
		at += past.Seconds() * slotsPerSecond
	}
	return uint64(max(1, at+t.Sub(start).Seconds()*slotsPerSecond))
}

// slot returns the newest finalized slot.
func (s *Service) slot() uint64 { return s.slotAt(s.now()) }
