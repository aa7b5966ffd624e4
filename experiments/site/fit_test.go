package site

import (
	"slices"
	"strings"
	"testing"
)

// Moments become fewer for all sizes of messages before one is left out, the costliest first.
func TestFitOfASite(t *testing.T) {
	for _, c := range []struct {
		seconds [3]float64 // of a moment with 1, 2 and 3 KiB
		limit   float64
		moments int
		sizes   []string
		notes   string
	}{
		{[...]float64{1, 2, 3}, 180, 30, []string{"1KiB", "2KiB", "3KiB"},
			"30 moments fit into --minutes 3; 40, with narrower intervals, take --minutes 4"},
		{[...]float64{0.1, 0.1, 0.1}, 180, 40, []string{"1KiB", "2KiB", "3KiB"}, ""},
		{[...]float64{1, 2, 19}, 180, 8, []string{"1KiB", "2KiB", "3KiB"},
			"8 moments fit into --minutes 3; 40, with narrower intervals, take --minutes 15"},
		{[...]float64{20, 2, 1}, 180, 40, []string{"2KiB", "3KiB"},
			"messages of 1KiB are left out: 8 moments of all sizes take --minutes 3.1"},
		{[...]float64{10, 30, 40}, 60, 8, []string{"1KiB"},
			"messages of 2KiB and 3KiB are left out: 8 moments of all sizes take --minutes 11\n" +
				"8 moments, the fewest, take about 1.4 minutes, more than --minutes 1"},
		{[3]float64{}, 60, 40, []string{"1KiB", "2KiB", "3KiB"}, ""},
	} {
		s := Site{Config: Config{MessageSizes: []string{"1KiB", "2KiB", "3KiB"}}}
		var costs []Cost
		for i, size := range s.MessageSizes {
			costs = append(costs, Cost{size, c.seconds[i] / secondsPerPacket})
		}
		notes := strings.Join(s.Fit(costs, c.limit), "\n")
		if s.Moments != c.moments || !slices.Equal(s.MessageSizes, c.sizes) || notes != c.notes {
			t.Errorf("%v within %g s: %d moments of %v, %q", c.seconds, c.limit, s.Moments,
				s.MessageSizes, notes)
		}
	}
}
