package executor

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// playScript runs a script on the network and returns its end and the totals of its messages.
func playScript(t testing.TB, lists patterns.Lists, c Software) (int64, netsim.Totals) {
	t.Helper()
	net := meshNetwork(t, 3, 3)
	x := New(net, nil, scheduler.Clock{})
	x.Software = c
	k := job{id: 1, program: patterns.NewProcesses(len(lists), lists.Part)}
	for i := range lists {
		k.nodes = append(k.nodes, topology.Node(i))
		x.rankOf[i] = patterns.Rank(i)
	}
	x.jobs = []job{k}
	x.setProgramTime(k.program)
	x.release(0, k.program.Start(nil))
	end, done, err := x.Advance(scheduler.MaxCycle, nil)
	if err != nil || len(done) != 1 {
		t.Fatal(done, err)
	}
	return int64(end), net.Totals()
}

// Time to send has the effect of computing before every message.
func TestSendingIsComputingBefore(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const n = 9
		send := int64(rapid.IntRange(1, 60).Draw(r, "send"))
		plain, computing := make(patterns.Lists, n), make(patterns.Lists, n)
		for range rapid.IntRange(1, 6).Draw(r, "rounds") {
			var to [][]int // permutations, all of them at once
			for range rapid.IntRange(1, 3).Draw(r, "partners") {
				to = append(to, rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}).Draw(r, "to"))
			}
			for _, p := range to {
				for i, j := range p {
					if i == j {
						continue
					}
					message := patterns.Send(patterns.Rank(j), int32(rapid.IntRange(1, 20).Draw(r, "flits")), 0)
					plain[i] = append(plain[i], message)
					computing[i] = append(computing[i], patterns.Compute(send), message)
				}
			}
			for _, p := range to {
				for i, j := range p {
					if i != j {
						plain[j] = append(plain[j], patterns.Receive(patterns.Rank(i), 0))
						computing[j] = append(computing[j], patterns.Receive(patterns.Rank(i), 0))
					}
				}
			}
		}
		end, totals := playScript(t, plain, Software{Send: send})
		wantEnd, wantTotals := playScript(t, computing, Software{})
		if wantTotals.Messages == 0 {
			r.Skip("nothing to send")
		}
		if end != wantEnd || totals != wantTotals {
			r.Fatalf("ended at %d with %+v, want %d with %+v", end, totals, wantEnd, wantTotals)
		}
	})
}

// The messages of a job depend only on its own seed.
func TestJobsDrawByTheirSeeds(t *testing.T) {
	sent := func(seed uint64) string {
		net, text := meshNetwork(t, 4, 4), ""
		net.Watch(func(p *router.Arrival) { text += fmt.Sprintf("%d-%d ", p.From, p.To) })
		x := New(net, []patterns.Config{{Name: "random"}}, scheduler.Clock{})
		nodes := make([]topology.Node, 16)
		for i := range nodes {
			nodes[i] = topology.Node(i)
		}
		x.Start(&scheduler.Job{ID: 1, Size: 16, Shape: []int{4, 4}, Quota: 32, Seed: seed}, nodes)
		if _, _, err := x.Advance(scheduler.MaxCycle, nil); err != nil {
			t.Fatal(err)
		}
		return text
	}
	seen := map[string]uint64{}
	for seed := range uint64(8) {
		text := sent(seed)
		if text != sent(seed) {
			t.Errorf("seed %d: other messages the second time", seed)
		}
		if other, again := seen[text]; again {
			t.Errorf("seeds %d and %d have the same messages", seed, other)
		}
		seen[text] = seed
	}
}
