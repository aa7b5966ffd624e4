package patterns

import (
	"math"
	"slices"
	"testing"

	"contend/internal/must"
)

// sentBy returns the number of messages and bytes that process r sends.
func (m *Matrix) sentBy(r int) (messages, bytes int64) {
	for to := range m.N {
		messages += m.Messages[r*m.N+to]
		bytes += m.Bytes[r*m.N+to]
	}
	return messages, bytes
}

// Totals of class A that follow from the benchmark's source.

func TestFTOfClassA(t *testing.T) {
	for n, want := range map[int]struct{ each, timed int64 }{4: {8388608, 84}, 16: {524288, 1680},
		64: {32768, 28224}} {
		iterations, _ := Iterations("npb-ft", "A")
		m := must.Have(NewMatrix(Config{Name: "npb-ft"}, n, nil, nil))
		reduced := int64(n - 1)
		if messages, _ := m.Sum(); int64(iterations)*(messages-reduced) != want.timed {
			t.Errorf("%d processes: %d messages in all-to-alls, want %d", n,
				int64(iterations)*(messages-reduced), want.timed)
		}
		for i := range n {
			for j := range n {
				bytes := m.Bytes[i*n+j]
				if reduces := i > 0 && j == i&(i-1); reduces {
					bytes -= 16
				}
				if i != j && bytes != want.each {
					t.Errorf("%d processes: %d bytes from %d to %d, want %d", n, bytes, i, j, want.each)
				}
			}
		}
	}
}

// With more than one plane of the grid per process, FT has all-to-alls along the rows
// and columns of a grid of processes. In each of them all of the grid moves except the
// process's own part.
func TestFTOnAGridOfProcesses(t *testing.T) {
	const n, nz, points = 64, 32, 128 * 128 * 32 // class W
	m := must.Have(NewMatrix(Config{Name: "npb-ft", Class: "W"}, n, nil, nil))
	for i := range n {
		for j := range n {
			want := int64(0)
			if i != j && i%2 == j%2 { // along z
				want += 16 * points / n / nz
			}
			if i != j && i/2 == j/2 {
				want += 16 * points / n / 2
			}
			if i > 0 && j == i&(i-1) {
				want += 16
			}
			if got := m.Bytes[i*n+j]; got != want {
				t.Fatalf("%d bytes from %d to %d, want %d", got, i, j, want)
			}
		}
	}
}

func TestISOfClassA(t *testing.T) {
	const n, keys = 16, 1 << 23
	m := must.Have(NewMatrix(Config{Name: "npb-is"}, n, nil, nil))
	for i := range n {
		for j := range n {
			want := int64(4 + 4*keys/(n*n))
			if d := i ^ j; d == 0 {
				want = 0
			} else if powerOfTwo(d) {
				want += 4 * (1024 + 5)
			}
			if got := m.Bytes[i*n+j]; got != want {
				t.Errorf("%d bytes from %d to %d, want %d", got, i, j, want)
			}
		}
	}
	small := must.Have(NewMatrix(Config{Name: "npb-is", Class: "S"}, 2, nil, nil))
	if _, bytes := small.Sum(); bytes != 2*(4*(512+5)+4+4*(1<<16)/4) {
		t.Errorf("class S: %d bytes", bytes)
	}
}

// A process on the diagonal is its own transpose. A message to itself does not enter
// the network.
func TestCGOfClassA(t *testing.T) {
	outer, _ := Iterations("npb-cg", "A")
	for n, want := range map[int]int64{4: 1575, 16: 2760, 64: 3945} {
		m := must.Have(NewMatrix(Config{Name: "npb-cg"}, n, nil, nil))
		rows := 1
		for rows*rows < n {
			rows *= 2
		}
		for r := range n {
			sends, _ := m.sentBy(r)
			if r/rows == r%rows {
				sends += 26
			}
			if sends*int64(outer) != want {
				t.Errorf("%d processes: process %d sends %d times, want %d", n, r, sends*int64(outer), want)
			}
		}
		// A process above the diagonal sends vectors of 14000 reals over the rows.
		_, bytes := m.sentBy(1)
		l, vector := int64(log2(Rank(rows))), int64(8*14000/rows)
		if want := 26*l*vector + 26*vector + 52*l*8 + l*16; bytes != want {
			t.Errorf("%d processes: process 1 sends %d bytes, want %d", n, bytes, want)
		}
	}
	// With twice as many columns as rows half of the vector is enough.
	m := must.Have(NewMatrix(Config{Name: "npb-cg"}, 8, nil, nil))
	_, bytes := m.sentBy(2) // row 0 of 2, column 2 of 4: 2·((1 mod 2)·2 + 0) is its transpose
	if want := int64(26*2*(8*7000/2) + 26*(8*7000/2) + 52*2*8 + 2*16); bytes != want ||
		m.Messages[2*8+4] != 26 {
		t.Errorf("8 processes: process 2 sends %d bytes, want %d, and %d times to process 4", bytes, want,
			m.Messages[2*8+4])
	}
}

func TestMGOfClassA(t *testing.T) {
	for n, want := range map[int]int64{8: 1104, 16: 2128, 64: 8352} {
		m := must.Have(NewMatrix(Config{Name: "npb-mg"}, n, nil, nil))
		if messages, _ := m.Sum(); messages != want {
			t.Errorf("%d processes: %d messages an iteration, want %d", n, messages, want)
		}
	}
	// Eight processes have points on all levels and send two messages to each of three
	// others: on levels of 2 to 128 points a side once down and twice up, on the
	// coarsest once down and once up, on the finest three times.
	m := must.Have(NewMatrix(Config{Name: "npb-mg"}, 8, nil, nil))
	want := [3]int64{}
	for side := int64(2); side <= 256; side *= 2 {
		times := int64(3)
		if side == 2 {
			times = 2
		}
		s := side / 2
		want[0] += times * 2 * 8 * s * s
		want[1] += times * 2 * 8 * (s + 2) * s
		want[2] += times * 2 * 8 * (s + 2) * (s + 2)
	}
	for axis, to := range []int{1, 2, 4} {
		if got := m.Bytes[to]; got != want[axis] {
			t.Errorf("axis %d: %d bytes from process 0 to %d, want %d", axis, got, to, want[axis])
		}
	}
}

func TestLUOfClassA(t *testing.T) {
	steps, _ := Iterations("npb-lu", "A")
	for n, want := range map[int]int64{4: 126000, 16: 756000, 64: 3528000} {
		m := must.Have(NewMatrix(Config{Name: "npb-lu"}, n, nil, nil))
		if messages, _ := m.Sum(); messages*int64(steps) != want {
			t.Errorf("%d processes: %d messages, want %d", n, messages*int64(steps), want)
		}
	}
	// 16 processes of 16 x 16 points: the corner has a neighbour in each direction. Its
	// interior is a point shorter along the corner's sides.
	m := must.Have(NewMatrix(Config{Name: "npb-lu"}, 16, nil, nil))
	if want := int64(62*40*15 + 80*16*64); m.Bytes[1] != want || m.Bytes[4] != want ||
		m.Bytes[16] != want {
		t.Errorf("%d, %d and %d bytes at the corner, want %d", m.Bytes[1], m.Bytes[4], m.Bytes[16], want)
	}
	if want := int64(62*40*16 + 80*16*64); m.Bytes[5*16+6] != want || m.Bytes[5*16+9] != want {
		t.Errorf("%d and %d bytes inside, want %d", m.Bytes[5*16+6], m.Bytes[5*16+9], want)
	}
}

func TestBTAndSPOfClassA(t *testing.T) {
	for name, sends := range map[string]map[int]int64{
		"npb-bt": {4: 2400, 16: 4800, 64: 9600},
		"npb-sp": {4: 4800, 16: 9600, 64: 19200},
	} {
		steps, _ := Iterations(name, "A")
		for n, want := range sends {
			m := must.Have(NewMatrix(Config{Name: name}, n, nil, nil))
			q, _ := NearSquare(n)
			s := int64(64 / q)
			faces := 6 * 80 * int64(q-1) * s * s
			for r := range n {
				messages, bytes := m.sentBy(r)
				if messages*int64(steps) != want {
					t.Errorf("%s, %d processes: process %d sends %d times, want %d", name, n, r,
						messages*int64(steps), want)
				}
				solves := 3 * int64(q-1) * (240 + 40) * (s + 1) * (s + 1)
				if name == "npb-bt" && bytes != faces+solves {
					t.Errorf("%d processes: process %d sends %d bytes, want %d", n, r, bytes, faces+solves)
				}
			}
			if name == "npb-sp" {
				// The faces of every slab without the cube's boundary, forth and back
				// across each of the q-1 cuts along three axes.
				_, bytes := m.Sum()
				if want := int64(n)*faces + 3*int64(q-1)*(176+80)*62*62; bytes != want {
					t.Errorf("%d processes send %d bytes, want %d", n, bytes, want)
				}
			}
		}
	}
}

func TestIterations(t *testing.T) {
	for _, i := range codePatterns {
		for _, class := range Classes() {
			n, ok := Iterations(i.Name, class)
			if npb := i.Name[:4] == "npb-"; ok != npb || npb && n < 4 {
				t.Errorf("%s of class %s: %d iterations, %v", i.Name, class, n, ok)
			}
		}
	}
	if _, ok := Iterations("npb-ft", "D"); ok {
		t.Error("there is no class D")
	}
}

// A ring of four sends ten flits of 32 bytes, or of 8 where nothing is said, to the next.
func TestMatrixOfARing(t *testing.T) {
	for flitBytes, each := range map[int]int64{0: 80, 32: 320} {
		c := Config{Name: "ring", Flits: 10, FlitBytes: flitBytes}
		m := must.Have(NewMatrix(c, 4, nil, nil))
		want := []int64{0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0}
		for i, messages := range m.Messages {
			if messages != want[i] || m.Bytes[i] != each*messages {
				t.Errorf("%d: %d messages and %d bytes from %d to %d", flitBytes, messages, m.Bytes[i],
					i/4, i%4)
			}
		}
		if messages, bytes := m.Sum(); messages != 4 || bytes != 4*each {
			t.Errorf("%d: %d messages, %d bytes", flitBytes, messages, bytes)
		}
	}
	m := Matrix{N: 3, Messages: []int64{0, 2, 1, 0, 0, 0, 1, 0, 0}}
	if lowest, highest := m.Partners(); lowest != 0 || highest != 2 {
		t.Errorf("%d to %d partners, want 0 to 2", lowest, highest)
	}
}

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
