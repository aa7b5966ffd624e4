// Command own-pattern is contend with one more pattern, stride: every process
// sends to the process a stride ahead of it, and then to the one as far behind.
package main

import (
	"contend"
	"contend/patterns"
)

func main() {
	r := contend.Builtin()
	r.Patterns = append(r.Patterns, contend.Pattern{
		Name: "stride", Doc: "every process to the one a stride ahead, then to the one as far behind",
		Parameters: []contend.Parameter{{
			Name: "by", Type: contend.Integer, Default: "1", Min: "1", Unit: "processes", Doc: "the stride",
		}},
		New: func(v contend.Values, j contend.PatternJob) (patterns.Pattern, error) {
			return stride{n: j.Processes, by: v.Int("by") % j.Processes, flits: j.Flits}, nil
		},
	})
	contend.Main(r)
}

// stride is one iteration of the pattern. A process that would send to itself
// has no partner.
type stride struct {
	n, by int
	flits int32
}

// Phases implements patterns.Pattern: a phase begins when all messages of the
// phase before have arrived.
func (s stride) Phases() int { return 2 }

// Messages implements patterns.Pattern.
func (s stride) Messages() int64 {
	if s.by == 0 {
		return 0
	}
	return int64(2 * s.n)
}

// Phase implements patterns.Pattern.
func (s stride) Phase(dst []patterns.Message, k int) []patterns.Message {
	to := s.by
	if k == 1 {
		to = s.n - s.by
	}
	if s.by == 0 {
		return dst
	}
	for from := range s.n {
		m := patterns.Message{From: patterns.Rank(from), Flits: s.flits}
		m.To = patterns.Rank((from + to) % s.n)
		dst = append(dst, m)
	}
	return dst
}
