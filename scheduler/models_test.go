package scheduler

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"contend/internal/must"
)

// lublin returns the jobs of a model.
func lublin(t testing.TB, c LublinConfig) []Job {
	t.Helper()
	g, err := NewLublin(c)
	return jobsOf(t, g, err)
}

// lublinPrinted are the parameters of Lublin and Feitelson 2003.
var lublinPrinted = map[string]struct {
	serial, power, low, medium, high, nearby float64 // of sizes
	a1, b1, a2, b2, pa, pb                   float64 // of run times
	arrival, spacing, all, day, cycle        float64 // of arrivals
}{
	"batch": {0.2927, 0.6686, 1.2, 5, 7, 0.875, 6.57, 0.823, 639.1, 0.0156, -0.003, 0.6986,
		6.0415, 0.8531, 1.0519, 6.1271, 5.2740},
	"interactive": {0.1541, 0.625, 1, 3, 5.5, 0.705, 3.8351, 0.6605, 7.073, 0.6856, -0.0118, 0.9156,
		6.5510, 0.6621, 0.9797, 8.9186, 3.6680},
	"all": {0.244, 0.576, 0.8, 4.5, 7, 0.86, 4.2, 0.94, 312, 0.03, -0.0054, 0.78,
		10.2303, 0.4871, 1.0225, 8.1737, 3.9631},
}

// TestLublinSizes compares the share of each size on 128 processors with the two-stage
// uniform distribution of Lublin and Feitelson 2003 with their parameters, within five
// standard deviations.
func TestLublinSizes(t *testing.T) {
	const n = 200_000
	for kind, p := range lublinPrinted {
		below := func(x float64) float64 { // of the logarithm of a parallel job's size
			piece := func(from, to float64) float64 { return min(1, max(0, (x-from)/(to-from))) }
			return p.nearby*piece(p.low, p.medium) + (1-p.nearby)*piece(p.medium, p.high)
		}
		counts := map[int]float64{}
		for _, j := range lublin(t, LublinConfig{Jobs: n, Processors: 128, Kind: kind, Seed: 5}) {
			counts[j.Size]++
		}
		sum := 0.0
		for size := 1; size <= 128; size++ {
			want := (1 - p.serial - p.power) * (below(math.Log2(float64(size)+
				0.5)) - below(math.Log2(float64(size)-0.5)))
			if bits.OnesCount(uint(size)) == 1 {
				k := math.Log2(float64(size))
				want += p.power * (below(k+0.5) - below(k-0.5))
			}
			if size == 1 {
				want += p.serial
			}
			sum += want
			if got := counts[size] / n; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/n)+1e-12 {
				t.Errorf("%s: size %d has a share of %.5f, expected %.5f", kind, size, got, want)
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("%s: the expected shares add up to %v", kind, sum)
		}
	}
}

// cutGamma returns the probability that a gamma variable of the given shape and scale
// is at most cut, and its first two moments below cut, from incomplete gamma functions.
func cutGamma(shape, scale, cut float64) (p, first, second float64) {
	p = mathext.GammaIncReg(shape, cut/scale)
	first = shape * scale * mathext.GammaIncReg(shape+1, cut/scale)
	second = shape * (shape + 1) * scale * scale * mathext.GammaIncReg(shape+2, cut/scale)
	return p, first, second
}

// TestLublinRunTimes compares mean and standard deviation of the logarithm of the run
// time, for each size, with the hyper-gamma distribution cut at 12.
func TestLublinRunTimes(t *testing.T) {
	for kind, c := range lublinPrinted {
		g := must.Have(NewLublin(LublinConfig{Jobs: 1, Processors: 128, Kind: kind, Seed: 9}))
		for _, size := range []int{1, 32, 128} {
			p := min(1, max(0, c.pa*float64(size)+c.pb))
			p1, first1, second1 := cutGamma(c.a1, c.b1, 12)
			p2, first2, second2 := cutGamma(c.a2, c.b2, 12)
			all := p*p1 + (1-p)*p2
			mean, second := (p*first1+(1-p)*first2)/all, (p*second1+(1-p)*second2)/all
			deviation := math.Sqrt(second - mean*mean)
			const n = 100_000
			var sum, squares float64
			for range n {
				// Half a second compensates for whole seconds.
				x := math.Log(g.runTime(size) + 0.5)
				sum += x
				squares += x * x
			}
			got := sum / n
			spread := math.Sqrt(squares/n - got*got)
			if math.Abs(got-mean) > 5*deviation/math.Sqrt(n)+0.03 || math.Abs(spread-deviation) > 0.06 {
				t.Errorf("%s, size %d: logarithm of the run time %.3f ± %.3f, expected %.3f ± %.3f",
					kind, size, got, spread, mean, deviation)
			}
		}
	}
}

// TestLublinArrivals: the mean time between arrivals is that of exp(gamma) cut at 13,
// and half-hours get their share of a gamma distribution.
func TestLublinArrivals(t *testing.T) {
	const n = 400_000
	for kind, c := range lublinPrinted {
		jobs := lublin(t, LublinConfig{Jobs: n, Processors: 64, Kind: kind, Seed: 2})
		// E exp(X) for X gamma below 13, by summation, with shape and scale as above.
		x := distuv.Gamma{Alpha: c.arrival * c.all, Beta: 1 / c.spacing}
		var mass, mean, second float64
		for u := 0.0005; u < 13; u += 0.001 {
			mass += x.Prob(u)
			mean += x.Prob(u) * math.Exp(u)
			second += x.Prob(u) * math.Exp(2*u)
		}
		mean, second = mean/mass, second/mass
		deviation := math.Sqrt(second-mean*mean) / math.Sqrt(n)
		if got := jobs[n-1].Submit / n; math.Abs(got-mean) > 5*deviation {
			t.Errorf("%s: %.1f s between arrivals, expected %.1f ± %.1f", kind, got, mean, deviation)
		}
		var shares, want [48]float64
		for _, j := range jobs {
			shares[int(j.Submit/1800)%48] += 1.0 / n
		}
		sum := 0.0
		day := distuv.Gamma{Alpha: c.day, Beta: 1 / c.cycle}
		for i := 11; i < 59; i++ {
			w := day.CDF(float64(i)+0.5) - day.CDF(float64(i)-0.5)
			want[(i-1)%48] = w
			sum += w
		}
		for i := range shares {
			// Arrivals come in bursts, so they scatter more than independent ones.
			if p := want[i] / sum; math.Abs(shares[i]-p) > 0.05*p+0.0008 {
				t.Errorf("%s: half-hour %d has a share of %.4f, expected %.4f", kind, i, shares[i], p)
			}
		}
	}
}

// Jobs fit any machine and come in order of submission; another seed draws others.
func TestLublinOnAnyMachine(t *testing.T) {
	for _, processors := range []int{1, 2, 3, 7, 100, 4096} {
		for kind := range lublinTable {
			c := LublinConfig{Jobs: 3000, Processors: processors, Kind: kind, Seed: 1}
			jobs, largest := lublin(t, c), 0
			c.Seed = 2
			for i, other := range lublin(t, c) {
				j := jobs[i]
				if j.Size < 1 || j.Size > processors || j.RunTime < 1 || j.RunTime > math.Exp(12) ||
					j.Estimate != j.RunTime || j.ID != JobID(i+1) || i > 0 && j.Submit < jobs[i-1].Submit ||
					other.Submit == j.Submit || other.Seed == j.Seed {
					t.Fatalf("%d processors, %s: %+v, with another seed %+v", processors, kind, j, other)
				}
				largest = max(largest, j.Size)
			}
			if kind == "batch" && largest < processors*3/5 {
				t.Errorf("on %d processors the largest job has %d", processors, largest)
			}
		}
	}
}

// Functions of the library differ in the last digit between processors, and draws do not.
func TestLublinIsTheSameOnEveryProcessor(t *testing.T) {
	for kind, want := range map[string][]float64{ // times of submission: first, second, 100th, 1000th
		"batch":       {230.34662994331987, 13064.434280818467, 551754.2045898988, 4109837.4344458254},
		"interactive": {86.4205511035632, 1696.1348959701672, 55650.31169837749, 754887.4744590931},
		"all":         {218.2450523180186, 3575.5996603448225, 77962.52005544258, 1.0020842256339877e+06},
	} {
		list := lublin(t, LublinConfig{Jobs: 1000, Processors: 64, Kind: kind, Seed: 1})
		got := []float64{list[0].Submit, list[1].Submit, list[99].Submit, list[999].Submit}
		if !slices.Equal(got, want) {
			t.Errorf("%s: jobs are submitted at %v, want %v", kind, got, want)
		}
	}
}

// cplantStream returns the jobs of a stream.
func cplantStream(t testing.TB, c CplantStreamConfig) []Job {
	t.Helper()
	g, err := NewCplantStream(c)
	return jobsOf(t, g, err)
}

// TestLeung2002Stream is sec. 4: "91 jobs of size 2, 33 jobs of size 5, 31
// jobs of size 25, and 33 jobs of size 30", "starts with some large jobs to
// fill up the machine", "small jobs are interspersed", "the last job submitted
// is small".
func TestLeung2002Stream(t *testing.T) {
	jobs := cplantStream(t, CplantStreamConfig{Interarrival: Distribution{Kind: "fixed", Mean: 3}})
	counts, large, run := map[int]int{}, 0, 0
	for i, j := range jobs {
		counts[j.Size]++
		if j.ID != JobID(i+1) || j.Submit != float64(3*i) || j.RunTime != 0 || j.Shape != nil {
			t.Fatalf("%+v", j)
		}
		if j.Size >= 25 {
			large++
			run = 0
		} else {
			run++
		}
		switch {
		case i < 4 && j.Size < 25:
			t.Errorf("job %d of the first has %d processors", i, j.Size)
		case i >= 5 && j.Size >= 25 && jobs[i-1].Size >= 25:
			t.Errorf("two large jobs in a row at %d", i)
		case run > 3:
			t.Errorf("%d small jobs in a row at %d", run, i)
		}
	}
	if d := cmp.Diff(map[int]int{2: 91, 5: 33, 25: 31, 30: 33}, counts); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if used := jobs[0].Size + jobs[1].Size + jobs[2].Size + jobs[3].Size; used+
		25 <= 128 || used > 128 {
		t.Errorf("the first four have %d processors", used)
	}
	if last := jobs[len(jobs)-1]; last.Size > 5 || large != 64 {
		t.Errorf("the last job has %d processors, %d are large", last.Size, large)
	}
}

// Seeds decide what is drawn, and nothing else.
func TestLeung2002StreamIsTheSame(t *testing.T) {
	c := CplantStreamConfig{Interarrival: Distribution{Kind: "exponential", Mean: 3},
		Service: Distribution{Kind: "exponential", Mean: 9}, Seed: 1}
	a, again := cplantStream(t, c), cplantStream(t, c)
	c.Seed = 2
	for i, j := range cplantStream(t, c) {
		if !cmp.Equal(a[i], again[i]) || j.Size != a[i].Size || j.Seed == a[i].Seed ||
			j.RunTime == a[i].RunTime || i > 0 && j.Submit == a[i].Submit || j.Estimate != j.RunTime {
			t.Errorf("%+v, again %+v, with another seed %+v", a[i], again[i], j)
		}
	}
}
