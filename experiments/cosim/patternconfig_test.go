package cosim

import (
	"testing"

	"contend/experiments/spec"
)

// The class of a name wins over job.class, and all keys get to the pattern.
func TestPatternConfig(t *testing.T) {
	s := spec.DefaultSpec()
	s.Job.Class, s.Job.Scale, s.Job.Bytes, s.Network.FlitBytes = "W", 0.5, 99, 4
	for class, want := range map[string]string{"": "W", "B": "B"} {
		c := s.PatternConfig(spec.Weighted{Name: "npb-bt", Class: class})
		if c.Class != want || c.Scale != 0.5 || c.Bytes != 99 || c.FlitBytes != 4 {
			t.Errorf("class %q: %+v", class, c)
		}
	}
}
