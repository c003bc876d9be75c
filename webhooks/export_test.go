package webhooks

// Locked returns how many webhooks c holds a lock for.
func Locked(c *Client) int { return c.changes.count() }

// Generation is how often a Receiver without Seen forgets events.
const Generation = generation

// Remembered returns how many events r remembers as handled.
func Remembered(r *Receiver) int {
	m, _ := r.cfg.Seen.(*memory)
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.done)
}

// InFlight returns how many events r is handling.
func InFlight(r *Receiver) int { return r.flights.count() }

func (f *flights) count() (n int) {
	for range f.all.Range {
		n++
	}
	return n
}
