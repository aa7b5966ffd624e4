package fastforward

import (
	"contend/experiments/cosim/run"
	"slices"
	"testing"

	"contend/netsim"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/scheduler"
)

// Turns go on with every message, and with a part of an iteration as far as it is known.
func TestRailTurns(t *testing.T) {
	r := railTurn{first: 2, sent: 7, count: 3}
	for messages, want := range map[int64]int64{0: 2, 10: 0, 20: 1, 25: 1, 30: 2, 1e18: 0} {
		if got := r.after(messages, 10); got != want {
			t.Errorf("after %d messages: %d, want %d", messages, got, want)
		}
	}
}

// railed returns a network of a fat tree whose nodes have two interfaces, taken in turn.
func railed(t *testing.T) *netsim.Network {
	t.Helper()
	machine, err := topology.NewFatTree(topology.FatTreeConfig{Children: []int{4, 4},
		Parents: []int{1}, Rails: 2})
	if err != nil {
		t.Fatal(err)
	}
	n, err := netsim.New(netsim.Default(machine))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A course begins with the turns that its job has, whatever courses before it have left.
func TestCoursesBeginWithTheirRails(t *testing.T) {
	mix := []patterns.Config{{Name: "all-to-all", Flits: 16}}
	e := New(railed(t), mix, scheduler.Clock{CyclesPerSecond: 1}, Settling{Half: 0.01},
		run.Software{})
	follow := func(left int, odd ...topology.Node) []int64 {
		k := &epochJob{job: scheduler.Job{ID: 1, Size: 8}, config: mix[0], perIteration: 56, total: 56e3}
		for n := range topology.Node(16) {
			e.stage.net.SetRail(n, left*int(n)/2)
			if e.rails.next[n] = 0; n%2 == 0 {
				k.nodes = append(k.nodes, n)
			}
		}
		for _, n := range odd {
			e.rails.next[n] = 1
		}
		if err := e.place(k); err != nil {
			t.Fatal(err)
		}
		course, err := e.stage.follow(&component{jobs: []*epochJob{k}}, 1e6)
		if err != nil {
			t.Fatal(err)
		}
		return course.legs[0].marks[:2]
	}
	even, mixed := follow(0), follow(0, 0, 4, 6, 10)
	if slices.Equal(even, mixed) {
		t.Fatalf("iterations end at %v, wherever turns are", even)
	}
	for left := range 2 {
		if got := follow(left); !slices.Equal(got, even) {
			t.Errorf("turns that were left in the network: iterations end at %v, want %v", got, even)
		}
		if got := follow(left, 0, 4, 6, 10); !slices.Equal(got, mixed) {
			t.Errorf("other turns: iterations end at %v, want %v", got, mixed)
		}
	}
}

// A job that has ended leaves the turns that its messages have moved on.
func TestJobsMoveRailsOn(t *testing.T) {
	mix := []patterns.Config{{Name: "ring", Flits: 16}}
	e := New(railed(t), mix, scheduler.Clock{CyclesPerSecond: 1}, Settling{Half: 0.05},
		run.Software{})
	drive(t, e, []started{{nodes: []topology.Node{0, 5, 9},
		job: scheduler.Job{ID: 1, Size: 3, Quota: 3 * 1001}}})
	for n, turn := range e.rails.next {
		if want := n == 0 || n == 5 || n == 9; want != (turn == 1) {
			t.Errorf("node %d takes interface %d next", n, turn)
		}
	}
}
