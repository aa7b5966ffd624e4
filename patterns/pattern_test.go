package patterns

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/internal/must"
)

// Tests of the deterministic patterns against the plainest way to write them down.

const longest = 20 // processes of the exhaustive tests

// checkPhases compares the phases of a pattern, and their number, with the expected
// ones.
func checkPhases(t *testing.T, p Pattern, want [][]pair) {
	t.Helper()
	var got [][]pair
	messages := 0
	for _, phase := range phasesOf(p) {
		got = append(got, pairs(phase))
		messages += len(phase)
		for _, m := range phase {
			if m.Flits != 3 || m.Tag != 0 || m.Delay != 0 {
				t.Fatalf("%+v is not a plain message of 3 flits", m)
			}
		}
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(pair{})); d != "" {
		t.Errorf("phases (-want +got):\n%s", d)
	}
	if p.Messages() != int64(messages) {
		t.Errorf("Messages() = %d, there are %d", p.Messages(), messages)
	}
}

// forSizes runs a test for each small number of processes.
func forSizes(t *testing.T, f func(t *testing.T, n int)) {
	for n := 1; n <= longest; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) { f(t, n) })
	}
}

// atLeastTwo returns no phases for a job of one process.
func atLeastTwo(n int, phases ...[]pair) [][]pair {
	if n == 1 {
		return nil
	}
	return phases
}

func TestAllToAll(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		var same, rotated []pair
		for i := range n {
			for j := range n {
				if i != j {
					same = append(same, pair{Rank(i), Rank(j)})
				}
			}
			for d := 1; d < n; d++ {
				rotated = append(rotated, pair{Rank(i), Rank((i + d) % n)})
			}
		}
		checkPhases(t, AllToAll(n, OrderSame, 3), atLeastTwo(n, same))
		checkPhases(t, AllToAll(n, OrderRotated, 3), atLeastTwo(n, rotated))
		if got := AllToAll(n, OrderSame, 3).Messages(); got != int64(n*(n-1)) {
			t.Errorf("%d messages, want n(n-1) = %d", got, n*(n-1))
		}
	})
}

func TestNBody(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		var want [][]pair
		for range n / 2 {
			var shift []pair
			for i := range n {
				shift = append(shift, pair{Rank(i), Rank((i + 1) % n)})
			}
			want = append(want, shift)
		}
		var chord []pair
		for i := range n {
			chord = append(chord, pair{Rank(i), Rank((i + n/2) % n)})
		}
		checkPhases(t, NBody(n, 3), atLeastTwo(n, append(want, chord)...))
		if closed := int64(n*(n/2) + n); n > 1 && NBody(n, 3).Messages() != closed {
			t.Errorf("%d messages, want %d", NBody(n, 3).Messages(), closed)
		}
	})
}

func TestRing(t *testing.T) {
	forSizes(t, func(t *testing.T, n int) {
		var want []pair
		for i := range n - 1 {
			want = append(want, pair{Rank(i), Rank(i + 1)})
		}
		checkPhases(t, Ring(n, 3), atLeastTwo(n, append(want, pair{Rank(n - 1), 0})))
	})
}

func TestFFT(t *testing.T) {
	for log := range 6 {
		n := 1 << log
		var want [][]pair
		for distance := n / 2; distance > 0; distance /= 2 {
			var phase []pair
			for i := range n {
				if i/distance%2 == 0 {
					phase = append(phase, pair{Rank(i), Rank(i + distance)})
				} else {
					phase = append(phase, pair{Rank(i), Rank(i - distance)})
				}
			}
			want = append(want, phase)
		}
		checkPhases(t, FFT(n, 3), want)
		if got := FFT(n, 3).Messages(); got != int64(n*log) {
			t.Errorf("%d messages, want n log n = %d", got, n*log)
		}
	}
}

// neighbours returns the exchange at a stride on a grid of w x h.
func neighbours(w, h, stride int) []pair {
	var phase []pair
	for y := 0; y < h; y += stride {
		for x := 0; x < w; x += stride {
			for _, d := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
				if u, v := x+d[0]*stride, y+d[1]*stride; u >= 0 && u < w && v >= 0 && v < h {
					phase = append(phase, pair{Rank(x + w*y), Rank(u + w*v)})
				}
			}
		}
	}
	return phase
}

func forGrids(t *testing.T, f func(t *testing.T, w, h int)) {
	for w := 1; w <= 6; w++ {
		for h := 1; h <= 6; h++ {
			t.Run(fmt.Sprintf("%dx%d", w, h), func(t *testing.T) { f(t, w, h) })
		}
	}
}

func TestNearSquare(t *testing.T) {
	for n := 1; n <= 500; n++ {
		want := n // the smallest divisor that is at least the square root
		for w := n; w >= 1; w-- {
			if n%w == 0 && w*w >= n {
				want = w
			}
		}
		if w, h := NearSquare(n); w != want || w*h != n {
			t.Errorf("NearSquare(%d) = %d, %d, want width %d", n, w, h, want)
		}
	}
}

// A caller's bug panics with the name of the package.
func TestCallersBugs(t *testing.T) {
	ok := func() *Processes {
		v := must.Have(Verify(2, Lists{{Compute(1), Send(1, 1, 0)}, {Receive(0, 0)}}))
		return v.Program()
	}
	timed := func() *Processes { p := ok(); p.At(5); p.Start(nil); return p }
	for name, f := range map[string]func(){
		"no process":          func() { Ring(0, 1) },
		"too many processes":  func() { Ring(MaxProcesses+1, 1) },
		"no flit":             func() { Ring(2, 0) },
		"fft of 6":            func() { FFT(6, 1) },
		"empty grid":          func() { NearNeighbour([]int{2, 0}, 1) },
		"huge grid":           func() { NearNeighbour([]int{1 << 20, 1 << 20}, 1) },
		"grid of none":        func() { NearSquare(0) },
		"levels below 0":      func() { Multigrid([]int{2, 2}, -1, 1) },
		"suite of none":       func() { Suite(0, Ring(2, 1)) },
		"suite without phase": func() { Suite(1, Ring(2, 1)).Phase(nil, 1) },
		"iterations below -1": func() { Iterate(Ring(2, 1), -2) },
		"quota below 0":       func() { Quota(Iterate(Ring(2, 1), 1), -1, CutRound) },
		"compute below 0":     func() { Barrier(Iterate(Ring(2, 1), 1), -1) },
		"stray message":       func() { Barrier(Iterate(Ring(2, 1), 1), 0).Delivered(nil, Message{}) },
		"two starts": func() {
			p := Barrier(Iterate(Ring(2, 1), 1),
				0)
			p.Start(nil)
			p.Start(nil)
		},
		"empty phases forever":    func() { Barrier(nothing{}, 0).Start(nil) },
		"no time":                 func() { ok().Start(nil) },
		"time steps back":         func() { timed().At(4) },
		"two starts of processes": func() { timed().Start(nil) },
		"stray route":             func() { timed().Delivered(nil, Message{From: 1, To: 0, Flits: 1}) },
		"stray length":            func() { timed().Delivered(nil, Message{From: 0, To: 1, Flits: 2}) },
		"empty parts only": func() {
			_, _ = Verify(1,
				ScriptFunc(func(dst []Operation, _ Rank, _ int) ([]Operation, bool) { return dst, true }))
		},
	} {
		if got := must.Panic(f); !strings.HasPrefix(got, "patterns:") {
			t.Errorf("%s: panic %q", name, got)
		}
	}
}

// nothing has phases without end and without messages.
type nothing struct{}

func (nothing) Next(dst []Message) ([]Message, bool) { return dst, true }

// From the lowest bit up an FFT has the phases of the FFT from the highest bit down, in
// reverse. Bodies that go all round visit every process.
func TestOtherReadings(t *testing.T) {
	down, up := phasesOf(FFT(16, 8)), phasesOf(FFTLowestFirst(16, 8))
	slices.Reverse(up)
	if !slices.EqualFunc(down, up, slices.Equal) || slices.Equal(down[0], down[3]) {
		t.Errorf("from the lowest bit up: %v\nfrom the highest down: %v", up, down)
	}
	for _, n := range []int{1, 2, 5, 8} {
		p := NBodyAllRound(n, 8)
		if p.Messages() != int64(n)*int64(n-1) {
			t.Errorf("%d processes: %d messages all round", n, p.Messages())
		}
		for _, phase := range phasesOf(p) {
			for _, m := range phase {
				if m.To != (m.From+1)%Rank(n) {
					t.Errorf("%d processes: %d sends to %d", n, m.From, m.To)
				}
			}
		}
	}
}
