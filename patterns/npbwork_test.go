package patterns

import (
	"math"
	"slices"
	"testing"

	"contend/internal/must"
)

// printed are times and rates that runs of the benchmarks printed. Their product is the
// number of operations, as precise as the time. The runs of class U are 10 iterations of
// the size of class C.
var printed = []struct {
	name, class   string
	iterations    int     // of the run; 0: as many as the class has
	seconds, rate float64 // rate in Mop/s
}{
	{"npb-ft", "S", 0, 3.18, 55.63}, {"npb-mg", "S", 0, 0.15, 49.17},
	{"npb-lu", "S", 0, 1.33, 77.16}, {"npb-sp", "S", 0, 1.50, 64.48},
	{"npb-bt", "S", 0, 8.22, 27.76}, {"npb-cg", "A", 0, 3.02, 495.93},
	{"npb-cg", "A", 0, 0.33, 4521.19}, {"npb-mg", "C", 10, 0.35, 225129.83},
	{"npb-lu", "C", 10, 0.51, 160226.36}, {"npb-bt", "C", 10, 0.86, 166526.06},
	{"npb-sp", "C", 10, 0.28, 130825.46},
}

func TestOperationsAreThoseThatBenchmarksPrint(t *testing.T) {
	for _, p := range printed {
		got, ok := Operations(p.name, p.class)
		all, _ := Iterations(p.name, p.class)
		if p.iterations > 0 {
			got *= float64(p.iterations) / float64(all)
		}
		want, off := p.seconds*p.rate*1e6, 0.005/p.seconds+0.005/p.rate
		if !ok || math.Abs(got/want-1) > off {
			t.Errorf("%s of class %s: %g operations, printed %g", p.name, p.class, got, want)
		}
	}
}

// The formulas of the benchmarks' sources, evaluated by another program, in millions.
func TestOperationsOfClasses(t *testing.T) {
	for name, want := range map[string][5]float64{
		"npb-ft": {177.17, 372.67, 7136.44, 92053.59, 396388.18},
		"npb-is": {0.66, 10.49, 83.89, 335.54, 1342.18},
		"npb-cg": {66.65, 420.63, 1496.46, 54708.75, 143347.50},
		"npb-mg": {7.60, 486.54, 3892.31, 19461.57, 155692.56},
		"npb-lu": {102.30, 18061.09, 119296.76, 498824.10, 2038997.25},
		"npb-bt": {228.31, 7718.76, 168284.46, 702179.78, 2866279.85},
		"npb-sp": {96.67, 14174.35, 85009.97, 355011.86, 1450101.05},
	} {
		for i, class := range Classes() {
			if got, _ := Operations(name, class); math.Abs(got/1e6-want[i]) > 0.0051 {
				t.Errorf("%s of class %s: %.4f million operations, want %.4f", name, class, got/1e6, want[i])
			}
		}
	}
	if _, ok := Operations("ring", "A"); ok {
		t.Error("a ring has operations")
	}
	if _, ok := Operations("npb-ft", "D"); ok {
		t.Error("FT has a class D")
	}
}

// computed returns the cycles that each process computes in a script.
func computed(s Script, n int) []int64 {
	sums := make([]int64, n)
	for r := range sums {
		var part []Operation
		for k, ok := 0, true; ok; k++ {
			part, ok = s(part[:0], Rank(r), k)
			for _, o := range part {
				if o.kind == computeOperation {
					sums[r] += o.cycles
				}
			}
		}
	}
	return sums
}

// The process that computes most does its share of the operations, to half a cycle an
// iteration, whatever the number of its steps.
func TestProcessesDoTheirShareOfTheOperations(t *testing.T) {
	forCodes(t, func(t *testing.T, c Config, n int) {
		operations, ok := Operations(c.Name, c.Class)
		if !ok || n == 1 || n > 36 || c.Class == "C" {
			return // no operations, no messages, or nothing new
		}
		all, _ := Iterations(c.Name, c.Class)
		for _, rate := range []float64{0.001, 1, 3.7, operations / 100} {
			c.OperationsPerCycle = rate
			code, rest, err := c.newWorkingCode(n)
			if err != nil {
				t.Fatal(err)
			}
			const times = 3
			got := slices.Max(computed(repeatCode(code, times, rest), n)) + rest // none before the first
			want := operations / float64(all) / float64(n) / rate
			if math.Abs(float64(got)/times-want) > 0.5+1e-9*want {
				t.Errorf("%g operations a cycle: %d cycles in %d iterations, want %g in each", rate, got,
					times, want)
			}
		}
	})
}

// Operations take their time in addition to computations in cycles.
func TestOperationsAddToComputations(t *testing.T) {
	const n = 8
	c := Config{Name: "npb-lu", Class: "S", ComputeCycles: 1000, OperationsPerCycle: 2}
	both := computed(repeatCode(must.Have(NewCode(c, n)), 1, 0), n)
	c.ComputeCycles = 0
	operations := computed(repeatCode(must.Have(NewCode(c, n)), 1, 0), n)
	c.ComputeCycles, c.OperationsPerCycle = 1000, 0
	cycles := computed(repeatCode(must.Have(NewCode(c, n)), 1, 0), n)
	for r := range n {
		if both[r] != operations[r]+cycles[r] || operations[r] == 0 || cycles[r] == 0 {
			t.Errorf("process %d computes %d and %d cycles, together %d", r, operations[r], cycles[r],
				both[r])
		}
	}
}

func TestTooSlowForOperations(t *testing.T) {
	for _, rate := range []float64{1e-9, -1, math.NaN(), math.Inf(1)} {
		c := Config{Name: "npb-bt", Class: "C", OperationsPerCycle: rate}
		if _, err := NewCode(c, 4); err == nil {
			t.Errorf("%v operations a cycle are accepted", rate)
		}
	}
}
