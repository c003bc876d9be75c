package webhooks

// Locked returns how many webhooks c holds a lock for.
func Locked(c *Client) int {
	c.changes.mu.Lock()
	defer c.changes.mu.Unlock()
	return len(c.changes.all)
}

// Generation is how often a Receiver without Seen forgets events.
const Generation = generation

// Remembered returns how many events r remembers as handled.
func Remembered(r *Receiver) int {
	m, _ := r.cfg.Seen.(*memoryRecord)
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.events)
}

// InFlight returns how many events r is handling.
func InFlight(r *Receiver) int {
	r.flights.mu.Lock()
	defer r.flights.mu.Unlock()
	return len(r.flights.all)
}
