package scheduler

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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
