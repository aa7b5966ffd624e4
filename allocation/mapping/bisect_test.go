package mapping

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/allocation"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// all returns the places of all nodes of a machine, in the order of their numbers.
func all(t topologytest.Failer, short string) *Places {
	m := topologytest.Machine(t, short)
	var nodes []topology.Node
	for i := range topology.Node(m.Nodes()) {
		nodes = append(nodes, i)
	}
	return NewPlaces(m, must.Have(allocation.NewRows(m)), nodes)
}

// among returns traffic of ten bytes between each pair of four processes.
func among(pairs ...[2]int) Traffic {
	bytes := make([]int64, 16)
	for _, k := range pairs {
		bytes[4*k[0]+k[1]] = 10
	}
	return NewTraffic(4, bytes)
}

// Where two choices cost the same, the rule decides that is written beside each case.
func TestTiesOfBisection(t *testing.T) {
	for _, k := range []struct {
		rule, machine string
		traffic       Traffic
		want          []int32
	}{
		{"a square is cut across its later dimension, and of the starts the first one stays",
			"mesh:2x2", nil, []int32{0, 1, 2, 3}},
		// From place 0 the first of the furthest is 4, from there it is 0: 4 to 7 are the left half. From
		// 4 it is 6, from there 4: 6 and 7 are the left half of those.
		{"of the furthest places the first counts", "tree:2x3", nil, []int32{6, 7, 4, 5, 0, 1, 2, 3}},
		// All four save 10: 0 leaves the left half, for 2.
		{"of the processes of the left half that save as much the first moves", "mesh:4",
			among([2]int{0, 3}, [2]int{1, 2}), []int32{2, 0, 1, 3}},
		// 0 leaves the left half for 2 or 3, and stays with the other one.
		{"of those of the right half too", "mesh:4",
			among([2]int{0, 2}, [2]int{0, 3}), []int32{2, 0, 1, 3}},
	} {
		p := all(t, k.machine)
		if k.traffic == nil { // all divisions cost the same
			k.traffic = NewTraffic(p.n, make([]int64, p.n*p.n))
		}
		if got := p.Bisect(k.traffic); !slices.Equal(got, k.want) {
			t.Errorf("%s: %s: %v, want %v", k.machine, k.rule, got, k.want)
		}
	}
}

// On a line of five processors process 1 has most traffic and gets the middle one. 3 exchanges ten
// bytes with it and could be on both sides, 0 six, 2 three with 3, and 4 one with 0.
func TestGrowByHand(t *testing.T) {
	bytes := make([]int64, 25)
	bytes[5*1+3], bytes[5*0+1], bytes[5*3+2], bytes[5*4+0] = 10, 6, 3, 1
	want := []int32{3, 2, 0, 1, 4}
	if got := all(t, "mesh:5").Grow(NewTraffic(5, bytes)); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A gain is what the cost falls by when the process moves, also after others have moved. The left
// half grows by the process that leaves the least cost, and the best swap saves what it says.
func TestGainsAreDifferencesOfCost(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		h := drawHalves(r)
		flipped := func(i int) int64 {
			h.right[i] = !h.right[i]
			defer func() { h.right[i] = !h.right[i] }()
			return h.cost()
		}
		check := func() {
			for i, gain := range h.gain {
				if want := h.cost() - flipped(i); gain != want {
					r.Fatalf("process %d gains %d, its move saves %d", i, gain, want)
				}
			}
		}
		last := rapid.Bool().Draw(r, "last")
		grown := h.grownFrom(last)
		h.right = slices.Repeat([]bool{true}, len(h.processes))
		for range h.left {
			best, minCost := -1, int64(0)
			for i, right := range h.right {
				if cost := flipped(i); right && (best < 0 || cost < minCost || last && cost == minCost) {
					best, minCost = i, cost
				}
			}
			h.right[best] = false
		}
		if !slices.Equal(h.right, grown) {
			r.Fatalf("grows to %v, want %v", grown, h.right)
		}
		h.findGains()
		check()
		a, b, gain := h.bestSwap(make([]bool, len(h.processes)))
		for i, right := range h.right {
			if !right && h.gain[i] > h.gain[a] {
				r.Fatalf("%d leaves the left half, %d gains more", a, i)
			}
		}
		before := h.cost()
		h.move(a)
		check()
		for i, g := range h.gain {
			if h.right[i] && i != a && g > h.gain[b] {
				r.Fatalf("%d leaves the right half, %d gains more", b, i)
			}
		}
		h.move(b)
		check()
		if saved := before - h.cost(); saved != gain {
			r.Fatalf("a swap saves %d, it says %d", saved, gain)
		}
		before = h.cost()
		if h.exchange(); h.cost() > before {
			r.Fatalf("an exchange raises the cost from %d to %d", before, h.cost())
		}
	})
}

// Weights are at most 2^20, and at least 1.
func TestScaledTraffic(t *testing.T) {
	for most, want := range map[int64][2]int64{5: {5, 3}, 1 << 20: {1 << 20, 3},
		1<<20 + 1: {1 << 19, 1}, 1 << 21: {1 << 20, 1}, 1<<21 + 3: {699051, 1}} {
		got := Traffic{{{1, most}, {2, 3}}}.scaled()[0]
		if got[0].Bytes != want[0] || got[1].Bytes != want[1] {
			t.Errorf("%d and 3 become %v, want %d", most, got, want)
		}
	}
}

func TestAlong(t *testing.T) {
	for _, name := range Names() {
		if got := Along(name); got != (name == "row-major" || name == "hilbert") {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// drawHalves draws traffic of a line, a part of its processes, and two halves of their places.
func drawHalves(r *rapid.T) *halves {
	p := all(r, "mesh:12") // the right half is nearer to the other part
	bytes := make([]int64, p.n*p.n)
	for i := range bytes {
		bytes[i] = int64(rapid.SampledFrom([]int{0, 0, 0, 1, 2, 9}).Draw(r, "bytes"))
	}
	b := &bisection{Places: p, traffic: NewTraffic(p.n, bytes).scaled(), part: make([]int32, p.n),
		weight: make([]int64, p.n)}
	b.parts = []part{{make([]int32, p.n), p.order}}
	for i := range b.parts[0].processes {
		b.parts[0].processes[i] = int32(i)
	}
	b.split(0)
	k := b.parts[1]
	left, right := b.halve(k.places)
	return b.halves(k, left, right)
}

// HopBytes returns the cost of a mapping: the sum over pairs of processes of bytes times hops.
// Process i is at place at[i].
func (p *Places) HopBytes(t Traffic, at []int32) (sum int64) {
	for i, partners := range t {
		for _, k := range partners {
			if int(k.Process) > i {
				sum += k.Bytes * int64(p.between(at[i], at[k.Process]))
			}
		}
	}
	return sum
}
