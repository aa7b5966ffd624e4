package netsim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/internal/story"
	"contend/router"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Messages are created cycle by cycle and in a cycle node by node, their gaps and
// destinations drawn in that order: as by a program that looks at every node in
// every cycle.
func TestTrafficIsDrawnInOrder(t *testing.T) {
	for _, load := range []float64{0, 0.05, 0.9, 4} {
		const nodes, flits, until = 20, 4, 3000
		type sent struct {
			cycle    Cycle
			from, to topology.Node
		}
		var got, want []sent
		n := must.Have(New(Default(cube(t, false, 5, 4))))
		uniform := Uniform(nodes)
		tr := started(n, Traffic{Load: load, Flits: flits, Destination: func(from topology.Node,
			rng *rand.Rand) topology.Node {
			to := uniform(from, rng)
			got = append(got, sent{n.Now(), from, to})
			return to
		}}, 3, 4)
		run(t, n, tr, until)
		rng := rand.New(rand.NewPCG(3, 4))
		gap := func() Cycle {
			if p := load / flits; p < 1 {
				return 1 + Cycle(math.Log1p(-rng.Float64())/math.Log1p(-p))
			}
			return 1
		}
		var due [nodes]Cycle
		for i := range due {
			due[i] = until
			if load > 0 {
				due[i] = gap() - 1
			}
		}
		for now := range Cycle(until) {
			for from := range topology.Node(nodes) {
				if due[from] == now {
					want = append(want, sent{now, from, uniform(from, rng)})
					due[from] += gap()
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("load %v: %d messages, want %d, or others", load, len(got), len(want))
		}
	}
}

// A window counts the messages created from its first cycle to before its end: of
// nodes that create one in every cycle, as many as it has cycles.
func TestWindowCountsItsCycles(t *testing.T) {
	cube := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{3, 3}}))
	for _, window := range []Window{{From: 0, Until: 1}, {From: 7, Until: 7}, {From: 7, Until: 19}} {
		n := must.Have(New(Default(cube)))
		tr := started(n, Traffic{Load: 1, Flits: 1, Count: window}, 1, 2)
		run(t, n, tr, 40)
		if want := 9 * (window.Until - window.From); tr.Count.N != want {
			t.Errorf("%d messages from %d to before %d, want %d", tr.Count.N, window.From, window.Until,
				want)
		}
	}
}

// sources runs traffic of 16 nodes and returns the cycles in which each node created
// messages.
func sources(t *testing.T, tr Traffic, until Cycle) (cycles [16][]Cycle) {
	t.Helper()
	c := Default(cube(t, false, 4, 4))
	n := must.Have(New(c))
	if err := tr.Check(); err != nil {
		t.Fatal(err)
	}
	// Nothing is sent, so that no network holds up the time.
	tr.Destination = func(from topology.Node, _ *rand.Rand) topology.Node {
		cycles[from] = append(cycles[from], n.Now())
		return from
	}
	tr.Start(16, rand.New(rand.NewPCG(1, 7)))
	run(t, n, &tr, until)
	return cycles
}

// The mean load with bursts is that without, within the interval over nodes.
func TestBurstsHaveTheMeanLoad(t *testing.T) {
	const until, flits = 200_000, 4
	for _, b := range []Bursts{{}, {Cycles: 1, Share: 0.3}, {Cycles: 50, Share: 0.25},
		{Cycles: 400, Share: 0.7}} {
		cycles := sources(t, Traffic{Load: 0.4, Flits: flits, Bursts: b}, until)
		mean, square := 0.0, 0.0
		for _, list := range cycles {
			load := float64(len(list)) * flits / until
			mean, square = mean+load/16, square+load*load/16
		}
		half := 3.73 * math.Sqrt((square-mean*mean)/15) // Student's t, 99.8%, 15 degrees of freedom
		if math.Abs(mean-0.4) > half || half > 0.05 {
			t.Errorf("%+v: the load is %.4f ± %.4f, want 0.4", b, mean, half)
		}
	}
}

// With a message in each cycle of a burst, runs of cycles are the bursts: their mean length,
// its distribution and their share of time are those asked for.
func TestBurstsAreGeometric(t *testing.T) {
	const until = 300_000
	b := Bursts{Cycles: 10, Share: 0.2}
	cycles := sources(t, Traffic{Load: 0.2, Flits: 1, Bursts: b}, until)
	var lengths []float64
	total, longer, first := 0.0, 0.0, 0.0
	for _, list := range cycles {
		total += float64(len(list))
		if len(list) > 0 && list[0] == 0 {
			first++
		}
		run := 0.0
		for i, at := range list {
			if run++; i+1 == len(list) || list[i+1] != at+1 {
				lengths = append(lengths, run)
				if run > 10 {
					longer++
				}
				run = 0
			}
		}
	}
	n := float64(len(lengths))
	if mean := total / n; math.Abs(mean-10) > 5*math.Sqrt(90/n) {
		t.Errorf("bursts last %.3f cycles on average, want 10", mean)
	}
	// Of geometric lengths with the mean 10, 0.9^10 are longer than 10.
	if p := math.Pow(0.9, 10); math.Abs(longer/n-p) > 5*math.Sqrt(p*(1-p)/n) {
		t.Errorf("%.4f of the bursts last more than 10 cycles, want %.4f", longer/n, p)
	}
	// A burst and its pause take 50 cycles on average; both have about their mean as deviation.
	if rate := n / (16 * until); math.Abs(rate*50-1) > 5/math.Sqrt(n) {
		t.Errorf("a burst every %.2f cycles, want every 50", 1/rate)
	}
	if slices.Max(lengths) < 40 || first == 0 || first == 16 {
		t.Errorf("the longest burst has %v cycles, and %v of 16 nodes begin in one",
			slices.Max(lengths), first)
	}
}

// Messages have lengths in the proportion of their weights, and the load counts flits.
func TestLengthsHaveTheirShares(t *testing.T) {
	c := Default(cube(t, false, 4, 4))
	n := must.Have(New(c))
	const until = 60_000
	tr := Traffic{Load: 0.1, Destination: Uniform(16),
		Lengths: []Length{{1, 8}, {8, 1}, {20, 1}}, Count: Window{From: 0, Until: until}}
	if mean := tr.MeanFlits(); mean != 3.6 {
		t.Errorf("the mean length is %v, want 3.6", mean)
	}
	tr.Start(16, rand.New(rand.NewPCG(4, 4)))
	arrived := make([]int64, len(tr.Lengths)) // flits
	n.Watch(func(p *router.Arrival) { arrived[p.User] += int64(p.Length) })
	run(t, n, &tr, until)
	drain(t, n)
	flits := 0.0
	for i, l := range tr.Lengths {
		got, want := float64(tr.Count.ByLength[i]), l.Share/10*0.1/3.6*16*until
		if math.Abs(got-want) > 5*math.Sqrt(want) {
			t.Errorf("%v messages of %d flits, want %.0f", got, l.Flits, want)
		}
		if arrived[i] != tr.Count.ByLength[i]*int64(l.Flits) {
			t.Errorf("%d flits of %v messages of %d flits arrive", arrived[i], got, l.Flits)
		}
		flits += got * float64(l.Flits)
	}
	if load := flits / 16 / until; math.Abs(load-0.1) > 0.003 {
		t.Errorf("the load is %.4f, want 0.1", load)
	}
	if tr.Count.N != tr.Count.ByLength[0]+tr.Count.ByLength[1]+tr.Count.ByLength[2] {
		t.Errorf("%d messages, by length %v", tr.Count.N, tr.Count.ByLength)
	}
}

// Traffic that cannot be is refused, with what would be right.
func TestImpossibleTraffic(t *testing.T) {
	for want, tr := range map[string]Traffic{
		"at least 1 cycle":                {Load: 0.1, Flits: 8, Bursts: Bursts{Cycles: 0.5, Share: 0.5}},
		"share above 0 and below 1":       {Load: 0.1, Flits: 8, Bursts: Bursts{Cycles: 5, Share: 1}},
		"a share of at most 0.667":        {Load: 0.1, Flits: 8, Bursts: Bursts{Cycles: 2, Share: 0.9}},
		"give at most 0.4":                {Load: 0.5, Flits: 8, Bursts: Bursts{Cycles: 50, Share: 0.05}},
		"take longer bursts":              {Load: 1e-9, Flits: 8, Bursts: Bursts{Cycles: 5, Share: 0.5}},
		"a weight above 0":                {Load: 0.1, Lengths: []Length{{1, 0}}},
		"messages of 3 flits occur twice": {Load: 0.1, Lengths: []Length{{3, 1}, {3, 2}}},
		"messages of 0 flits":             {Load: 0.1},
		"more than a message a cycle":     {Load: 0.9, Flits: 1, Rates: []float64{0.5, 1.5}},
	} {
		if err := tr.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", tr, err, want)
		}
	}
}

// Stories of traffic: the text of a pattern, and the nodes to which each node of a machine sends.
func TestTrafficStories(t *testing.T) {
	story.Run(t, "testdata/traffic/*.txt", func(t *testing.T, given []string) string {
		var told strings.Builder
		for _, line := range given {
			machine, text, _ := strings.Cut(line, " ")
			answer, err := tellTraffic(t, machine, text)
			if err != nil {
				answer = err.Error()
			}
			fmt.Fprintln(&told, answer)
		}
		return told.String()
	})
}

// tellTraffic returns the destinations of each node of a machine, or the text of a pattern if the
// machine is "-".
func tellTraffic(t *testing.T, machine, text string) (string, error) {
	p, err := ParseTraffic(text)
	if err != nil {
		return "", err
	}
	if machine == "-" {
		again, err := ParseTraffic(p.String())
		if again.String() != p.String() {
			t.Errorf("%s is read as %s", p, again)
		}
		return p.String(), err
	}
	m := topologytest.Machine(t, machine)
	d, err := p.On(m, false, nil)
	if err != nil {
		return "", err
	}
	var list []string
	rng := rand.New(rand.NewPCG(1, 2))
	for from := range topology.Node(m.Nodes()) {
		var goals []topology.Node
		for range 100 { // draws
			if to := d.To(from, rng); !slices.Contains(goals, to) {
				goals = append(goals, to)
			}
		}
		slices.Sort(goals)
		list = append(list, strings.ReplaceAll(strings.Trim(fmt.Sprint(goals), "[]"), " ", "/"))
	}
	return strings.Join(list, " "), nil
}
