package executor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// meshNetwork returns an idle network of the defaults.
func meshNetwork(t testing.TB, w, h int) *netsim.Network {
	t.Helper()
	machine, err := topology.NewCube(topology.CubeConfig{Dims: []int{w, h}})
	if err != nil {
		t.Fatal(err)
	}
	net, err := netsim.New(netsim.Default(machine))
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// A job alone takes the time of the closed form, software latency included: a message of 8 flits
// takes 3H + 11 cycles.
func TestSoftwareLatency(t *testing.T) {
	root := rand.New(rand.NewPCG(9, 0)).Int32N(4) // of one-to-all and all-to-one
	last := map[int32]int64{0: 17, 1: 14, 2: 17, 3: 14}[root]
	for _, c := range []struct {
		pattern       string
		shape         []int
		quota         int64
		send, receive int64
		want          int64
	}{
		{"ping-pong", []int{2, 1}, 10, 0, 0, 10 * 14},
		{"ping-pong", []int{2, 1}, 1, 0, 0, 14},
		{"ring", []int{1, 2}, 6, 0, 0, 3 * 14}, // both at once, in opposite directions
		{"fft", []int{2, 2}, 8, 0, 0, 2 * 14},  // neighbours all of them
		{"ping-pong", []int{2, 1}, 10, 100, 30, 10 * (100 + 14 + 30)},
		{"ping-pong", []int{2, 1}, 10, 0, 30, 10 * (14 + 30)},
		{"ring", []int{2, 1}, 6, 50, 7, 3 * (50 + 14 + 7)},
		// One after the other, the last to the process before the root.
		{"one-to-all", []int{2, 2}, 3, 1000, 5, 3*1000 + last + 5},
		// All arrive when the first is still being received.
		{"all-to-one", []int{2, 2}, 3, 40, 500, 40 + 14 + 3*500},
		// On a line of three every process has a message from the one before
		// at 67 at the latest, but sends until 100: it receives after that.
		{"all-to-all", []int{3, 1}, 6, 50, 40, 2*50 + 2*40},
		{"all-to-all", []int{3, 1}, 6, 500, 400, 2*500 + 2*400},
		// Process 0 alone sends twice; process 2 has received from 1 before.
		{"all-to-all", []int{3, 1}, 4, 500, 400, 2*500 + 17 + 400},
	} {
		net := meshNetwork(t, 4, 4)
		x := New(net, []patterns.Config{{Name: c.pattern, Order: "rotated"}},
			scheduler.Clock{})
		x.Software = Software{c.send, c.receive}
		var place []topology.Node
		for y := range c.shape[1] {
			for i := range c.shape[0] {
				place = append(place, topology.Node(i+4*y))
			}
		}
		x.Start(&scheduler.Job{ID: 1, Size: len(place), Shape: c.shape, Quota: c.quota, Seed: 9}, place)
		end, done, err := x.Advance(scheduler.MaxCycle, nil)
		if err != nil || len(done) != 1 || int64(end) != c.want {
			t.Errorf("%s on %v, %d messages, %d + %d cycles: ended at %d, %v, %v, want %d", c.pattern,
				c.shape, c.quota, c.send, c.receive, end, done, err, c.want)
		}
	}
}

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
	x.setTime(k.program)
	x.send(0, k.program.Start(nil))
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

// Timers fire by cycle, then in the order of setting.
func TestTimers(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var h timers
		var want []timer
		for range rapid.IntRange(0, 60).Draw(r, "steps") {
			if len(want) > 0 && rapid.Bool().Draw(r, "pop") {
				slices.SortStableFunc(want, func(a, b timer) int { return int(a.cycle - b.cycle) })
				if got := h.list.Pop(); got.cycle != want[0].cycle || got.slot != want[0].slot {
					r.Fatalf("popped %+v, want %+v", got, want[0])
				}
				want = want[1:]
				continue
			}
			x := timer{cycle: scheduler.Cycle(rapid.IntRange(0, 9).Draw(r, "cycle")), slot: int32(h.set)}
			h.push(x)
			want = append(want, x)
		}
		if len(h.list) != len(want) {
			r.Fatalf("%d timers left, want %d", len(h.list), len(want))
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
