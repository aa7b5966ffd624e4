package fastforward

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/experiments/sim/executor"
	"contend/experiments/stats"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// The first jumps are audited for certain, later ones with a probability of a twentieth on average,
// which falls from manyJumps on, half of it in proportion to their length, and those after a jam
// for certain. The audits stand for all jumps, and weigh as much as fifty equal ones or more.
func TestDrawOfAudits(t *testing.T) {
	a := &audits{first: 20, rng: rand.New(rand.NewPCG(1, 2)), tolerance: 0.02}
	rng := rand.New(rand.NewPCG(3, 4))
	drawn, all, squares := 0, 0.0, 0.0
	const jumps = 40000
	for i := range jumps {
		length := rng.ExpFloat64() * 1000
		x := a.draw(&component{jobs: make([]*jobState, 2)}, &forecast{}, int64(length))
		switch {
		case i < 20 && (x == nil || x.probability != 1):
			t.Fatalf("jump %d: %+v", i, x)
		case i >= 20 && x != nil:
			drawn++
			all, squares = all+1/x.probability, squares+1/x.probability/x.probability
			want := 0.025 * (1 + length/1000) * min(1, manyJumps/float64(i+1))
			if i > 500 && math.Abs(x.probability/want-1) > 0.1 {
				t.Fatalf("a jump of %v cycles is drawn with probability %v, want %v", length,
					x.probability, want)
			}
		}
	}
	expected := auditShare * manyJumps * (1 + math.Log(jumps/manyJumps))
	if math.Abs(float64(drawn)/expected-1) > 0.15 || math.Abs(all/jumps-1) > 0.25 ||
		all*all/squares < 50 {
		t.Errorf("%d of %d are drawn, which stand for %v as %v would", drawn, jumps, all,
			all*all/squares)
	}
	jammed := &component{jobs: make([]*jobState, 2), window: window{shortest: 5}}
	if x := a.draw(jammed, &forecast{}, 1); x == nil || x.probability != 1 {
		t.Errorf("after a jam: %+v", x)
	}
	if x := (&audits{}).draw(jammed, &forecast{}, 1); x != nil {
		t.Errorf("without audits: %+v", x)
	}
}

// What an audit compares are iterations that took 110 cycles in place of 100, and a packet that
// waits for 30 cycles in each, 10 of them for other jobs, in place of 20 and none.
func TestErrorsOfAnAudit(t *testing.T) {
	c := &component{jobs: []*jobState{{perIteration: 4}, {perIteration: 4}}}
	f := &forecast{jobs: []period{{iterations: 1, cycles: 100}, {iterations: 1, cycles: 100}}}
	f.jobs[0].totals = netsim.Totals{Messages: 2, Blocked: 10}
	from := []mark{{cycle: 1000, iterations: 7, totals: netsim.Totals{Blocked: 5}}, {cycle: 1000}}
	to := []mark{{cycle: 2100, iterations: 17, totals: netsim.Totals{Blocked: 305, Foreign: 100}},
		{cycle: 1000}}
	got := errorsOf(c, f, from, to)
	want := [errorKinds]float64{0.1, 300.0/1100 - 0.2, 100.0 / 1100}
	for kind := range errorKinds {
		if math.Abs(got[0].errors[kind]-want[kind]) > 1e-12 {
			t.Errorf("errors %v, want %v", got[0].errors, want)
		}
	}
	if got[0].levels != [errorKinds]float64{1, 0.2, 0} || !got[0].known || got[1].known {
		t.Errorf("%+v", got)
	}
}

// Jobs that jump and are audited at the same time end as if nobody had looked, where all they do is
// known exactly, and the errors that audits see are those of the jumps: here none.
func TestAuditsOfWhatIsKnown(t *testing.T) {
	config := grid(t, 4).Config()
	config.VirtualChannels, config.SwitchAllocator = 2, router.ISLIP // states are not compared
	var jobs []started
	for row := range 3 {
		jobs = append(jobs, started{job: scheduler.Job{ID: scheduler.JobID(row + 1), Size: 4,
			Pattern: 4, Seed: 1, Quota: 8000, Compute: 100, Lead: 100}, nodes: []topology.Node{
			topology.Node(4 * row), topology.Node(4*row + 1), topology.Node(4*row + 2),
			topology.Node(4*row + 3)}})
	}
	full := drive(t, executor.New(newNetwork(t, config), mixed, clock), jobs)
	e := New(newNetwork(t, config), mixed, clock, Config{Tolerance: 0.1}, executor.Software{})
	e.Audit(2, rand.New(rand.NewPCG(1, 1)))
	for id, end := range drive(t, e, jobs) {
		if off := float64(end - full[id]); math.Abs(off) > 0.001*float64(full[id]) {
			t.Errorf("job %d ends at %d, in full at %d", id, end, full[id])
		}
	}
	if len(e.audits.list) != 2 || e.audits.jams > 0 || slices.ContainsFunc(e.audits.jobs,
		func(x observation) bool { return x.size() > 0.01 }) {
		t.Errorf("audits %+v", e.audits)
	}
	if e.sums.jumpedCycles < 0.5*e.sums.serviceCycles {
		t.Errorf("%v of %v cycles are jumped", e.sums.jumpedCycles, e.sums.serviceCycles)
	}
}

// slowing is a pattern whose messages grow after some iterations: a job that comes to take longer
// than was foreseen, as in a jam.
type slowing struct{ phases, after int }

func (s *slowing) Phases() int     { return 1 }
func (s *slowing) Messages() int64 { return 2 }
func (s *slowing) Phase(dst []patterns.Message, _ int) []patterns.Message {
	flits := int32(16)
	if s.phases++; s.phases > s.after {
		flits = 32
	}
	return append(dst, patterns.Message{From: 0, To: 1, Flits: flits},
		patterns.Message{From: 1, To: 0, Flits: flits})
}

// An audit that finds a jam has its component simulated on until its rate has settled anew. Without
// audits the job ends far too early.
func TestJam(t *testing.T) {
	mix := []patterns.Config{{Name: "slowing", OwnDraws: true,
		Own: func(int, []int, int32, *rand.Rand) (patterns.Pattern, error) {
			return &slowing{after: 60}, nil
		}}}
	jobs := []started{{job: scheduler.Job{ID: 1, Size: 2, Seed: 1, Quota: 40000},
		nodes: []topology.Node{0, 1}}}
	full := float64(drive(t, executor.New(grid(t, 4), mix, clock), jobs)[1])
	for _, audited := range []bool{false, true} {
		e := New(grid(t, 4), mix, clock, Config{Tolerance: 0.1}, executor.Software{})
		unsure, carry := 0.0, 0.0
		e.Unsure = func(_ scheduler.JobID, cycles, half float64) { unsure, carry = cycles, half }
		if audited {
			e.Audit(1, rand.New(rand.NewPCG(1, 1)))
		}
		off := float64(drive(t, e, jobs)[1])/full - 1
		half := e.audits.quantile()*unsure + carry
		switch jam := off < -0.1; {
		case jam == audited:
			t.Errorf("audited %v: the end is %+.1f%% off", audited, 100*off)
		case audited && (e.audits.jams != 1 || math.Abs(off) > half/full):
			t.Errorf("%d jams, %+.2f%% off, interval of %.2f%%", e.audits.jams, 100*off, 100*half/full)
		}
	}
}

// An audit that finds a jam stands for the jump that it was drawn for: of 1000 cycles here, of
// which it has followed 50 with an error of 20%, and at the end of 40%; or until another job comes.
func TestAJamStandsForItsJump(t *testing.T) {
	for now, want := range map[int64]observation{
		5000: {weight: 2000, errors: [errorKinds]float64{timeError: 0.2*0.05 + 0.4*0.95}},
		200:  {weight: 200, errors: [errorKinds]float64{timeError: 0.3}},
	} {
		e := &Executor{now: now}
		x := &audit{probability: 0.5, length: 1000, began: 100, end: 150}
		for i, of := range []*[]jobErrors{&x.whole, &x.last} {
			*of = []jobErrors{{known: true, errors: [errorKinds]float64{timeError: 0.2 * float64(1+i)}}}
		}
		e.endAudits(&component{jammed: []*audit{x}})
		if got := e.audits.list[0]; math.Abs(got.weight-want.weight) > 1e-9 ||
			math.Abs(got.errors[timeError]-want.errors[timeError]) > 1e-9 {
			t.Errorf("at %d: %+v, want %+v", now, got, want)
		}
	}
}

// The half width of the mean is that of the formula, by hand: two audits of equal weight with
// errors of 1 and 3%: a mean of 2%, a deviation of the mean of 1%, and Student's t of one degree of
// freedom. Jams may have been unseen in 3/2 of the time, which counts for waits as the largest
// error, and from 60 audits on in none.
func TestMeanOfAudits(t *testing.T) {
	a := &audits{tolerance: 0.02}
	for range fewAudits / 2 {
		for _, x := range []float64{0.01, 0.03} {
			a.list = append(a.list, observation{errors: [errorKinds]float64{x, x},
				levels: [errorKinds]float64{timeError: 1}, weight: 5})
		}
	}
	if unseen := a.unseen(); unseen != 0 {
		t.Errorf("unseen %v of many audits", unseen)
	}
	a.list = a.list[:2]
	bias, half, level := a.mean(timeError)
	want := 12.706205 * 0.01
	if math.Abs(bias-0.02) > 1e-12 || math.Abs(half-want) > 1e-6 || level != 1 || a.unseen() != 1.5 {
		t.Errorf("bias %v, half %v, level %v, unseen %v", bias, half, level, a.unseen())
	}
	if _, half, _ := a.mean(blockedError); math.Abs(half-want-1.5*0.03) > 1e-6 {
		t.Errorf("half width %v of waits", half)
	}
}

// Rates are used as soon as they have settled if 60 audits, where Student's t is 2.0003, have a
// mean square error of jobs of half the tolerance over t, by weight; not after 59, nor with larger
// errors.
func TestPreciseAudits(t *testing.T) {
	limit := 0.01 / 2.0003
	for _, test := range []struct {
		audits       int
		small, large float64
		want         bool
	}{
		{60, 0.99, 0.99, true}, {59, 0.99, 0.99, false}, {60, 1.01, 1.01, false},
		{60, 0.1, 1.9, true}, {60, 0.1, 2.1, false},
	} {
		a := &audits{tolerance: 0.02, list: make([]observation, test.audits),
			jobs: []observation{{errors: [errorKinds]float64{limit * test.small}, weight: 3},
				{errors: [errorKinds]float64{-limit * test.large}, weight: 1}}}
		if got := a.precise(); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// The bound of few errors is that of their mean square, pooled with the half widths of windows,
// which count as the tolerance at least below 20 errors; the quantile of many is exceeded by 5%.
func TestQuantileOfAudits(t *testing.T) {
	a := &audits{tolerance: 0.02, jumped: 5, claimed: 5 * 0.01 * 0.01}
	if got := a.quantile(); got != 0.02 {
		t.Errorf("without audits %v", got)
	}
	// Student's t is 2.1314 with 15 degrees of freedom.
	for _, c := range []struct {
		errors, zeros    int
		student, windows float64
	}{{1, 0, 2.1199, 0.02}, {2, 17, 2.0322, 0.02}, {2, 18, 2.0301, 0.01}} {
		a.jobs = make([]observation, c.zeros, 20)
		for i := range a.jobs {
			a.jobs[i].weight = 1
		}
		for range c.errors {
			a.jobs = append(a.jobs, observation{errors: [errorKinds]float64{-0.03}, weight: 1})
		}
		claimed := 15 * c.windows * c.windows / (2.1314 * 2.1314)
		want := c.student * math.Sqrt((claimed+0.0009*float64(c.errors))/float64(15+len(a.jobs)))
		if got := a.quantile(); math.Abs(got/want-1) > 1e-4 {
			t.Errorf("%+v: %v, want %v", c, got, want)
		}
	}
	a = &audits{tolerance: 0.02}
	for i := range 1000 {
		x := float64(1+i*7%1000) / 1000
		a.jobs = append(a.jobs, observation{errors: [errorKinds]float64{x}, weight: 1})
	}
	if got := a.quantile(); got < 0.95 || got > 0.953 {
		t.Errorf("of 0.001, 0.002, ... 1: %v", got)
	}
}

// jumpOfToy is a jump of a length with a small error, which a jam may raise by 12% from a moment
// on.
type jumpOfToy struct{ length, small, jams float64 }

// off returns the error summed up between two times of the jump.
func (j jumpOfToy) off(from, to float64) float64 {
	return j.small*(to-from) + 0.12*max(0, to-max(from, j.jams))
}

// Intervals hold in runs whose jumps have errors that are drawn: those of the mean over all jumps,
// and those of single jumps: in 85% of runs at least where a tenth of all jumps jam late.
func TestIntervalsOfAuditsHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 7))
	for _, c := range []struct {
		jumps int
		jam   float64
	}{{30, 0}, {100, 0}, {100, 0.02}, {400, 0.02}, {400, 0.1}, {8000, 0}, {8000, 0.02}, {8000, 0.1}} {
		held, single, singles := 0, 0, 0
		const runs, smallHalf = 300, 2.1314 * 0.002 // as batch means say of small errors
		for range runs {
			a := &audits{first: 20, rng: rng, tolerance: 0.02}
			var left, truth float64
			var list []jumpOfToy
			for range c.jumps {
				j := jumpOfToy{math.Exp(3 + 1.2*rng.NormFloat64()), 0.002 * rng.NormFloat64(), math.Inf(1)}
				if rng.Float64() < c.jam {
					j.jams = j.length * 0.3 * rng.ExpFloat64()
				}
				list = append(list, j)
				x := a.draw(&component{jobs: make([]*jobState, 1)}, &forecast{}, int64(j.length))
				followed := 0.0
				if x != nil {
					followed = min(j.length, 30)
					last := j.off(followed/2, followed) / (followed / 2)
					r := (j.off(0, followed) + last*(j.length-followed)) / j.length
					a.list = append(a.list, observation{errors: [errorKinds]float64{r},
						levels: [errorKinds]float64{1}, weight: j.length / x.probability})
					a.jobs = a.list
				}
				truth += j.off(followed, j.length)
				left += j.length - followed
				a.jumped += j.length
				a.claimed += j.length * smallHalf * smallHalf
			}
			bias, half, _ := a.mean(timeError)
			off := min(max(math.Abs(bias)+half, a.tolerance), a.pooledHalf(a.list))
			if math.Abs(truth) <= off*left {
				held++
			}
			for range 5 {
				j := list[rng.IntN(len(list))]
				if singles++; math.Abs(j.off(0, j.length)/j.length) <= a.quantile() {
					single++
				}
			}
		}
		if float64(held) < 0.85*runs || float64(single) < 0.9*float64(singles) {
			t.Errorf("%d jumps, %v of them jam: %d of %d means and %d of %d jumps are held", c.jumps,
				c.jam, held, runs, single, singles)
		}
	}
}

// Of a service time of 1000 cycles 400 are not sure, and waits are 50 cycles. Without audits the
// error of the time is the tolerance, and the waits may be wrong as a whole. One audit with an
// error of 3%, and waits of 0.1 cycles a cycle more in place of 0.2, counts with its error, that of
// waits with the rule of three, and smaller errors count as the tolerance, unless mean squares say
// less: of the errors of jobs for waits, of audits and windows for the time. Without estimated jumps
// there is no error.
func TestErrorsOfARun(t *testing.T) {
	e := &Executor{config: Config{Tolerance: 0.02}, audits: audits{tolerance: 0.02}}
	e.sums.serviceCycles, e.sums.unsureCycles = 1000, 400
	check := func(want map[string]float64) {
		t.Helper()
		got := map[string]float64{}
		add := func(name string, x float64) {
			if got[name] = x; math.Abs(x-want[name]) > 1e-9 {
				t.Errorf("%s is %v, want %v", name, x, want[name])
			}
		}
		e.addErrors(add, "service", timeError, 1000)
		e.addErrors(add, "waits", blockedError, 50)
		for name := range want {
			if _, ok := got[name]; !ok {
				t.Errorf("no %s", name)
			}
		}
	}
	check(map[string]float64{"service_error": 100 * 0.02 * 0.4, "waits_error": 100})
	e.audits.list = []observation{{errors: [errorKinds]float64{0.03, 0.1}, weight: 9,
		levels: [errorKinds]float64{1, 0.2}}}
	check(map[string]float64{"service_error": 100 * 0.03 * 0.4, "service_bias": 1.2,
		"unseen_jams": 100 * 3 * 0.02 * 0.4, "waits_error": 100 * (0.1 + 3*0.1) * 8,
		"waits_bias": 80})
	// 60 equal audits and windows that claim the tolerance have 75 degrees of freedom.
	windows := 15 * 0.02 * 0.02 / math.Pow(stats.Half(1, 15, 0.95), 2)
	e.audits.jobs = []observation{{errors: [errorKinds]float64{0.03, 1}, weight: 9}}
	e.audits.list = slices.Repeat(e.audits.list, fewAudits)
	for _, mean := range []float64{0.003, 0.03} {
		for i := range e.audits.list {
			e.audits.list[i].errors = [errorKinds]float64{mean, 0.1}
		}
		pooled := stats.Half((windows+60*mean*mean)/75, 75, 0.95)
		check(map[string]float64{"service_error": 40 * min(max(0.02, mean), pooled),
			"service_bias": 40 * mean, "unseen_jams": 0, "waits_error": 80, "waits_bias": 80})
	}
	e.audits.jobs = []observation{{errors: [errorKinds]float64{0.003, 0.06}, weight: 4},
		{errors: [errorKinds]float64{0.004, -0.02}, weight: 5}}
	check(map[string]float64{"service_error": 1.2, "service_bias": 1.2, "waits_bias": 80,
		"waits_error": 800 * stats.Half((4*36+5*4)/9e4, fewAudits, 0.95)})
	e.sums.unsureCycles = 0
	check(map[string]float64{"service_error": 0, "service_bias": 0, "waits_error": 0,
		"waits_bias": 0})
}
