package patterns

import (
	"errors"
	"math"
	"slices"
	"testing"

	"contend/internal/must"
)

// drivenPairs returns the pairs of the messages that a program sends.
func drivenPairs(t *testing.T, c Config, n int, shape []int) []Pair {
	t.Helper()
	p := must.Have(New(c, n, shape, 0, seeded(uint64(n))))
	sent, _ := deliverAll(t, p, n, seeded(7).IntN)
	var pairs []Pair
	for _, m := range sent {
		pairs = append(pairs, Pair{m.From, m.To})
	}
	return distinct(pairs)
}

// Pairs are those of driven programs: no more, and none is missing.
func TestPairsAreThoseOfPrograms(t *testing.T) {
	for _, i := range Names() {
		sizes := codeSizes
		c := Config{Name: i.Name, Class: "S", Iterations: 2, Repeat: 2}
		if Draws(i.Name) {
			sizes, c.Iterations = []int{1, 2, 3, 6, 7, 8, 9}, 1000
		}
		ran := 0
		for _, n := range sizes {
			got, err := Pairs(c, n, nil)
			if size := (*SizeError)(nil); errors.As(err, &size) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := drivenPairs(t, c, n, nil); !slices.Equal(got, want) {
				t.Errorf("%s, %d processes: %v, programs send %v", i.Name, n, got, want)
			}
			ran++
		}
		if ran < 4 {
			t.Errorf("%s ran on %d sizes only", i.Name, ran)
		}
	}
}

// Options of patterns and the shapes of jobs change the pairs.
func TestPairsFollowOptions(t *testing.T) {
	for _, c := range []Config{
		{Name: "n-body", Bodies: "all"}, {Name: "multigrid", Cycle: "by-dimension", Grid: "cube"},
		{Name: "multigrid", Levels: 1}, {Name: "near-neighbour", Grid: "shape"},
		{Name: "near-neighbour", Grid: "cube"},
	} {
		c.Iterations = 1
		for _, shape := range [][]int{{24, 1}, {6, 4}, {2, 3, 4}} {
			got := must.Have(Pairs(c, 24, shape))
			if want := drivenPairs(t, c, 24, shape); !slices.Equal(got, want) {
				t.Errorf("%+v, shape %v: %v, programs send %v", c, shape, got, want)
			}
		}
	}
}

// Vectors too long for flits of a byte have their bytes too.
func TestMatrixOfLongVectors(t *testing.T) {
	const bytes = 8 << 30
	for name, want := range map[string]float64{"all-reduce-doubling": 8 * 3, "all-reduce-ring": 14} {
		m := must.Have(NewMatrix(Config{Name: name, Bytes: bytes}, 8, nil, nil))
		if _, got := m.Sum(); math.Abs(float64(got)/bytes/want-1) > 1e-6 {
			t.Errorf("%s: %d bytes, want %v vectors", name, got, want)
		}
	}
}
