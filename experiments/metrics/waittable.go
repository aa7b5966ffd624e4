package metrics

import "contend/router"

// waitTable has the sums of waits by the job that waited, the job that it waited for, and the link.
// It is a hash table with open addressing; the length of list is a power of two. It exceeds the
// caches of processors, so waits are added to it in batches. Beside the closed form a run with
// records takes 1.3 times as long with a map (BenchmarkInterference/closed/flits=16/all-to-all).
type waitTable struct {
	list  []waitSum
	used  int               // entries in use
	batch []waitSum         // to be added to list
	homes [batchSums]uint32 // by sum of the batch, its home
	seen  int32             // keeps the compiler from dropping the loads of flush
}

// waitSum is an entry of the table. Jobs are indices of slotTimes.jobs.
type waitSum struct {
	job, by int32
	link    router.Link
	used    bool
	WaitSums
}

// batchSums is the number of sums in a batch.
const batchSums = 256

// newWaitTable returns an empty table.
func newWaitTable() waitTable { return waitTable{list: make([]waitSum, 4*batchSums)} }

// add returns new sums, which are added to those of the same key after the caller has set them. The
// caller sets them before the next call.
func (t *waitTable) add(job, by int32, link router.Link) *WaitSums {
	if len(t.batch) == batchSums {
		t.flush()
	}
	t.batch = append(t.batch, waitSum{})
	k := &t.batch[len(t.batch)-1]
	k.job, k.by, k.link = job, by, link
	return &k.WaitSums
}

// flush adds the batch. It touches all entries first, so that their cache misses overlap.
func (t *waitTable) flush() {
	for t.used+batchSums > len(t.list)/4*3 {
		list := t.list
		t.list, t.used = make([]waitSum, 2*len(list)), 0
		for i := range list {
			if k := &list[i]; k.used {
				*t.find(k, t.home(k)) = *k
			}
		}
	}
	for i := range t.batch {
		t.homes[i] = t.home(&t.batch[i])
		t.seen += t.list[t.homes[i]].job
	}
	for i := range t.batch {
		k := &t.batch[i]
		of := t.find(k, t.homes[i])
		of.Held += k.Held
		of.Behind += k.Behind
		of.Root += k.Root
	}
	t.batch = t.batch[:0]
}

// home returns the index of the entry from which on the sums of a key are searched.
func (t *waitTable) home(k *waitSum) uint32 {
	const mix = 0x9e3779b97f4a7c15
	h := uint64(uint32(k.job))<<32 | uint64(uint32(k.by))
	h = (h*mix ^ uint64(uint32(k.link))) * mix
	return uint32(h>>32) & uint32(len(t.list)-1)
}

// find returns the entry with the key of k, searched from an index on, or takes an unused one.
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
