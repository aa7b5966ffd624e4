package experiments

import "testing"

func TestMomentInPercentOfTheRun(t *testing.T) {
	for _, c := range []struct {
		figure Figure
		timed  bool
		want   float64
	}{
		{Figure{}, false, 0},
		{Figure{Time: 30}, true, 30},
		{Figure{TimePercent: 25}, true, 200},
	} {
		if got := c.figure.Moment(800); got != c.want || c.figure.Timed() != c.timed {
			t.Errorf("%+v: %v, %v", c.figure, got, c.figure.Timed())
		}
	}
}
