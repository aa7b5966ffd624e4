package scheduler

import "slices"

// profile is the number of nodes planned to be free, over the time to come:
// free[i] from at[i] until at[i+1], the last for ever. No two neighbours are
// equal.
type profile struct {
	at   []Cycle
	free []int
}

// begin makes it a constant number of nodes from now on.
func (p *profile) begin(now Cycle, free int) {
	p.at, p.free = append(p.at[:0], now), append(p.free[:0], free)
}

// advance forgets what lies before now.
func (p *profile) advance(now Cycle) {
	i := 0
	for i+1 < len(p.at) && p.at[i+1] <= now {
		i++
	}
	p.at, p.free = slices.Delete(p.at, 0, i), slices.Delete(p.free, 0, i)
	p.at[0] = now
}

// earliest returns the first time from which so many nodes are free for so
// long.
func (p *profile) earliest(size int, time Cycle) Cycle {
	for i := 0; ; i++ {
		if p.free[i] < size {
			continue // the last has all nodes of the machine
		}
		j, end := i+1, p.at[i]+time
		for j < len(p.at) && p.at[j] < end && p.free[j] >= size {
			j++
		}
		if j == len(p.at) || p.at[j] >= end {
			return p.at[i]
		}
		i = j
	}
}

// reserve adds a number of nodes, negative for those that are taken, from a
// time on for so long.
func (p *profile) reserve(from, time Cycle, nodes int) {
	p.change(from, nodes)
	p.change(min(MaxCycle, from+time), -nodes)
}

// change adds a number of nodes from a time on, which is not before the first.
func (p *profile) change(from Cycle, nodes int) {
	i, found := slices.BinarySearch(p.at, from)
	if !found {
		p.at, p.free = slices.Insert(p.at, i, from), slices.Insert(p.free, i, p.free[i-1])
	}
	for j := i; j < len(p.free); j++ {
		p.free[j] += nodes
	}
	if i > 0 && p.free[i] == p.free[i-1] {
		p.at, p.free = slices.Delete(p.at, i, i+1), slices.Delete(p.free, i, i+1)
	}
}
