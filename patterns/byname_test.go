package patterns

import (
	"slices"
	"testing"

	"contend/internal/must"
)

// Every name selects the pattern of that name with its options.
func TestNamedPatterns(t *testing.T) {
	const n = 16
	for name, want := range map[string]Pattern{
		"all-to-all":     AllToAll(n, OrderRotated, 5),
		"one-to-all":     OneToAll(n, OrderRotated, 5, seeded(1)),
		"all-to-one":     AllToOne(n, 5, seeded(1)),
		"broadcast-tree": BroadcastTree(n, 5, seeded(1)),
		"n-body":         NBody(n, 5),
		"ring":           Ring(n, 5),
		"fft":            FFT(n, 5),
		"multigrid":      Multigrid([]int{8, 2}, 2, 5),
		"near-neighbour": NearNeighbour([]int{8, 2}, 5),
		"ping-pong":      PingPong(n, 5),
		"call":           Call(n, 5),
		"all-pairs":      AllPairs(n, 5),
		"random":         Random(n, 5, seeded(1)),
		"cplant-suite":   CplantSuite(n, OrderRotated, 3, 5),
	} {
		c := Config{Name: name, Order: "rotated", Flits: 5, Repeat: 3, Grid: "shape", Levels: 2}
		got, err := NewPattern(c, n, []int{8, 2}, seeded(1))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.EqualFunc(phasesOf(got), phasesOf(want), slices.Equal) {
			t.Errorf("%s is another pattern", name)
		}
		if m, err := MessagesPerIteration(c, n, []int{8, 2}); m != want.Messages() || err != nil {
			t.Errorf("%s: MessagesPerIteration = %d, %v, want %d", name, m, err, want.Messages())
		}
	}
}

func TestDefaults(t *testing.T) {
	for _, c := range []struct {
		config Config
		want   Pattern
	}{
		{Config{Name: "all-to-all"}, AllToAll(12, OrderSame, 8)},
		{Config{Name: "near-neighbour"}, NearNeighbour([]int{4, 3}, 8)},
		{Config{Name: "multigrid", Grid: "square"}, Multigrid([]int{4, 3}, 0, 8)},
		{Config{Name: "multigrid", Grid: "cube"}, Multigrid([]int{2, 2, 3}, 0, 8)},
		{Config{Name: "n-body", Bodies: "all"}, NBodyAllRound(12, 8)},
		{Config{Name: "multigrid", Cycle: "by-dimension"}, MultigridByDimension([]int{4, 3}, 0, 8)},
		{Config{Name: "cplant-suite"}, CplantSuite(12, OrderSame, 100, 8)},
	} {
		got := must.Have(NewPattern(c.config, 12, []int{12, 1}, nil))
		if !slices.EqualFunc(phasesOf(got), phasesOf(c.want), slices.Equal) {
			t.Errorf("%+v is another pattern", c.config)
		}
	}
}

func TestWrongConfigurations(t *testing.T) {
	for _, c := range []struct {
		config Config
		n      int
		shape  []int
		quota  int64
		want   string
	}{
		{Config{Name: "al-to-all"}, 4, nil, 1, `unknown pattern "al-to-all": there are all-to-all, ` +
			`one-to-all, all-to-one, broadcast-tree, n-body, ring, fft, multigrid, near-neighbour, ` +
			`ping-pong, call, all-pairs, random, cplant-suite, all-reduce-ring, all-reduce-doubling, ` +
			`all-reduce-tree, all-reduce-halving, all-reduce-direct, all-gather-ring, ` +
			`all-gather-doubling, all-gather-direct, reduce-scatter-ring, reduce-scatter-halving, ` +
			`all-to-all-direct, npb-ft, npb-is, npb-cg, npb-mg, npb-lu, npb-bt, npb-sp`},
		{Config{Name: "npb-ft", Class: "X"}, 4, nil, 1, `unknown class "X": there are S, W, A, B, C`},
		{Config{Name: "ring", Class: "D"}, 4, nil, 1, `unknown class "D": there are S, W, A, B, C`},
		{Config{Name: "npb-ft", Scale: 2}, 4, nil, 1,
			"scale is 2: it must be above 0 and at most 1, or 0 (the default)"},
		{Config{Name: "npb-ft", Bytes: -1}, 4, nil, 1,
			"bytes is -1: it must be 0 (the default) to 2147483647"},
		{Config{Name: "npb-ft", FlitBytes: -1}, 4, nil, 1,
			"flit_bytes is -1: it must be 0 (the default) to 2147483647"},
		{Config{Name: "npb-ft"}, 0, nil, 1, "pattern npb-ft: 0 processes: a job has 1 to 16777216"},
		{Config{Name: "npb-ft"}, 12, nil, 1, "pattern npb-ft of class A: 12 processes: it needs a " +
			"power of two, at most 32768, such as 8 or 16"},
		{Config{Name: "npb-ft", Class: "S"}, 8192, nil, 1,
			"pattern npb-ft of class S: 8192 processes: it needs a power of two, at most 4096, such as " +
				"4096"},
		{Config{Name: "npb-is", Class: "S"}, 1024, nil, 1,
			"pattern npb-is of class S: 1024 processes: it needs a power of two, at most 512, such as 512"},
		{Config{Name: "npb-cg"}, 6, nil, 1, "pattern npb-cg of class A: 6 processes: it needs a power " +
			"of two, at most 16777216, such as 4 or 8"},
		{Config{Name: "npb-mg", Class: "S"}, 3, nil, 1,
			"pattern npb-mg of class S: 3 processes: it needs a power of two, at most 32768, such as 2 " +
				"or 4"},
		{Config{Name: "npb-lu"}, 10, nil, 1, "pattern npb-lu of class A: 10 processes: it needs a " +
			"grid no longer than twice its width, with 3 points of the cube along each side of a " +
			"process, such as 9 or 12"},
		{Config{Name: "npb-bt", Class: "S"}, 25, nil, 1,
			"pattern npb-bt of class S: 25 processes: it needs a square, at most 16, such as 16"},
		{Config{Name: "npb-sp"}, 12, nil, 1,
			"pattern npb-sp of class A: 12 processes: it needs a square, at most 441, such as 9 or 16"},
		{Config{Name: "ring", Order: "rotate"}, 4, nil, 1,
			`unknown order "rotate": there are same, rotated`},
		{Config{Name: "ring", Cut: "iter"}, 4, nil, 1,
			`unknown cut "iter": there are round, process, phase, iteration`},
		{Config{Name: "ring", Grid: "shop"}, 4, nil, 1,
			`unknown grid "shop": there are square, cube, shape`},
		{Config{Name: "ring", Cycle: "w"}, 4, nil, 1, `unknown cycle "w": there are v, by-dimension`},
		{Config{Name: "ring", Flits: -1}, 4, nil, 1,
			"flits is -1: it must be 0 (the default) to 2147483647"},
		{Config{Name: "ring", Flits: 1 << 31}, 4, nil, 1,
			"flits is 2147483648: it must be 0 (the default) to 2147483647"},
		{Config{Name: "ring", ComputeCycles: -5}, 4, nil, 1,
			"compute_cycles is -5: it must be 0 (the default) to 281474976710656"},
		{Config{Name: "ring", Iterations: -1}, 4, nil, 1,
			"iterations is -1: it must be 0 (the default) to 9223372036854775807"},
		{Config{Name: "ring", Repeat: -1}, 4, nil, 1,
			"repeat is -1: it must be 0 (the default) to 2147483647"},
		{Config{Name: "ring", Levels: -1}, 4, nil, 1,
			"levels is -1: it must be 0 (the default) to 2147483647"},
		{Config{Name: "ring"}, 0, nil, 1, "pattern ring: 0 processes: a job has 1 to 16777216"},
		{Config{Name: "ring"}, 4, nil, 0,
			"pattern ring: a quota of 0 messages and 0 iterations: one of them must be at least 1"},
		{Config{Name: "ring", Iterations: 1}, 4, nil, -1,
			"pattern ring: a quota of -1 messages and 1 iterations: one of them must be at least 1"},
		{Config{Name: "fft"}, 12, nil, 1,
			"pattern fft: 12 processes: it needs a power of two, so round the sizes of jobs"},
		{Config{Name: "multigrid", Grid: "shape"}, 12, nil, 1,
			"pattern multigrid: grid = shape, but the job of 12 processes has none: use grid = square"},
		{Config{Name: "multigrid", Grid: "shape"}, 12, []int{4, 4}, 1,
			"pattern multigrid: grid = shape: the shape [4 4] is not one of 12 processes"},
		{Config{Name: "near-neighbour", Grid: "shape"}, 12, []int{12, 0}, 1,
			"pattern near-neighbour: grid = shape: the shape [12 0] is not one of 12 processes"},
	} {
		p, err := New(c.config, c.n, c.shape, c.quota, nil)
		if p != nil || err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v\nwant %s", c.config, err, c.want)
		}
	}
	if m, err := MessagesPerIteration(Config{Name: "fft"}, 12, nil); m != 0 || err == nil {
		t.Errorf("an FFT of 12 has %d messages, %v", m, err)
	}
}
