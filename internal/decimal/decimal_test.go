package decimal

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestTexts(t *testing.T) {
	for _, c := range []struct {
		x                   float64
		number, time, exact string
	}{
		{0, "0", "0", "0"},
		{math.Copysign(0, -1), "0", "0", "0"},
		{7, "7", "7", "7"},
		{1217942, "1217942", "1217942", "1217942"},
		{9007199254740991, "9007199254740991", "9007199254740991", "9007199254740991"},
		{28473.333333333332, "28473.3333", "28473.333", "28473.333333333332"},
		{-28473.6666666, "-28473.6667", "-28473.667", "-28473.6666666"},
		{1234567890.25, "1234567890", "1234567890.25", "1234567890.25"},
		{0.30000000000000004, "0.3", "0.3", "0.30000000000000004"},
		{1.0 / 3, "0.333333333", "0.333333333", "0.3333333333333333"},
		{0.9996, "0.9996", "0.9996", "0.9996"},
		{0.99949, "0.99949", "0.99949", "0.99949"},
		{0.0456789, "0.0456789", "0.0456789", "0.0456789"},
		{0.00012345678901, "0.000123456789", "0.000123456789", "0.00012345678901"},
		{1e-7, "0.0000001", "0.0000001", "0.0000001"},
		{1e21, "1000000000000000000000", "1000000000000000000000", "1000000000000000000000"},
		{math.NaN(), "", "", ""},
		{math.Inf(-1), "", "", ""},
	} {
		if n, tm, e := Number(c.x), Time(c.x), Exact(c.x); n != c.number || tm != c.time || e != c.exact {
			t.Errorf("%v: %q, %q, %q, want %q, %q, %q", c.x, n, tm, e, c.number, c.time, c.exact)
		}
	}
	if got := Significant(16384*0.001953125*1.0001, 4); got != "32" {
		t.Errorf("four digits of 32.0032 are %s", got)
	}
}

// No text has an exponent, each is within its precision, and Exact reads back equal.
func TestPrecisions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		x := (rng.Float64() - 0.5) * math.Pow(10, float64(rng.IntN(40)-20))
		number, time, exact := Number(x), Time(x), Exact(x)
		if all := number + time + exact; strings.ContainsAny(all, "eE+") {
			t.Fatalf("%v: %s %s %s", x, number, time, exact)
		}
		if back, err := strconv.ParseFloat(exact, 64); err != nil || back != x {
			t.Fatalf("%v reads back as %v, %v", x, back, err)
		}
		if back, err := strconv.ParseFloat(number, 64); err != nil ||
			math.Abs(back-x) > 5.0001e-9*math.Abs(x) {
			t.Fatalf("%v is written %s", x, number)
		}
		back, err := strconv.ParseFloat(time, 64)
		if err != nil || math.Abs(back-x) > 0.00050001+1e-15*math.Abs(x) ||
			math.Abs(back-x) > 5.0001e-7*math.Abs(x) {
			t.Fatalf("%v is the time %s", x, time)
		}
		if _, decimals, _ := strings.Cut(time, "."); math.Abs(x) >= 1000 &&
			len(decimals) > timeDecimals {
			t.Fatalf("%v is the time %s", x, time)
		}
	}
}

func TestRounded(t *testing.T) {
	for _, c := range []struct {
		x    float64
		n    int
		want float64
	}{{1234.5, 3, 1230}, {-0.0126, 2, -0.013}, {0, 12, 0}, {math.Inf(1), 12, math.Inf(1)},
		{1 / 3.0, 12, 0.333333333333}} {
		if got := Rounded(c.x, c.n); got != c.want {
			t.Errorf("%v to %d digits is %v, want %v", c.x, c.n, got, c.want)
		}
	}
}
