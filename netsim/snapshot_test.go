package netsim_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/internal/must"
	"contend/netsim"
	"contend/router"
	"contend/router/topology"

	"pgregory.net/rapid"
)

// arrived is a message that has arrived, at a time counted from a moment.
type arrived struct {
	from, to topology.Node
	after    int64
}

// snapshots runs short rounds of messages on a network of a few nodes. It takes a snapshot a cycle
// for some time, and notes what arrives after it.
func snapshots(r *rapid.T, c netsim.Config) (states [][]int64, futures [][]arrived, limits bool) {
	n := must.Have(netsim.New(c))
	if !n.Comparable() {
		r.Fatalf("%+v is not comparable", c)
	}
	links := make([]router.Link, n.Wiring().Links())
	for l := range links {
		links[l] = router.Link(l)
	}
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed"), 9))
	var list []arrived
	var s router.Snapshot
	for t := range int64(1200) {
		if t%60 == 0 { // the network is often empty before, and often not
			for range rng.IntN(4) {
				n.Send(netsim.Message{From: topology.Node(2 * rng.IntN(2)), To: 1,
					Flits: 4 * int32(1+rng.IntN(3)/2)})
			}
		}
		n.Snapshot(&s, links, []int32{0})
		states = append(states, slices.Clone(s.Words))
		_, deliveries, err := n.Advance(t + 1)
		if err != nil {
			r.Fatal(err)
		}
		for _, d := range deliveries {
			list = append(list, arrived{d.From, d.To, n.Now()})
		}
	}
	for t := range int64(len(states)) {
		var future []arrived
		for _, a := range list {
			if a.after > t && a.after <= t+left(t) {
				future = append(future, arrived{a.from, a.to, a.after - t})
			}
		}
		futures = append(futures, future)
	}
	control, _ := n.Congestion()
	return states, futures, control.Rests > 0
}

// left returns how long nothing is sent from a moment on.
func left(t int64) int64 { return 60 - t%60 }

// within returns what arrives within a time.
func within(list []arrived, cycles int64) []arrived {
	for i, a := range list {
		if a.after > cycles {
			return list[:i]
		}
	}
	return list
}

// After equal snapshots the same messages arrive at the same times for as long as nothing is sent,
// and there are equal snapshots.
func TestEqualSnapshotsHaveEqualFutures(t *testing.T) {
	same, again := 0, map[string]int{}
	rapid.Check(t, func(r *rapid.T) {
		machine := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{3}}))
		c := netsim.Default(machine)
		c.VirtualChannels = rapid.IntRange(1, 3).Draw(r, "channels")
		c.InputSpeedup = rapid.IntRange(0, 2).Draw(r, "input speedup")
		c.VCSelect = rapid.SampledFrom([]router.VCSelect{router.SelectMostCredits,
			router.SelectRoundRobin}).Draw(r, "vc select")
		c.PacketFlits, c.MessageMultiple = 4, 4
		c.BufferFlits = rapid.SampledFrom([]int{1, 2, 4}).Draw(r, "buffer")
		c.FlitCycles = rapid.IntRange(1, 2).Draw(r, "flit")
		c.LinkCycles = rapid.IntRange(1, 4).Draw(r, "link")
		c.Engine = rapid.SampledFrom([]string{"auto", "cycle"}).Draw(r, "engine")
		if rapid.Bool().Draw(r, "cut through") {
			c.Switching, c.BufferFlits = router.VirtualCutThrough, rapid.IntRange(4, 9).Draw(r, "places")
			c.PacketsHoldLinks = c.Engine == "auto"
		}
		c.FlitByFlit = rapid.Bool().Draw(r, "flit by flit")
		c.Arbiter = rapid.SampledFrom([]router.Arbiter{router.FirstCome, router.RoundRobin}).
			Draw(r, "arbiter")
		if rapid.Bool().Draw(r, "queue pairs") {
			c.SourceQueues = netsim.QueuePerDestination
			c.Congestion = drawControl(r)
			always := rapid.Bool().Draw(r, "marks are not drawn")
			switch k := c.Congestion.(type) {
			case *netsim.DCQCN:
				if k.Additive, k.Recovery, k.MarkFrom = 0.4, 1, 0; always {
					k.MarkTo = k.MarkFrom
				}
			case *netsim.IBCCA:
				if always {
					k.MarkingRate = 0
				}
			case *netsim.Throttle:
				k.Senders, k.Outstanding = 2, 4
			}
		}
		states, futures, limits := snapshots(r, c)
		seen := map[string][]int{}
		for t, words := range states {
			name := string(bytesOf(words))
			for _, before := range seen[name] {
				time := min(left(int64(t)), left(int64(before)))
				a, b := within(futures[before], time), within(futures[t], time)
				if !slices.Equal(a, b) {
					r.Fatalf("after cycle %d %v arrive, after cycle %d %v", before, a, t, b)
				}
				if len(a) > 0 {
					same++
				}
				if len(a) > 0 && limits {
					again[fmt.Sprintf("%T", c.Congestion)]++
				}
			}
			seen[name] = append(seen[name], t)
		}
	})
	if same < 100 {
		t.Errorf("%d states came back", same)
	}
	if len(again) < 2 || slices.Max(slices.Collect(maps.Values(again))) < 50 {
		t.Errorf("few states came back under controls that acted: %v", again)
	}
}

// Snapshots are refused where pointers of matchers decide what comes next, since they have none.
func TestSnapshotsAreRefusedWhereMatchersAct(t *testing.T) {
	for _, s := range []router.SwitchAllocator{router.InputFirst, router.ISLIP} {
		for _, channels := range []int{1, 2} {
			c := netsim.Default(must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{3, 3}})))
			c.Engine, c.SwitchAllocator, c.VirtualChannels = "cycle", s, channels
			want := channels == 1 || s == router.InputFirst
			if got := must.Have(netsim.New(c)).Comparable(); got != want {
				t.Errorf("allocator %d, %d virtual channels: comparable is %v", s, channels, got)
			}
		}
	}
}

// bytesOf returns words as bytes, for a name.
func bytesOf(words []int64) (b []byte) {
	for _, w := range words {
		for i := range 8 {
			b = append(b, byte(w>>(8*i)))
		}
	}
	return b
}
