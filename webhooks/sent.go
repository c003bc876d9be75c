package webhooks

import (
	"strings"
	"sync"

	"github.com/solwire/solwire-go/types"
)

// sent has the settings that a Client wrote and that the service may not return, for
// each webhook that has any. Without them, the next write would reset them.
type sent struct {
	mu   sync.Mutex
	byID map[string]unreturned
}

type unreturned struct {
	encoding types.Encoding
	outcome  types.Outcome
}

func (m *sent) note(id string, s Settings) {
	m.mu.Lock()
	defer m.mu.Unlock()
	id = strings.ToLower(id)
	u := unreturned{s.Encoding, s.Outcome}
	if u == (unreturned{}) {
		delete(m.byID, id)
		return
	}
	if m.byID == nil {
		m.byID = make(map[string]unreturned)
	}
	m.byID[id] = u
}

// restore sets what the service did not return.
func (m *sent) restore(id string, s *Settings) {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.byID[strings.ToLower(id)]
	if s.Encoding == "" {
		s.Encoding = u.encoding
	}
	if s.Outcome == "" {
		s.Outcome = u.outcome
	}
}
