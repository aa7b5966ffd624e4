package mapping

// halves is a part that is divided: which of its processes go to the right.
type halves struct {
	*bisection
	processes []int32
	index     map[int32]int // of a process of the part
	left      int           // processes that go to the left
	across    int64         // what is paid for a byte between the halves and not within one
	pull      []int64       // what is paid on the left for bytes to other parts, less that on the right
	right     []bool        // which processes are on the right
	gain      []int64       // what it saves to move a process to the other half
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

// byNumber puts the processes with lower numbers on the left.
func (h *halves) byNumber() []bool {
	right := make([]bool, len(h.processes))
	for i := h.left; i < len(right); i++ {
		right[i] = true
	}
	return right
}

// grown puts those on the left that are added one by one, each the one that adds least to what
// crosses: the first of several, or with last the last of them. So a grid grows by rows or by
// columns.
func (h *halves) grown(last bool) []bool {
	right, bound := make([]bool, len(h.processes)), make([]int64, len(h.processes))
	for i := range right {
		right[i], bound[i] = true, -h.pull[i]
		h.within(i, func(_ int, bytes int64) { bound[i] -= bytes * h.across })
	}
	for range h.left {
		next := -1
		for i := range right {
			if right[i] && (next < 0 || bound[i] > bound[next] || last && bound[i] == bound[next]) {
				next = i
			}
		}
		right[next] = false
		h.within(next, func(j int, bytes int64) { bound[j] += 2 * bytes * h.across })
	}
	return right
}

// within calls f for the partners in the part of its i-th process.
func (h *halves) within(i int, f func(j int, bytes int64)) {
	process := h.processes[i]
	for _, k := range h.traffic[process] {
		if h.part[k.Process] == h.part[process] {
			f(h.index[k.Process], k.Bytes)
		}
	}
}

// cost returns what differs between divisions.
func (h *halves) cost() (sum int64) {
	for i, right := range h.right {
		if !right {
			sum += h.pull[i]
		}
		h.within(i, func(j int, bytes int64) {
			if j > i && h.right[j] != right {
				sum += bytes * h.across
			}
		})
	}
	return sum
}

// maxPasses bounds the passes of exchange.
const maxPasses = 8

// exchange swaps processes between the halves until a pass saves nothing. A pass swaps, one pair
// after the other, the two that save most, or cost least, each process once, and keeps as many
// swaps as save most.
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

// findGains sets what it saves to move each process.
func (h *halves) findGains() {
	for i, right := range h.right {
		h.gain[i] = h.pull[i]
		if right {
			h.gain[i] = -h.pull[i]
		}
		h.within(i, func(j int, bytes int64) {
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
	h.within(i, func(j int, bytes int64) {
		if h.right[j] == h.right[i] {
			h.gain[j] -= 2 * bytes * h.across
		} else {
			h.gain[j] += 2 * bytes * h.across
		}
	})
}

// bestSwap returns the process of the left half that saves most, the one of the right half that
// then saves most, and what both save together.
func (h *halves) bestSwap(locked []bool) (a, b int, gain int64) {
	a, b = -1, -1
	for i, right := range h.right {
		if !right && !locked[i] && (a < 0 || h.gain[i] > h.gain[a]) {
			a = i
		}
	}
	h.within(a, func(j int, bytes int64) { h.weight[j] = bytes })
	for i, right := range h.right {
		if saves := h.gain[i] - 2*h.weight[i]*h.across; right && !locked[i] && (b < 0 || saves > gain) {
			b, gain = i, saves
		}
	}
	h.within(a, func(j int, _ int64) { h.weight[j] = 0 })
	return a, b, gain + h.gain[a]
}
