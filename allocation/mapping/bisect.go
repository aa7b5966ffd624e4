package mapping

import (
	"cmp"
	"slices"
)

// Bisect maps by dual recursive bipartitioning (Pellegrini and Roman 1996): it halves the places by
// distance and the processes by traffic, gives one half of the processes to each half of the
// places, and continues in each half.
//
// Places of a machine with coordinates are cut across the dimension in which they extend furthest.
// Places of other machines are divided between two places that are far apart. Processes are
// exchanged between the halves as long as that reduces hop-bytes (Kernighan and Lin 1970). Hops are
// mean hops between halves; a partner outside of the part counts with the places of the part in
// which it is at that time.
func (p *Places) Bisect(t Traffic) []int32 {
	p.check(t)
	b := &bisection{Places: p, traffic: t.scaled(), part: make([]int32, p.n),
		weight: make([]int64, p.n)}
	at, all := make([]int32, p.n), make([]int32, p.n)
	for i := range all {
		all[i] = int32(i)
	}
	b.parts = []part{{all, p.order}}
	for i := 0; i < len(b.parts); i++ { // halves are appended: wider parts come first
		if k := b.parts[i]; len(k.places) == 1 {
			at[k.processes[0]] = k.places[0]
		} else {
			b.split(int32(i))
		}
	}
	return at
}

// part is a set of processes and the set of their places, of equal size.
type part struct{ processes, places []int32 }

// bisection is the state of Bisect.
type bisection struct {
	*Places
	traffic Traffic
	parts   []part
	part    []int32 // of each process: index in parts
	weight  []int64 // memory of bestSwap, by index in a part
}

// hopUnit is the number of units of a hop; mean hops are whole numbers of these units.
const hopUnit = 1 << 10

// meanHops returns the mean hops between two sets of places, in units of 1/hopUnit.
func (p *Places) apart(a, b []int32) int64 {
	sum := int64(0)
	for _, x := range a {
		row := p.hops[int(x)*p.n:][:p.n]
		for _, y := range b {
			sum += int64(row[y])
		}
	}
	return sum * hopUnit / int64(len(a)*len(b))
}

// split replaces a part by two halves, which are appended.
func (b *bisection) split(i int32) {
	k := b.parts[i]
	left, right := b.halve(k.places)
	h := b.halves(k, left, right)
	best, minCost := []bool(nil), int64(0)
	for _, start := range [][]bool{h.byNumber(), h.grownFrom(false), h.grownFrom(true)} {
		h.right = start
		h.exchange()
		if cost := h.cost(); best == nil || cost < minCost {
			best, minCost = h.right, cost
		}
	}
	halves := [2]part{{places: left}, {places: right}}
	for j, process := range k.processes {
		side := 0
		if best[j] {
			side = 1
		}
		halves[side].processes = append(halves[side].processes, process)
		b.part[process] = int32(len(b.parts) + side)
	}
	b.parts = append(b.parts, halves[0], halves[1])
}

// halve divides places into two halves by distance.
func (p *Places) halve(places []int32) (left, right []int32) {
	sorted := slices.Clone(places)
	key := p.widest(places)
	if key == nil {
		first := p.furthest(places, places[0])
		second := p.furthest(places, first)
		key = func(x int32) int { return int(p.between(first, x)) - int(p.between(second, x)) }
	}
	slices.SortStableFunc(sorted, func(x, y int32) int { return cmp.Compare(key(x), key(y)) })
	half := len(places) / 2
	return sorted[:half], sorted[half:]
}

// widest returns the coordinate with the greatest extent of places, the last of equals, or nil on a
// machine without coordinates.
func (p *Places) widest(places []int32) (key func(x int32) int) {
	maxWidth := int32(-1)
	for _, of := range p.sides {
		low, high := of[places[0]], of[places[0]]
		for _, x := range places {
			low, high = min(low, of[x]), max(high, of[x])
		}
		if high-low >= maxWidth {
			maxWidth, key = high-low, func(x int32) int { return int(of[x]) }
		}
	}
	return key
}

// furthest returns the place furthest from another one, the first of several.
func (p *Places) furthest(places []int32, from int32) (far int32) {
	far = from
	for _, x := range places {
		if p.between(from, x) > p.between(from, far) {
			far = x
		}
	}
	return far
}

// halves is a division of the processes of a part between two halves of its places.
type halves struct {
	*bisection
	processes []int32
	index     map[int32]int // of each process of the part, in processes
	left      int           // number of processes of the left half
	across    int64         // mean hops between the halves less mean hops within a half
	pull      []int64       // of each process: hop-bytes to other parts on the left less on the right
	right     []bool        // of each process: it is in the right half
	gain      []int64       // of each process: hop-bytes saved by a move to the other half
}

// halves returns a part that is divided between two sets of places.
func (b *bisection) halves(k part, left, right []int32) *halves {
	h := &halves{bisection: b, processes: k.processes, index: map[int32]int{}, left: len(left),
		across: b.apart(left, right) - (b.apart(left, left)+b.apart(right, right))/2,
		pull:   make([]int64, len(k.processes)), gain: make([]int64, len(k.processes))}
	h.across = max(1, h.across) // also places of one router part processes that exchange little
	for i, process := range k.processes {
		h.index[process] = i
	}
	pulls := map[int32]int64{} // of a byte to another part
	for i, process := range k.processes {
		for _, other := range b.traffic[process] {
			at := b.part[other.Process]
			if at == b.part[process] {
				continue
			}
			pull, known := pulls[at]
			if !known {
				pull = b.apart(left, b.parts[at].places) - b.apart(right, b.parts[at].places)
				pulls[at] = pull
			}
			h.pull[i] += other.Bytes * pull
		}
	}
	return h
}

// byNumber returns the division with the processes of lower numbers on the left.
func (h *halves) byNumber() []bool {
	right := make([]bool, len(h.processes))
	for i := h.left; i < len(right); i++ {
		right[i] = true
	}
	return right
}

// grownFrom returns a division whose left half grows by one process at a time: the process that
// adds the fewest bytes between the halves, the first of equals, or with last set the last. So a
// grid grows by rows or by columns.
func (h *halves) grownFrom(last bool) []bool {
	right, bound := make([]bool, len(h.processes)), make([]int64, len(h.processes))
	for i := range right {
		right[i], bound[i] = true, -h.pull[i]
		h.eachPartner(i, func(_ int, bytes int64) { bound[i] -= bytes * h.across })
	}
	for range h.left {
		next := -1
		for i := range right {
			if right[i] && (next < 0 || bound[i] > bound[next] || last && bound[i] == bound[next]) {
				next = i
			}
		}
		right[next] = false
		h.eachPartner(next, func(j int, bytes int64) { bound[j] += 2 * bytes * h.across })
	}
	return right
}

// eachPartner calls f for each partner of the i-th process that is in the part.
func (h *halves) eachPartner(i int, f func(j int, bytes int64)) {
	process := h.processes[i]
	for _, k := range h.traffic[process] {
		if h.part[k.Process] == h.part[process] {
			f(h.index[k.Process], k.Bytes)
		}
	}
}

// cost returns the part of the hop-bytes that depends on the division.
func (h *halves) cost() (sum int64) {
	for i, right := range h.right {
		if !right {
			sum += h.pull[i]
		}
		h.eachPartner(i, func(j int, bytes int64) {
			if j > i && h.right[j] != right {
				sum += bytes * h.across
			}
		})
	}
	return sum
}

// maxPasses bounds the passes of exchange.
const maxPasses = 8

// exchange swaps processes between the halves until a pass saves nothing. A pass swaps one pair
// after the other, always the pair that saves the most or costs the least, each process once. Then
// it keeps the first swaps, up to the number that saves the most.
func (h *halves) exchange() {
	pairs := min(h.left, len(h.processes)-h.left)
	for range maxPasses {
		h.findGains()
		locked := make([]bool, len(h.processes))
		var swaps [][2]int
		saved, best, kept := int64(0), int64(0), 0
		for range pairs {
			a, b, gain := h.bestSwap(locked)
			saved += gain
			swaps = append(swaps, [2]int{a, b})
			if locked[a], locked[b] = true, true; saved > best {
				best, kept = saved, len(swaps)
			}
			h.move(a)
			h.move(b)
		}
		for _, s := range swaps[kept:] {
			h.right[s[0]], h.right[s[1]] = !h.right[s[0]], !h.right[s[1]]
		}
		if kept == 0 {
			return
		}
	}
}

// findGains sets gain.
func (h *halves) findGains() {
	for i, right := range h.right {
		h.gain[i] = h.pull[i]
		if right {
			h.gain[i] = -h.pull[i]
		}
		h.eachPartner(i, func(j int, bytes int64) {
			if h.right[j] != right {
				h.gain[i] += bytes * h.across
			} else {
				h.gain[i] -= bytes * h.across
			}
		})
	}
}

// move moves a process to the other half.
func (h *halves) move(i int) {
	h.right[i] = !h.right[i]
	h.gain[i] = -h.gain[i]
	h.eachPartner(i, func(j int, bytes int64) {
		if h.right[j] == h.right[i] {
			h.gain[j] -= 2 * bytes * h.across
		} else {
			h.gain[j] += 2 * bytes * h.across
		}
	})
}

// bestSwap returns the process of the left half with the largest gain, the process of the right
// half with the largest gain after that move, and the gain of both moves.
func (h *halves) bestSwap(locked []bool) (a, b int, gain int64) {
	a, b = -1, -1
	for i, right := range h.right {
		if !right && !locked[i] && (a < 0 || h.gain[i] > h.gain[a]) {
			a = i
		}
	}
	h.eachPartner(a, func(j int, bytes int64) { h.weight[j] = bytes })
	for i, right := range h.right {
		if saves := h.gain[i] - 2*h.weight[i]*h.across; right && !locked[i] && (b < 0 || saves > gain) {
			b, gain = i, saves
		}
	}
	h.eachPartner(a, func(j int, _ int64) { h.weight[j] = 0 })
	return a, b, gain + h.gain[a]
}
