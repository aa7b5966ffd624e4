package patterns

import (
	"math"
	"math/bits"
	"strings"
	"testing"

	"contend/internal/must"
)

// codeSizes are the numbers of processes in the tests of all codes.
var codeSizes = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 23, 25, 31, 32, 33, 36, 49, 64}

// forCodes runs a test for every valid combination of code, class and number of
// processes, to the first that fails.
func forCodes(t *testing.T, f func(t *testing.T, c Config, n int)) {
	for _, i := range codePatterns {
		of := Classes()
		if !strings.HasPrefix(i.Name, "npb-") {
			of = of[:1]
		}
		for _, class := range of {
			ran := 0
			for _, n := range codeSizes {
				c := Config{Name: i.Name, Class: class, FlitBytes: 1}
				if _, err := NewCode(c, n); err != nil {
					continue
				}
				ran++
				if f(t, c, n); t.Failed() {
					t.Fatalf("%+v, %d processes", c, n)
				}
			}
			if ran < 4 {
				t.Errorf("%s %s ran on %d sizes only", i.Name, class, ran)
			}
		}
	}
}

// Every receive has its send and every send its receive, no process waits for ever, and
// Messages returns their number.
func TestCodesEnd(t *testing.T) {
	forCodes(t, func(t *testing.T, c Config, n int) {
		code := must.Have(NewCode(c, n))
		for times := range int64(3) {
			if times > 1 && n > 36 {
				break // no further information
			}
			p := newThreads(n, code.Threads(), repeatCode(code, times, 0))
			sent, _ := deliverAll(t, p, n, func(int) int { return 0 })
			if int64(len(sent)) != times*code.Messages() {
				t.Fatalf("%d iterations have %d messages, Messages says %d each", times, len(sent),
					code.Messages())
			}
			for _, c := range p.channels.list {
				if c.waiting > 0 {
					t.Fatalf("%d messages from %d to %d are not received", c.waiting, c.from, c.to)
				}
			}
		}
	})
}

// Bytes become flits: scaled, rounded up, at least one, and padded to a multiple.
func TestFlits(t *testing.T) {
	for _, c := range []struct {
		scale     float64
		each, pad int
		bytes     int64
		want      int32
	}{
		{0, 0, 0, 0, 1}, {0, 0, 0, 1, 1}, {0, 0, 0, 8, 1}, {0, 0, 0, 9, 2}, {0, 1, 0, 9, 9},
		{0.5, 1, 0, 9, 5}, {0.001, 8, 0, 524288, 66}, {1e-9, 8, 0, 524288, 1}, {0, 0, 1, 9, 2},
		{0, 0, 4, 0, 4}, {0, 0, 4, 9, 4}, {0, 0, 4, 100, 16}, {0, 0, 13, 100, 13},
		{0, 1, 4, 1 << 50, math.MaxInt32 - 3},
	} {
		x := must.Have(Config{Name: "npb-ft", Scale: c.scale, FlitBytes: c.each,
			PadFlits: c.pad}.traffic(4))
		if got := x.flits(c.bytes); got != c.want {
			t.Errorf("%+v: %d flits", c, got)
		}
	}
}

// The bytes that each collective moves in closed form, for equal blocks.
func TestBytesOfCollectives(t *testing.T) {
	const block = 24
	for n := int64(1); n <= 40; n++ {
		all := n * block
		log := int64(bits.Len(uint(n)) - 1)
		power := int64(1) << log
		rest := n - power
		fold := 2 * rest * all // whole vectors to the participants, and back
		for name, want := range map[string]int64{
			"all-reduce-ring":     2 * n * (n - 1) * block,
			"all-reduce-doubling": fold + power*log*all,
			"all-reduce-tree":     2 * (n - 1) * all,
			"all-gather-ring":     n * (n - 1) * block,
			"reduce-scatter-ring": n * (n - 1) * block,
			// Folded blocks are uneven, but every other participant sends each once.
			"reduce-scatter-halving": rest*all + (power-1)*all + rest*block,
			// Every process gets each other block exactly once.
			"all-gather-doubling": n * (n - 1) * block,
			"all-reduce-halving":  rest*all + (power-1)*all + rest*block + n*(n-1)*block,
			"all-reduce-direct":   2 * n * (n - 1) * block,
			"all-gather-direct":   n * (n - 1) * block,
			"all-to-all-direct":   n * (n - 1) * block,
		} {
			m := must.Have(NewMatrix(Config{Name: name, Bytes: all}, int(n), nil, nil))
			if _, got := m.Sum(); got != want {
				t.Errorf("%s, %d processes: %d bytes, want %d", name, n, got, want)
			}
		}
	}
}

// A broadcast reaches all processes with the whole vector, once each.
func TestBroadcast(t *testing.T) {
	for n := 1; n <= 40; n++ {
		code := must.Have(Broadcast(Config{Bytes: 1000, FlitBytes: 1}, n))
		got := make([]int, n)
		p := NewProcesses(n, repeatCode(code, 1, 0))
		sent, _ := deliverAll(t, p, n, func(int) int { return 0 })
		for _, m := range sent {
			if got[m.To]++; m.Flits != 1000 {
				t.Fatalf("%d processes: a message of %d bytes", n, m.Flits)
			}
		}
		for r := range got {
			if want := min(1, r); got[r] != want {
				t.Errorf("%d processes: %d gets the vector %d times", n, r, got[r])
			}
		}
		if int64(len(sent)) != code.Messages() {
			t.Errorf("%d processes: %d messages, Messages says %d", n, len(sent), code.Messages())
		}
	}
}
