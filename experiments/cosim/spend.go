package cosim

import (
	"time"

	"contend/experiments/spec"
)

// spent is the time that went into messages of a pattern alone. Runs share these times: the first
// run that needs one computes it (see alone.iteration). In studies of generated jobs that is a
// good part of the work, all of it in the first runs, so a forecast counts it separately.
type spent struct {
	messages float64
	seconds  float64
}

// spend records time that went into messages of a pattern alone.
func (s *Simulator) spend(pattern string, messages int64, t time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.spent == nil {
		s.spent = map[string]spent{}
	}
	x := s.spent[pattern]
	s.spent[pattern] = spent{x.messages + float64(messages), x.seconds + t.Seconds()}
}

// Rate returns the seconds of real time that the simulation of a message alone takes. It is the
// mean of a pattern, or of all patterns if that is unknown, or 0 if nothing is known.
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

// Has reports whether a time alone has been computed or is being computed.
func (s *Simulator) Has(key AloneKey) bool { return s.shared.alone.has(key) }
