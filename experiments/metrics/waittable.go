package metrics

import "contend/router"

// waitTable has sums by the job that waited, the job that it waited for, and the link. It is a hash
// table with open addressing; the length of the list is a power of two. It exceeds the caches of
// processors, so sums are added to it in batches.
type waitTable struct {
	list  []waitSum
	used  int       // entries in use
	later []waitSum // to be added
	at    [sumsAtOnce]uint32
	seen  int32 // keeps the compiler from dropping the loads of flush
}

// waitSum is an entry of the table. Jobs are indices of Interference.jobs.
type waitSum struct {
	job, by int32
	link    router.Link
	used    bool
	WaitSums
}

// sumsAtOnce is the size of a batch.
const sumsAtOnce = 256

func newWaitTable() waitTable { return waitTable{list: make([]waitSum, 4*sumsAtOnce)} }

// add returns an addend of a sum, which the caller sets before the next call.
func (t *waitTable) add(job, by int32, link router.Link) *WaitSums {
	if len(t.later) == sumsAtOnce {
		t.flush()
	}
	t.later = append(t.later, waitSum{})
	k := &t.later[len(t.later)-1]
	k.job, k.by, k.link = job, by, link
	return &k.WaitSums
}

// flush adds the batch. It touches all entries first, so that their cache misses overlap.
func (t *waitTable) flush() {
	for t.used+sumsAtOnce > len(t.list)/4*3 {
		list := t.list
		t.list, t.used = make([]waitSum, 2*len(list)), 0
		for i := range list {
			if k := &list[i]; k.used {
				*t.find(k, t.home(k)) = *k
			}
		}
	}
	for i := range t.later {
		t.at[i] = t.home(&t.later[i])
		t.seen += t.list[t.at[i]].job
	}
	for i := range t.later {
		k := &t.later[i]
		of := t.find(k, t.at[i])
		of.Held += k.Held
		of.Behind += k.Behind
		of.Root += k.Root
	}
	t.later = t.later[:0]
}

// home returns the first entry in which a sum may be.
func (t *waitTable) home(k *waitSum) uint32 {
	const mix = 0x9e3779b97f4a7c15
	h := uint64(uint32(k.job))<<32 | uint64(uint32(k.by))
	h = (h*mix ^ uint64(uint32(k.link))) * mix
	return uint32(h>>32) & uint32(len(t.list)-1)
}

// find returns the entry of a sum, from home on.
func (t *waitTable) find(k *waitSum, at uint32) *waitSum {
	for {
		of := &t.list[at]
		if !of.used {
			of.job, of.by, of.link, of.used = k.job, k.by, k.link, true
			t.used++
			return of
		}
		if of.job == k.job && of.by == k.by && of.link == k.link {
			return of
		}
		at = (at + 1) & uint32(len(t.list)-1)
	}
}
