package quantity

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text  string
		kind  Kind
		value string
	}{
		{"1.2 us", Time, "3/2500000"}, {"1.2us", Time, "3/2500000"}, {"0.5 µs", Time, "1/2000000"},
		{"3 h", Time, "10800"}, {"2 d", Time, "172800"}, {"90 min", Time, "5400"},
		{"5.12 ns", Time, "512/100000000000"}, {"1e3 ps", Time, "1/1000000000"},
		{"5 m", Cable, "25/1000000000"}, {"0.1 km", Cable, "1/2000000"},
		{"64 B", Size, "64"}, {"4 KiB", Size, "4096"}, {"1 MiB", Size, "1048576"},
		{"2 kB", Size, "2000"}, {"12 bit", Size, "3/2"},
		{"100 Gb/s", Rate, "12500000000"}, {"100Gbit/s", Rate, "12500000000"},
		{"200 Gbps", Rate, "25000000000"}, {"200Mbps", Rate, "25000000"},
		{"8 kbps", Rate, "1000"}, {"1 Tbps", Rate, "125000000000"}, {"8 bps", Rate, "1"},
		{"25 GBps", Rate, "25000000000"}, {"25 MBps", Rate, "25000000"},
		{"2 Mbit", Size, "250000"}, {"1 Gibit/s", Rate, "134217728"},
		{"25 GB/s", Rate, "25000000000"}, {"1 GiB/s", Rate, "1073741824"},
		{"1 GHz", Frequency, "1000000000"}, {"2.5 Gflop/s", FlopRate, "2500000000"},
		{"0 s", Time, "0"}, {"1. s", Time, "1"}, {".5 s", Time, "1/2"},
	} {
		q, err := Parse(c.text)
		if err != nil || q.Kind != c.kind || q.Value.Cmp(rat(c.value)) != 0 {
			t.Errorf("%q is %v %v, %v, want %v %s", c.text, q.Kind, q.Value, err, c.kind, c.value)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, problem := range map[string]string{
		"":                             `"" is no number with a unit`,
		"ns":                           `"ns" is no number with a unit`,
		"12":                           `"12" has no unit`,
		"-1 s":                         `"-1 s" is no number with a unit`,
		". s":                          `". s" is no number with a unit`,
		"1 parsec":                     `"parsec" is no unit`,
		"5 NS":                         `"NS" is no unit, did you mean ns?`,
		"100 gbps":                     `"gbps" is no unit, did you mean GBps or Gbps?`,
		"100 gb/s":                     `"gb/s" is no unit, did you mean GB/s or Gb/s or Gbit/s?`,
		"64 kb":                        `"kb" is no unit, did you mean kB or KB or kbit?`,
		"64 b":                         `"b" is no unit, did you mean B or bit?`,
		"1 Gib/s":                      `"Gib/s" is no unit, did you mean GiB/s or Gibit/s?`,
		"1e31 s":                       "too long",
		"1e0099 s":                     "too long",
		"1e-31 s":                      "too long",
		"1e9999999 ":                   "too long",
		strings.Repeat("9", 41) + " s": "too long",
		"1/3 s":                        `"/3 s" is no unit`,
		"1 2 s":                        `"2 s" is no unit`,
	} {
		if q, err := Parse(text); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%q is %v, %v, want an error with %q", text, q, err, problem)
		}
	}
}

func TestFormat(t *testing.T) {
	for text, want := range map[string]string{
		"5120 ps": "5.12 ns", "0.001 us": "1 ns", "3 h": "10800 s", "0 us": "0 s",
		"1e-20 s": "0.00001 fs", "5 m": "5 m", "100 Gb/s": "12.5 GB/s", "1500 MHz": "1.5 GHz",
		"65536 B": "64 KiB", "65535 B": "65.535 kB", "2 MiB": "2 MiB", "2048 MB": "2.048 GB",
	} {
		q, err := Parse(text)
		if err != nil || q.Format() != want {
			t.Errorf("%q is written %q, %v, want %q", text, q.Format(), err, want)
		}
	}
	third := New(Time, big.NewRat(1, 3_000_000_000))
	if third.Text != "333.333333333 ps" || third.Short(4) != "333.3 ps" {
		t.Errorf("a third of a nanosecond is %q and %q", third.Text, third.Short(4))
	}
	for n, want := range map[int64]string{1234567: "1.235 us", 999_960: "1000 ns", 40: "40 ps"} {
		if got := New(Time, big.NewRat(n, 1_000_000_000_000)).Short(4); got != want {
			t.Errorf("%d ps is %q, want %q", n, got, want)
		}
	}
}

// What is written reads back equal, whatever the unit it was given in.
func TestFormatReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom(Kinds()).Draw(t, "kind")
		u := rapid.SampledFrom(k.Units()).Draw(t, "unit")
		text := fmt.Sprintf("%d.%0*d %s", rapid.Uint32().Draw(t, "whole"),
			rapid.IntRange(1, 9).Draw(t, "decimals"), rapid.IntRange(0, 9).Draw(t, "digit"), u)
		q, err := Parse(text)
		if err != nil || q.Text != text {
			t.Fatalf("%q: %v, %v", text, q, err)
		}
		again, err := Parse(q.Format())
		if err != nil || again.Kind != k || again.Value.Cmp(q.Value) != 0 {
			t.Fatalf("%q is written %q and read as %v, %v", text, q.Format(), again.Value, err)
		}
		if more := New(k, again.Value).Format(); more != q.Format() {
			t.Fatalf("%q is also written %q", q.Format(), more)
		}
		short, err := Parse(q.Short(4))
		if err != nil {
			t.Fatal(err)
		}
		// Four digits are within half a unit of the fourth.
		off := new(big.Rat).Sub(short.Value, q.Value)
		if bound := new(big.Rat).Mul(q.Value, rat("0.0005")); off.Abs(off).Cmp(bound) > 0 {
			t.Fatalf("%q is %q with four digits", text, q.Short(4))
		}
	})
}

// No two units have the same name, and none can be taken for part of a number.
func TestUnitsAreDistinct(t *testing.T) {
	var seen []string
	for _, k := range Kinds() {
		if q, err := Parse(k.Example()); err != nil || q.Kind != k {
			t.Errorf("the example of %s is %v, %v", k.Name(), q, err)
		}
		for _, u := range k.Units() {
			q, err := Parse("1" + u)
			if slices.Contains(seen, u) || err != nil || q.Kind != k || q.Text != "1 "+u {
				t.Errorf("the unit %q of %s is ambiguous: %v, %v", u, k.Name(), q, err)
			}
			seen = append(seen, u)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("1.2 us")
	f.Add("1e30 Gflop/s")
	f.Fuzz(func(t *testing.T, text string) {
		if q, err := Parse(text); err == nil && q.Value.Sign() < 0 {
			t.Errorf("%q is below 0", text)
		}
	})
}
