package tables

import "testing"

// A time in microseconds has the digits of that in nanoseconds.
func TestMicroseconds(t *testing.T) {
	for nanoseconds, want := range map[int64]string{0: "0", 7: "0.007", 999: "0.999", 1000: "1",
		1500: "1.500", 999_999: "999.999", 1_234_567: "1234.567", 5_000_000: "5000"} {
		if got := string(microseconds(nanoseconds)); got != want {
			t.Errorf("%d ns: %s, want %s", nanoseconds, got, want)
		}
	}
}
