package scheduler

import "testing"

func TestClock(t *testing.T) {
	tests := []struct {
		rate, seconds float64
		want          Cycle
	}{
		{0, 1.5, 2}, {0, 2.5, 3}, {1, 2.4, 2}, {1000, 1.0004, 1000}, {1000, 1.0005, 1001},
		{0.5, 3, 2}, {1, -4, 0}, {1, 1e300, MaxCycle}, {1e9, 1e12, MaxCycle},
	}
	for _, test := range tests {
		c := Clock{CyclesPerSecond: test.rate}
		if got := c.Cycles(test.seconds); got != test.want {
			t.Errorf("rate %v: %v s is %d cycles, want %d", test.rate, test.seconds, got, test.want)
		}
	}
	if got := (Clock{CyclesPerSecond: 4}).Seconds(6); got != 1.5 {
		t.Errorf("6 cycles of a quarter second are %v s", got)
	}
}
