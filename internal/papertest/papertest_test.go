package papertest

import (
	"math"
	"strings"
	"testing"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		n       Number
		got     float64
		problem string // a part of it, "" for none
	}{
		{Number{"17,611", ""}, 17611, ""},
		{Number{"17,611", ""}, 17610, "17610, printed 17,611"},
		{Number{"17,611", "17,610"}, 17610, ""},
		{Number{"17,611", "17,610"}, 17611, "no known miss any more"},
		{Number{"17,611", "17,610"}, 17609, "known to miss the printed 17,611 with 17,610"},
		{Number{"575.399", ""}, 575.3994, ""},
		{Number{"575.399", ""}, 575.3996, "printed"},
		{Number{"-3.879", ""}, -3.8786, ""},
		{Number{"-3.879", ""}, 3.879, "printed"},
		{Number{"2 to 3", ""}, 2, ""},
		{Number{"2 to 3", ""}, 1.99, "printed 2 to 3"},
		{Number{"2 to 3", "1.9"}, 1.93, ""},
		{Number{"2 to 3", "1.9"}, 2.01, "no known miss"},
		{Number{"2 to 3", "1.9"}, 1.8, "known to miss"},
		{Number{"0.62", ""}, math.NaN(), "printed"},
		{Number{"0.62", "0.61"}, math.NaN(), "known to miss"},
		{Number{"about 5", ""}, 5, "invalid"},
		{Number{"5", "near 6"}, 6, "invalid"},
		{Number{"5 to six", ""}, 5.5, "invalid"},
	} {
		got := c.n.problem(c.got)
		if (got == "") != (c.problem == "") || !strings.Contains(got, c.problem) {
			t.Errorf("%+v with %v: %q, want %q", c.n, c.got, got, c.problem)
		}
	}
}
