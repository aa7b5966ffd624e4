package fastforward

import (
	"contend/experiments/cosim/run"
	"math/rand/v2"
	"reflect"
	"testing"

	"contend/netsim"
	"contend/netsim/topology"
	"contend/scheduler"

	"pgregory.net/rapid"
)

// drawnTree draws a network of a tree: k-ary, tapered or with bundles.
func drawnTree(r *rapid.T) *netsim.Network {
	config := topology.FatTreeConfig{Children: []int{
		rapid.IntRange(2, 4).Draw(r, "nodes"), rapid.IntRange(2, 3).Draw(r, "children"),
		rapid.IntRange(2, 4).Draw(r, "subtrees")}}
	config.Parents = []int{rapid.IntRange(1, 3).Draw(r, "parents"),
		rapid.IntRange(1, 4).Draw(r, "tops")}
	config.Bundle = []int{rapid.IntRange(1, 2).Draw(r, "bundle"), 1}
	machine, err := topology.NewFatTree(config)
	if err != nil {
		r.Fatal(err)
	}
	c := netsim.Default(machine)
	c.PacketFlits, c.BufferFlits = 16, 2
	c.Routing = rapid.SampledFrom([]string{"d-mod-k", "s-mod-k"}).Draw(r, "routing")
	n, err := netsim.New(c)
	if err != nil {
		r.Fatal(err)
	}
	return n
}

// courseAt follows the course of jobs that are moved up by so many nodes.
func courseAt(r *rapid.T, c netsim.Config, jobs []started, up topology.Node) (*component, *Executor) {
	n, err := netsim.New(c)
	if err != nil {
		r.Fatal(err)
	}
	e := New(n, repeating, scheduler.Clock{CyclesPerSecond: 1}, Settling{Half: 0.02},
		run.Software{})
	startAt(r, e, jobs, up)
	if len(e.parts) != 1 {
		r.Skip("several components")
	}
	return e.parts[0], e
}

// startAt starts jobs that are moved up by so many nodes, and foresees the last component.
func startAt(r *rapid.T, e *Executor, jobs []started, up topology.Node) {
	for i := range jobs {
		var nodes []topology.Node
		for _, k := range jobs[i].nodes {
			nodes = append(nodes, k+up)
		}
		e.Start(&jobs[i].job, nodes)
	}
	if err := e.foresee(e.parts[len(e.parts)-1], 1<<20); err != nil {
		r.Fatal(err)
	}
}

// Components that have one name after they are moved have the same course, link by link.
func TestMovedComponentsHaveEqualCourses(t *testing.T) {
	moved, recalled := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		n := drawnTree(r)
		tree, _ := topology.FatTreeOf(n.Config().Topology)
		level := rapid.IntRange(0, 1).Draw(r, "level")
		span := tree.Span(level)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 4))
		var jobs []started
		for perm, id := rng.Perm(span), scheduler.JobID(1); len(perm) > 1; id++ {
			size := min(len(perm), 2+rng.IntN(3))
			j := scheduler.Job{ID: id, Size: size, Pattern: rng.IntN(2), Quota: 1 << 30,
				Compute: scheduler.Cycle(rng.IntN(50))}
			s := started{job: j}
			for _, k := range perm[:size] {
				s.nodes = append(s.nodes, topology.Node(k))
			}
			jobs, perm = append(jobs, s), perm[size:]
		}
		up := topology.Node(span * rng.IntN(tree.Nodes()/span))
		a, e := courseAt(r, n.Config(), jobs, 0)
		b, f := courseAt(r, n.Config(), jobs, up)
		if up == 0 || a.nameOf(e.stage.moved(a)) != b.nameOf(f.stage.moved(b)) {
			return
		}
		moved++
		for i := range a.course.legs {
			if x, y := a.course.legs[i], b.course.legs[i]; !reflect.DeepEqual(x, y) {
				r.Errorf("job %d: %+v, moved %+v", i, x, y)
			}
		}
		startAt(r, e, jobs, up)
		if again := e.parts[1].course; again.until == 0 {
			recalled++
			if !reflect.DeepEqual(again.use, b.course.use) {
				r.Errorf("links carry %v, recalled %v", b.course.use, again.use)
			}
		}
	})
	if !testing.Short() && (moved < 20 || recalled < 10) { // -short draws a fifth
		t.Errorf("%d components were moved, and %d recalled", moved, recalled)
	}
}

// A course that is followed again, further than the first time, may end a job before now. The job
// ends now, and time does not go back.
func TestCourseThatEndsBeforeNow(t *testing.T) {
	e := New(grid(t, 4), mixed, scheduler.Clock{CyclesPerSecond: 1}, Settling{Half: 0.05},
		run.Software{})
	j := scheduler.Job{ID: 1, Size: 4, Pattern: 4, Quota: 16}
	e.Start(&j, []topology.Node{0, 1, 5, 4})
	c := e.parts[0]
	// As if no job had ended in the first 10,000 cycles.
	c.course, c.next, e.now = &course{until: 1e4, legs: []leg{{end: -1}}}, 1e4, 1e4
	now, done, err := e.Advance(2e4, nil)
	if err != nil || now != 1e4 || len(done) != 1 {
		t.Errorf("cycle %d, done %v, error %v; want job 1 in cycle 10000", now, done, err)
	}
	if end := c.course.legs[0].endOf(c.jobs[0]); end >= 1e4 {
		t.Errorf("the course ends the job at %d, which shows nothing", end)
	}
}
