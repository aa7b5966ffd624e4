package metrics

import "contend/router"

// waitTable has sums by the job that waited, the job that it waited for, and the link. It is a hash
// table with open addressing; the length of the list is a power of two. A map takes a third of the
// time of all records.
type waitTable struct {
	list []waitSum
	many int
}

// waitSum is a place of the table. Jobs are by their place in Interference.jobs.
type waitSum struct {
	job, by int32
	link    router.Link
	used    bool
	WaitSums
}

// of returns sums, which are valid until the next call.
func (t *waitTable) of(job, by int32, link router.Link) *WaitSums {
	const mix = 0x9e3779b97f4a7c15
	h := uint64(uint32(job))<<32 | uint64(uint32(by))
	h = (h*mix ^ uint64(uint32(link))) * mix
	for i := h >> 32; ; i++ {
		k := &t.list[i&uint64(len(t.list)-1)]
		switch {
		case !k.used:
			if 2*t.many >= len(t.list) {
				t.grow()
				return t.of(job, by, link)
			}
			t.many++
			k.job, k.by, k.link, k.used = job, by, link, true
			return &k.WaitSums
		case k.job == job && k.by == by && k.link == link:
			return &k.WaitSums
		}
	}
}

// grow doubles the table.
func (t *waitTable) grow() {
	list := t.list
	*t = waitTable{list: make([]waitSum, 2*len(list))}
	for i := range list {
		if k := &list[i]; k.used {
			*t.of(k.job, k.by, k.link) = k.WaitSums
		}
	}
}
