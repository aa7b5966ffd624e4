package scheduler

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"contend/internal/call"
	"contend/internal/must"
)

// synthetic returns the jobs of a stream.
func synthetic(t testing.TB, c SyntheticConfig) []Job {
	t.Helper()
	g, err := NewSynthetic(c)
	return jobsOf(t, g, err)
}

// plain is a configuration that tests change.
func plain() SyntheticConfig {
	return SyntheticConfig{Jobs: 100, Sides: []int{32, 32}, Seed: 1,
		Interarrival: Distribution{Kind: "exponential", Mean: 0.1}}
}

// TestSyntheticMeans: the mean of 50,000 exponential draws scatters by 0.45%, so 2% are
// more than four standard deviations.
func TestSyntheticMeans(t *testing.T) {
	c := plain()
	c.Jobs = 50_000
	c.Service = Distribution{Kind: "exponential", Mean: 3}
	c.Quota = Distribution{Kind: "exponential", Mean: 500}
	c.Patterns = []float64{1, 0, 3}
	var service, quota, third float64
	jobs := synthetic(t, c)
	for _, j := range jobs {
		service += j.RunTime / float64(c.Jobs)
		quota += float64(j.Quota) / float64(c.Jobs)
		third += float64(j.Pattern) / 2 / float64(c.Jobs)
		if j.Quota < 1 || j.Pattern == 1 || j.Estimate != j.RunTime {
			t.Fatalf("job %+v", j)
		}
	}
	interarrival := jobs[len(jobs)-1].Submit / float64(c.Jobs)
	for _, m := range []struct {
		name      string
		got, want float64
	}{{"interarrival", interarrival, 0.1}, {"service", service, 3}, {"quota", quota, 500},
		{"third pattern", third, 0.75}} {
		if math.Abs(m.got/m.want-1) > 0.02 {
			t.Errorf("mean %s %v, want %v", m.name, m.got, m.want)
		}
	}
}

func TestSyntheticFixed(t *testing.T) {
	c := SyntheticConfig{Jobs: 3, Sides: []int{64}, Side: SideConfig{Distribution: "fixed", Value: 5},
		Interarrival: Distribution{"fixed", 2}, Service: Distribution{"fixed", 7},
		Quota: Distribution{"fixed", 0.2}}
	want := []Job{
		{ID: 1, Submit: 2, RunTime: 7, Estimate: 7, Size: 5, Quota: 1},
		{ID: 2, Submit: 4, RunTime: 7, Estimate: 7, Size: 5, Quota: 1},
		{ID: 3, Submit: 6, RunTime: 7, Estimate: 7, Size: 5, Quota: 1},
	}
	if d := cmp.Diff(want, synthetic(t, c), cmpopts.IgnoreFields(Job{}, "Seed")); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestPatternQuota(t *testing.T) {
	c := plain()
	c.Quota, c.Patterns, c.PatternQuota = Distribution{Kind: "fixed"}, []float64{1, 1},
		[]float64{10, 20}
	for _, j := range synthetic(t, c) {
		if j.Quota != int64(10*(j.Pattern+1)) {
			t.Fatalf("pattern %d has quota %d", j.Pattern, j.Quota)
		}
	}
}

// TestStreamsAreNotAlike: no two purposes draw the same numbers. Otherwise long jobs
// would also have many messages.
func TestStreamsAreNotAlike(t *testing.T) {
	g := must.Have(NewSynthetic(plain()))
	seen := map[uint64]string{}
	for name, r := range map[string]*rand.Rand{"sides": g.sides, "arrivals": g.arrivals,
		"service": g.service, "quota": g.quota, "seeds": g.seeds, "patterns": g.patterns.r} {
		first := r.Uint64()
		if other, again := seen[first]; again {
			t.Errorf("%s and %s draw the same", name, other)
		}
		seen[first] = name
	}
}

// TestStreamsAreSeparate: a change for one purpose leaves the others unchanged.
func TestStreamsAreSeparate(t *testing.T) {
	base := plain()
	base.Service = Distribution{Kind: "exponential", Mean: 1}
	base.Quota = Distribution{Kind: "exponential", Mean: 1e6}
	want := synthetic(t, base)
	changes := map[string]func(*SyntheticConfig){
		"Pattern": func(c *SyntheticConfig) { c.Patterns = []float64{1, 1, 1} },
		"Quota":   func(c *SyntheticConfig) { c.Quota.Kind = "" },
		"Submit":  func(c *SyntheticConfig) { c.Interarrival.Kind = "fixed" },
		"Size":    func(c *SyntheticConfig) { c.Side.Distribution = "exponential" },
		"RunTime": func(c *SyntheticConfig) { c.Service.Kind = "fixed" },
	}
	for field, change := range changes {
		c := base
		change(&c)
		got := synthetic(t, c)
		ignore := []string{field}
		switch field {
		case "Size":
			ignore = append(ignore, "Shape")
		case "RunTime":
			ignore = append(ignore, "Estimate")
		}
		if d := cmp.Diff(want, got, cmpopts.IgnoreFields(Job{}, ignore...)); d != "" {
			t.Errorf("%s changed:\n%s", field, d)
		}
		if cmp.Equal(want, got) {
			t.Errorf("%s did not change", field)
		}
	}
	if !cmp.Equal(want, synthetic(t, base)) {
		t.Error("the same seed gave other jobs")
	}
	base.Seed++
	for i, j := range synthetic(t, base) {
		if j.Seed == want[i].Seed || j.Submit == want[i].Submit {
			t.Error("another seed gave the same jobs")
		}
	}
}

// TestMeanSides compares expectations with those computed by hand.
func TestMeanSides(t *testing.T) {
	r := math.Exp(-1.0 / 16)
	floored := r * (1 - math.Pow(r, 32)) / (1 - r) // sum of P(X >= k), k = 1..32
	tests := []struct {
		name string
		side SideConfig
		want float64
	}{
		{"U[1,32]", SideConfig{}, 16.5},
		{"U[2,16]", SideConfig{Distribution: "uniform", Min: 2, Max: 16}, 9},
		{"U[2,16] down", SideConfig{Min: 2, Max: 16, Round: "down"}, (2*2 + 4*4 + 8*8 + 16) / 15.0},
		{"U[2,16] nearest", SideConfig{Min: 2, Max: 16, Round: "nearest"}, (2 + 4*3 + 8*6 + 16*5) / 15.0},
		{"U[2,16] up", SideConfig{Min: 2, Max: 16, Round: "up"}, (2 + 4*2 + 8*4 + 16*8) / 15.0},
		{"increasing", SideConfig{Distribution: "increasing"}, 0.2*8.5 + 0.2*20.5 + 0.2*26.5 + 0.4*30.5},
		{"decreasing", SideConfig{Distribution: "decreasing"}, 0.4*2.5 + 0.2*6.5 + 0.2*12.5 + 0.2*24.5},
		{"exponential, clamped", SideConfig{Distribution: "exponential"}, floored + (1 - r)},
		{"exponential, redrawn", SideConfig{Distribution: "exponential", Mean: 16, Outside: "redraw"},
			(floored - 32*math.Pow(r, 33)) / (r - math.Pow(r, 33))},
		{"fixed", SideConfig{Distribution: "fixed", Value: 7}, 7},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := plain()
			c.Side = test.side
			g := must.Have(NewSynthetic(c))
			for _, got := range g.MeanSides() {
				if math.Abs(got-test.want) > 1e-12*test.want {
					t.Errorf("mean side %.15g, want %.15g", got, test.want)
				}
			}
			if got := g.MeanSize(); math.Abs(got-test.want*test.want) > 1e-11*got {
				t.Errorf("mean size %v, want %v", got, test.want*test.want)
			}
		})
	}
}

// TestSidesAsDrawn draws 40,000 sides of each distribution. The frequency of each side,
// and of each pair that matters for independence, is within five standard deviations of
// its probability.
func TestSidesAsDrawn(t *testing.T) {
	const n = 20_000
	for _, side := range []SideConfig{{}, {Distribution: "exponential"}, {Distribution: "increasing"},
		{Distribution: "decreasing"}, {Min: 2, Max: 16, Round: "nearest"}} {
		c := plain()
		c.Jobs, c.Side = n, side
		p := must.Have(side.table(32))
		mean, seen, product := 0.0, make([]int, 33), 0.0
		for k := range p {
			mean += float64(k) * p[k]
		}
		variance := 0.0
		for k := range p {
			variance += (float64(k) - mean) * (float64(k) - mean) * p[k]
		}
		for _, j := range synthetic(t, c) {
			if len(j.Shape) != 2 || j.Size != j.Shape[0]*j.Shape[1] {
				t.Fatalf("job %+v", j)
			}
			seen[j.Shape[0]]++
			seen[j.Shape[1]]++
			product += (float64(j.Shape[0]) - mean) * (float64(j.Shape[1]) - mean) / n
		}
		for k := range p {
			deviation := math.Sqrt(2 * n * p[k] * (1 - p[k]))
			if math.Abs(float64(seen[k])-2*n*p[k]) > 5*deviation {
				t.Errorf("%+v: side %d drawn %d times of %d, probability %v", side, k, seen[k], 2*n, p[k])
			}
		}
		if math.Abs(product) > 5*variance/math.Sqrt(n) {
			t.Errorf("%+v: sides covary by %v", side, product)
		}
	}
}

// TestIntervalsScale: on a side of 16 all bounds are halved.
func TestIntervalsScale(t *testing.T) {
	got := must.Have(SideConfig{Distribution: "increasing"}.table(16))
	want := []float64{0, .025, .025, .025, .025, .025, .025, .025, .025, .05, .05, .05,
		.05, .1, .1, .2, .2}
	if d := cmp.Diff(want, got, cmpopts.EquateApprox(1e-12, 0)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestTablesAddUp for every distribution, rounding and side.
func TestTablesAddUp(t *testing.T) {
	kinds := []SideConfig{{}, {Distribution: "exponential"}, {Distribution: "increasing"},
		{Distribution: "exponential", Outside: "redraw"}, {Distribution: "decreasing"},
		{Distribution: "fixed", Value: 1}}
	for n := 8; n <= 70; n++ {
		for _, c := range kinds {
			for _, c.Round = range []string{"none", "down", "nearest", "up"} {
				p, sum := must.Have(c.table(n)), 0.0
				for k := range p {
					sum += p[k]
					if p[k] != 0 && c.Round != "none" && k&(k-1) != 0 {
						t.Fatalf("%+v: side %d", c, k)
					}
				}
				if math.Abs(sum-1) > 1e-12 || p[0] != 0 || slices.Min(p) < 0 {
					t.Fatalf("%+v on a side of %d: %v", c, n, p)
				}
			}
		}
	}
}

// Sizes have the means computed by hand, on machines of other numbers of nodes too: exponential ones
// that of the nearest number above 0, which is 1/(2 sinh(1/2m)) and what lies below a half.
func TestMeanSizes(t *testing.T) {
	between := func(kind string, low, high int) SizeConfig {
		return SizeConfig{Distribution: kind, Min: low, Max: high}
	}
	const m = 3.0
	for _, c := range []struct {
		size        SizeConfig
		nodes       int
		want        float64
		round       string
		dependsOnIt bool
	}{
		{between("uniform", 1, 64), 64, 32.5, "none", false},
		{between("uniform", 0, 0), 100, 50.5, "none", true},
		{between("uniform", 5, 8), 100, 6.5, "none", false},
		{between("power-of-two", 1, 64), 64, 127.0 / 7, "nearest", false},
		{between("power-of-two", 3, 0), 100, (4 + 8 + 16 + 32 + 64) / 5.0, "nearest", true},
		{between("log-uniform", 1, 3), 64, (math.Log(2) + 2*math.Log(1.5) + 3*math.Log(4/3.0)) / math.Log(4),
			"none", false},
		{SizeConfig{Distribution: "exponential", Mean: m}, 1000,
			1/(2*math.Sinh(1/(2*m))) + 1 - math.Exp(-0.5/m), "none", true},
		{SizeConfig{Distribution: "fixed", Value: 16}, 64, 16, "none", false},
		{SizeConfig{Distribution: "weighted", Weights: []call.Weight{{Value: 4, Weight: 3},
			{Value: 12, Weight: 1}}}, 64, 6, "none", false},
		{SizeConfig{Distribution: "weighted", Weights: []call.Weight{{Value: 4, Weight: 1},
			{Value: 16, Weight: 1}}}, 16, 10, "nearest", false},
	} {
		g := must.Have(NewSynthetic(SyntheticConfig{Jobs: 4000, Nodes: c.nodes, Size: c.size, Seed: 3,
			Interarrival: Distribution{Kind: "fixed"}}))
		if got := g.MeanSize(); math.Abs(got/c.want-1) > 1e-9 {
			t.Errorf("%+v on %d nodes: mean %v, want %v", c.size, c.nodes, got, c.want)
		}
		if c.size.Round() != c.round || c.size.DependsOnMachine() != c.dependsOnIt {
			t.Errorf("%+v: rounds %s, depends on the machine: %v", c.size, c.size.Round(),
				c.size.DependsOnMachine())
		}
		var sum, square float64
		for _, j := range jobsOf(t, g, nil) {
			sum, square = sum+float64(j.Size), square+float64(j.Size*j.Size)
			if j.Size < 1 || j.Size > c.nodes || j.Shape != nil {
				t.Fatalf("%+v on %d nodes: job %+v", c.size, c.nodes, j)
			}
		}
		mean := sum / 4000
		if e := math.Sqrt((square/4000 - mean*mean) / 4000); math.Abs(mean-c.want) > 4*e+1e-9 {
			t.Errorf("%+v: mean of jobs %v, want %v within 4 x %v", c.size, mean, c.want, e)
		}
	}
}
