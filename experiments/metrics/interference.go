package metrics

import (
	"cmp"
	"math"
	"slices"

	"contend/experiments/sim/executor"
	"contend/netsim"
	"contend/router"
	"contend/scheduler"
)

// Interference sums the waits of ready head flits by the job that waited, the job that it waited
// for, and the channel. Each cycle of a wait counts twice: for the direct holder, whose packet
// had the virtual channel or was in the buffer behind it, and for the root, the job at the head of
// the chain of holders in that cycle. A packet is the head of the chain if its own head flit does
// not wait. Where packets may take several channels, a chain may close to a ring for some time; it
// ends where it would come to a packet again.
//
// The root of a wait depends on the waits of other packets in the same cycles, which the router may
// report later. So waits are kept until all waits of their time are known.
//
// Interference implements router.WaitRecorder.
type Interference struct {
	slotTimes
	sums   waitTable
	newest []int               // by number of a packet, the number of its last wait, or noWait
	waited [][]executor.ForJob // by number of a packet, the jobs for which its head flit waited
	log    []loggedWait        // waits that may be in chains of others
	first  int                 // number of the first wait in the log
	summed int                 // number of waits that are in sums
	full   int                 // length of the log at which its waits are summed up
	atOnce int                 // waits that are logged between two sums
	roots  []rootPart          // of the wait that is being summed up
	ring   bool                // a chain of the wait has come to a packet again
	paths  []PathRow           // of critical paths
}

// WaitSums are sums of waits, in cycles.
type WaitSums struct {
	// Held is the waits for virtual channels that packets of the job held, Behind the others.
	Held, Behind int64
	// Root is the waits for chains at whose head the job was.
	Root int64
}

const (
	nobody      = -1 // the job of waits for a turn on a link
	noWait      = -1 // the last wait of a packet that has not waited
	unknownRoot = -2 // the root of a wait that is not summed up yet, or had several
	walkedRoot  = -3 // the root of a wait whose roots are being found
)

// loggedWait is a router.Wait that may be in the chain of a later one. It has 64 bytes.
type loggedWait struct {
	from, until, tail, resume int64
	before                    int32 // distance to the earlier wait of its packet, 0 if there is none
	holder                    int32 // the packet that it waited for, or nobody
	job, by, root             int32
	held                      int32
	link                      router.Link
}

// rootPart is a part of a wait with one root.
type rootPart struct {
	job    int32
	cycles int64
}

// waitsAtOnce is the number of waits that are summed up at once.
const waitsAtOnce = 1 << 11

// NewInterference returns the empty sums of an idle network. The network must report waits to
// Waited, and the executor must call Began. Earlier waits are reported to the recorder before.
func NewInterference(net *netsim.Network) *Interference {
	net.ReportWaits()
	return &Interference{slotTimes: slotTimes{net: net}, sums: newWaitTable(),
		atOnce: max(waitsAtOnce, net.Wiring().Channels())}
}

// Waited implements router.WaitRecorder.
func (w *Interference) Waited(list []router.Wait) {
	for i := range list {
		x := &list[i]
		for n := len(w.newest); n <= int(max(x.Packet, x.For)); n++ {
			w.newest, w.waited = append(w.newest, noWait), append(w.waited, nil)
		}
		w.log = append(w.log, loggedWait{})
		k := &w.log[len(w.log)-1] // field by field: the processor would wait for a copy
		k.from, k.until, k.tail, k.resume, k.holder = x.From, x.Until, x.Tail, x.Resume, x.For
		k.held, k.link, k.job = int32(x.Held), x.Link, w.jobOf(x.Job, x.Until)
		if k.root, k.by = nobody, nobody; !x.Nobody() {
			k.root, k.by = unknownRoot, w.jobOf(x.ForJob, x.Tail)
		}
		last, n, of := &w.newest[x.Packet], w.first+len(w.log)-1, &w.waited[x.Packet]
		if *last >= w.first {
			k.before = int32(n - *last)
		}
		*last = n
		*of = executor.AddWait(*of, executor.ForJob{Job: w.idOf(k.by), Cycles: x.Until - x.From})
	}
	if len(w.log) >= w.full || len(list) == 0 {
		w.forget(w.sum(w.net.WaitsReportedUntil()))
		w.full = len(w.log) + w.atOnce
	}
}

// WaitedFor returns how long the head flit of a packet that arrives now has waited for which jobs.
// The list is valid until the next message.
func (w *Interference) WaitedFor(*router.Arrival) []executor.ForJob {
	w.net.ReportWaits()
	if n := int(w.net.Number()); n < len(w.waited) {
		return w.waited[n]
	}
	return nil
}

// sum sums up the waits in the log that ended by a cycle up to which all are known, and returns the
// cycle from which on waits matter.
func (w *Interference) sum(known int64) (from int64) {
	list := w.log[w.summed-w.first:]
	for len(list) > 0 && list[0].until <= known {
		w.sumOne(&list[0])
		list = list[1:]
	}
	w.summed = w.first + len(w.log) - len(list)
	for i := range list {
		known = min(known, list[i].from)
	}
	return known
}

// forget drops waits that ended by a cycle, and the waits of packets that had arrived by then.
func (w *Interference) forget(before int64) {
	drop := 0
	for drop < w.summed-w.first && w.log[drop].until <= before {
		drop++
	}
	w.log = w.log[:copy(w.log, w.log[drop:])]
	w.first += drop
	for _, n := range w.net.ForgetWaits(before) {
		if int(n) < len(w.newest) {
			w.newest[n], w.waited[n] = noWait, w.waited[n][:0]
		}
	}
}

// sumOne adds a wait to the sums.
func (w *Interference) sumOne(k *loggedWait) {
	w.roots, w.ring = append(w.roots[:0], rootPart{k.by, 0}), false
	if k.holder != nobody {
		w.addRoots(k, k.from, k.until)
	} else {
		w.addRoot(nobody, k.until-k.from)
	}
	cycles := k.until - k.from
	for i, part := range w.roots {
		sums := w.sums.add(k.job, part.job, k.link)
		if sums.Root = part.cycles; i == 0 {
			sums.Held, sums.Behind = int64(k.held), cycles-int64(k.held)
		}
		if part.cycles == cycles && !w.ring { // where a ring ends depends on where it is entered
			k.root = part.job
		}
	}
}

// addRoots adds the roots of a part of a wait, the last cycles first.
func (w *Interference) addRoots(k *loggedWait, from, until int64) {
	k.root = walkedRoot
	if resume := max(from, k.resume); resume < until {
		w.addHolderRoots(k, resume, until)
		until = resume
	}
	if tail := max(from, k.tail); tail < until {
		w.addRoot(k.by, until-tail)
		until = tail
	}
	if from < until {
		w.addHolderRoots(k, from, until)
	}
	k.root = unknownRoot
}

// addHolderRoots adds the roots of a part of a wait in which the head flit could not proceed before
// the holder: the roots of the waits of the holder, and the holder where it did not wait.
func (w *Interference) addHolderRoots(k *loggedWait, from, until int64) {
	for n := w.newest[k.holder] - w.first; n >= 0; {
		h := &w.log[n]
		a, b := max(from, h.from), min(until, h.until)
		if a < b {
			if h.root == walkedRoot {
				w.ring = true
			} else {
				if b < until {
					w.addRoot(k.by, until-b)
				}
				if h.root != unknownRoot {
					w.addRoot(h.root, b-a)
				} else {
					w.addRoots(h, a, b)
				}
				until = a
			}
		}
		if h.from <= from || h.before == 0 {
			break
		}
		n -= int(h.before)
	}
	if from < until {
		w.addRoot(k.by, until-from)
	}
}

// addRoot adds cycles of a wait whose root is a job.
func (w *Interference) addRoot(job int32, cycles int64) {
	for i := range w.roots {
		if w.roots[i].job == job {
			w.roots[i].cycles += cycles
			return
		}
	}
	w.roots = append(w.roots, rootPart{job, cycles})
}

// Sums returns the sums of all waits, in the order of the numbers of jobs and channels.
func (w *Interference) Sums() (list []LinkWait) {
	w.net.ReportWaits()
	w.sum(math.MaxInt64)
	w.sums.flush()
	for _, k := range w.sums.list {
		if k.used {
			list = append(list, LinkWait{w.idOf(k.job), w.idOf(k.by), k.by == nobody, k.link, k.WaitSums})
		}
	}
	slices.SortFunc(list, func(a, b LinkWait) int {
		return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.For, b.For), int(a.Link-b.Link))
	})
	return list
}

// LinkWait is how long head flits of a job waited on a link for another job, or for no job.
type LinkWait struct {
	Job, For scheduler.JobID
	Nobody   bool
	Link     router.Link
	WaitSums
}

// WaitRow is a row of interference.csv.
type WaitRow struct {
	LinkWait
	Channel *Channel
}

// InterferenceTable is interference.csv.
var InterferenceTable = withColumns(RowTable{Name: "interference",
	Row:    "pair of jobs of which one waited for the other, and channel",
	Wanted: func(x *Records) bool { return x.Interference }},
	func(x *Records) []WaitRow { return x.InterferenceRows },
	slices.Concat([]column[WaitRow]{
		integers("job", "", "job whose ready head flits waited",
			func(r *WaitRow) scheduler.JobID { return r.Job }),
		integersIf("for_job", "", "job that they waited for, or the job itself; empty where head flits "+
			"waited for their turn on a link that virtual channels share",
			func(r *WaitRow) (scheduler.JobID, bool) { return r.For, !r.Nobody }),
	}, channelColumns(func(r *WaitRow) *Channel { return r.Channel }), []column[WaitRow]{
		integers("held_cycles", "cycles",
			"time in which a packet of `for_job` held the virtual channel that a head flit waited for; "+
				"over all rows of two jobs it is `foreign_blocking_time` of all packets, with "+
				"machine.failures also of those that were lost and of runs that failures ended",
			func(r *WaitRow) int64 { return r.Held }),
		integers("behind_cycles", "cycles",
			"the rest of the wait: the packet had sent its tail, which was on the channel or in the buffer "+
				"behind it; over all rows both are `packet_blocking_time` of all packets",
			func(r *WaitRow) int64 { return r.Behind }),
		integers("root_cycles", "cycles",
			"the same waits, charged in each cycle to the job at the head of the chain of holders: the "+
				"first whose own head flit does not wait",
			func(r *WaitRow) int64 { return r.Root }),
	})...)

// waitRows returns a row for each sum.
func waitRows(w *router.Wiring, sums []LinkWait) []WaitRow {
	channels, rows := Channels(w), make([]WaitRow, len(sums))
	for i, s := range sums {
		rows[i] = WaitRow{s, &channels[s.Link]}
	}
	return rows
}

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
