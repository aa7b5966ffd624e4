package mapping

// halves is a division of the processes of a part between two halves of its places.
type halves struct {
	*bisection
	processes []int32
	index     map[int32]int // of each process of the part, in processes
	left      int           // number of processes of the left half
	across    int64         // hops of a byte between the halves less those within one
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

// grownFrom returns a division whose left half grows by one process at a time, by the one that adds
// least to the bytes between the halves: the first of several, or with last the last. So a grid
// grows by rows or by columns.
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

// cost returns the part of hop-bytes that differs between divisions.
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

// bestSwap returns the process of the left half with the largest gain, the one of the right half
// that then gains most, and the gain of both moves.
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
