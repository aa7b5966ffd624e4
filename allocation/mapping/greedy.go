package mapping

import "slices"

// maxPartners is the greatest number of partners, the heaviest ones, that Grow considers. With it a
// pattern in which all k processes exchange with all takes O(k²) steps.
const maxPartners = 16

// Grow maps greedily, after Hoefler and Snir 2011: the process with most traffic comes
// first, at the place with fewest hops to all others. Then the process that exchanges most with
// those mapped follows, at the free place with the fewest hop-bytes to its partners there. Ties go
// to the lower process and to the earlier place.
func (p *Places) Grow(t Traffic) []int32 {
	p.check(t)
	t = t.scaled()
	at, free := make([]int32, p.n), slices.Clone(p.order)
	bound := make([]int64, p.n) // bytes that a process exchanges with those mapped, -1 if it is
	for step := range p.n {
		next := maxBound(t, bound, step == 0)
		best, minCost := 0, int64(-1)
		partners := mappedPartners(t[next], bound)
		for i, place := range free {
			cost := int64(0)
			for _, k := range partners {
				cost += k.Bytes * int64(p.between(place, at[k.Process]))
			}
			if len(partners) == 0 && step == 0 {
				cost = p.sum(place)
			}
			if minCost < 0 || cost < minCost {
				best, minCost = i, cost
			}
		}
		at[next] = free[best]
		free = append(free[:best], free[best+1:]...)
		bound[next] = -1
		for _, k := range t[next] {
			if bound[k.Process] >= 0 {
				bound[k.Process] += k.Bytes
			}
		}
	}
	return at
}

// maxBound returns the process that exchanges most with those mapped, at first the one with most
// traffic.
func maxBound(t Traffic, bound []int64, first bool) (next int32) {
	maxBytes := int64(-1)
	for i, b := range bound {
		if first {
			for _, k := range t[i] {
				b += k.Bytes
			}
		}
		if b > maxBytes {
			next, maxBytes = int32(i), b
		}
	}
	return next
}

// mappedPartners returns the heaviest partners that are mapped, at most maxPartners.
func mappedPartners(partners []Partner, bound []int64) (heaviest []Partner) {
	for _, k := range partners {
		if bound[k.Process] >= 0 {
			continue
		}
		at := len(heaviest)
		for at > 0 && heaviest[at-1].Bytes < k.Bytes {
			at--
		}
		if at == maxPartners {
			continue
		}
		heaviest = append(heaviest[:at], append([]Partner{k}, heaviest[at:]...)...)
		heaviest = heaviest[:min(maxPartners, len(heaviest))]
	}
	return heaviest
}

// sum returns the hops from a place to all others.
func (p *Places) sum(place int32) (hops int64) {
	for _, h := range p.hops[int(place)*p.n:][:p.n] {
		hops += int64(h)
	}
	return hops
}
