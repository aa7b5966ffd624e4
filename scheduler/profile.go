package scheduler

import "slices"

// profile is the number of nodes planned to be free at each future time: free[i] from
// at[i] until at[i+1], and the last one for ever. Neighbouring values differ.
type profile struct {
	at   []Cycle
	free []int
}

// begin resets the profile to a constant number of nodes from now on.
func (p *profile) begin(now Cycle, free int) {
	p.at, p.free = append(p.at[:0], now), append(p.free[:0], free)
}

// advance drops the part of the profile before now.
func (p *profile) advance(now Cycle) {
	i := 0
	for i+1 < len(p.at) && p.at[i+1] <= now {
		i++
	}
	p.at, p.free = slices.Delete(p.at, 0, i), slices.Delete(p.free, 0, i)
	p.at[0] = now
}

// earliest returns the first time from which at least size nodes are free for the given
// time.
func (p *profile) earliest(size int, time Cycle) Cycle {
	for i := 0; ; i++ {
		if p.free[i] < size {
			continue // the last entry has all nodes of the machine
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

// reserve adds nodes for the given time from a start on. A negative number takes nodes.
func (p *profile) reserve(from, time Cycle, nodes int) {
	p.change(from, nodes)
	p.change(min(MaxCycle, from+time), -nodes)
}

// change adds nodes from a time on. The time is not before the first entry.
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
