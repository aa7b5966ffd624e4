package cosim

import (
	"time"

	"contend/experiments/spec"
)

// Runs share what patterns take alone (see alone.iteration): whichever run asks
// first computes it. In studies of generated jobs that is a good part of the
// work, all of it in the first runs, so a forecast counts it apart from them.

// spent is time that went into messages of a pattern alone.
type spent struct {
	messages float64
	seconds  float64
}

func (s *Simulator) spend(pattern string, messages int64, t time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.spent == nil {
		s.spent = map[string]spent{}
	}
	x := s.spent[pattern]
	s.spent[pattern] = spent{x.messages + float64(messages), x.seconds + t.Seconds()}
}

// Rate returns the seconds a message takes, of a pattern or, where nothing is
// known of that, of all.
func (s *Simulator) Rate(pattern string) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.spent[pattern]
	if x.messages == 0 {
		for _, name := range spec.SortedKeys(s.spent) {
			x.messages += s.spent[name].messages
			x.seconds += s.spent[name].seconds
		}
	}
	if x.messages == 0 {
		return 0
	}
	return x.seconds / x.messages
}

// Has tells whether what a pattern takes alone has been computed, or is being
// computed.
func (s *Simulator) Has(key AloneKey) bool { return s.shared.alone.has(key) }
