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

// slotAt returns the slot of a time.
func (s *Service) slotAt(t time.Time) uint64 {
	return uint64(max(1, s.startSlot()+t.Sub(s.started()).Seconds()*slotsPerSecond))
}

// timeAt returns the middle of a slot.
func (s *Service) timeAt(slot uint64) time.Time {
	since := (float64(slot) + 0.5 - s.startSlot()) / slotsPerSecond
	return s.started().Add(time.Duration(since * float64(time.Second)))
}

// startSlot returns the slot of the start, and how much of it had passed. Slots go on
// from the real ones, unless the clock is behind that time, as in a bubble of
// testing/synctest.
func (s *Service) startSlot() float64 {
	past := s.started().Sub(epoch())
	return epochSlot + max(0, past.Seconds())*slotsPerSecond
}

// slot returns the newest finalized slot.
func (s *Service) slot() uint64 { return s.slotAt(s.now()) }
