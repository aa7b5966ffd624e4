package site

import (
	"slices"
	"strings"
	"testing"
)

// Sizes of messages fit by the time of their moments, the cheapest first; one of unknown time is a
// long one, not one of no time.
func TestFitOfASite(t *testing.T) {
	for _, c := range []struct {
		seconds [3]float64 // of 1, 2 and 3 KiB
		limit   float64
		moments int
		sizes   []string
		notes   string
	}{
		{[...]float64{1, 2, 3}, 180, 30, []string{"1KiB", "2KiB", "3KiB"}, ""},
		{[...]float64{0.1, 0.1, 0.1}, 180, 40, []string{"1KiB", "2KiB", "3KiB"}, ""},
		{[...]float64{1, 2, 30}, 180, 40, []string{"1KiB", "2KiB"},
			"messages of 3KiB are left out: 8 moments of all sizes run with --minutes 4.4"},
		{[...]float64{20, 2, 30}, 180, 8, []string{"1KiB", "2KiB"},
			"messages of 3KiB are left out: 8 moments of all sizes run with --minutes 7"},
		{[...]float64{0, 30, 0}, 60, 5, []string{"2KiB"},
			"messages of 1KiB and 3KiB are left out: 8 moments of all sizes run for an unknown time\n" +
				"5 moments, the fewest, take about 2.5 minutes, more than --minutes 1"},
		{[3]float64{}, 60, 5, []string{"1KiB"},
			"messages of 2KiB and 3KiB are left out: 8 moments of all sizes run for an unknown time\n" +
				"the time of 5 moments, the fewest, is unknown: no probe got far enough"},
	} {
		s := Site{Config: Config{MessageSizes: []string{"1KiB", "2KiB", "3KiB"}}}
		var costs []Cost
		for i, size := range s.MessageSizes {
			costs = append(costs, Cost{size, c.seconds[i]})
		}
		notes := strings.Join(s.Fit(costs, c.limit), "\n")
		if s.Moments != c.moments || !slices.Equal(s.MessageSizes, c.sizes) || notes != c.notes {
			t.Errorf("%v within %g s: %d moments of %v, %q", c.seconds, c.limit, s.Moments,
				s.MessageSizes, notes)
		}
	}
}
