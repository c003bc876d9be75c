package webhooks

import (
	"cmp"
	"strings"
	"sync"
)

// sent remembers Encoding and Outcome as a Client wrote them, by the ID of the webhook. If the
// service does not return them, the next write would reset them.
type sent struct{ byID sync.Map }

func (m *sent) note(id string, s Settings) {
	m.byID.Store(strings.ToLower(id), Settings{Encoding: s.Encoding, Outcome: s.Outcome})
}

// restore sets the settings that the service did not return.
func (m *sent) restore(id string, s *Settings) {
	v, _ := m.byID.Load(strings.ToLower(id))
	u, _ := v.(Settings)
	s.Encoding, s.Outcome = cmp.Or(s.Encoding, u.Encoding), cmp.Or(s.Outcome, u.Outcome)
}
