package cli

import "testing"

// A window whose probes got nowhere is a long one, not one of no time.
func TestCostOfASite(t *testing.T) {
	for _, c := range []struct {
		seconds [minSiteWindows]float64
		want    string
	}{
		{[...]float64{6, 6, 6, 6, 6}, ""},
		{[...]float64{6, 6, 6, 6, 60}, "5 windows, the fewest, take about 1.4 minutes, more than --minutes 1"},
		{[...]float64{600, 6, 6, 6, 60}, "5 windows, the fewest, take about 11 minutes, more than --minutes 1"},
		{[...]float64{6, 0, 6, 0, 6}, "the time of the study is unknown: no probe of 2 of 5 windows got " +
			"far enough; the others take about 0.3 minutes"},
		{[minSiteWindows]float64{}, "the time of the study is unknown: no probe got far enough"},
	} {
		var cost siteCost
		for _, x := range c.seconds {
			cost.add(x)
		}
		if got := cost.note(1); got != c.want {
			t.Errorf("%v: %q, want %q", c.seconds, got, c.want)
		}
	}
}
