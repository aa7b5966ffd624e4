package netsim

import (
	"reflect"
	"testing"

	"contend/router/topology"
)

// Samples are taken in just the cycles that are asked for, whatever the caller's steps, and the run
// is the same run.
func TestSample(t *testing.T) {
	run := func(sample bool) (list any, cycles []Cycle) {
		c := Default(tree(t, 4, 2))
		c.BufferFlits = 24
		n, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		got := arrivals(n)
		if sample {
			n.Sample(func(now Cycle) Cycle {
				if cycles = append(cycles, now); len(cycles) > 1 && now < 40 {
					return now + 1
				}
				return now + 37
			})
		}
		advanceTo(t, n, 5)
		for k := range 5 {
			n.Send(Message{From: topology.Node(k + 1), To: 0, Flits: 300})
		}
		for n.Pending() > 0 {
			advanceTo(t, n, n.Now()+50)
		}
		advanceTo(t, n, 1_000_000) // while nothing happens
		return *got, cycles
	}
	list, cycles := run(true)
	if want, _ := run(false); !reflect.DeepEqual(list, want) {
		t.Error("a run that is sampled is another run")
	}
	want := []Cycle{0, 37, 38, 39, 40}
	for len(want) < len(cycles) {
		want = append(want, want[len(want)-1]+37)
	}
	if !reflect.DeepEqual(cycles, want) || 1_000_000-cycles[len(cycles)-1] >= 37 {
		t.Errorf("samples in the cycles %v..., %d", cycles[:9], cycles[len(cycles)-1])
	}
}
