package metrics

import (
	"cmp"
	"maps"
	"slices"

	"contend/experiments/sim/executor"
	"contend/netsim"
	"contend/router"
	"contend/scheduler"
)

// slotTimes record which job had which slot of an executor at which time. A wait for a packet may
// be reported when the job of the packet has ended and another one has the slot.
type slotTimes struct {
	net   *netsim.Network
	slots [][]slotStart             // by slot, in the order of their cycles
	again map[scheduler.JobID]int32 // jobs that begin anew: index into jobs
	jobs  []scheduler.JobID         // that have run, in the order of their starts
}

// slotStart is a job that has a slot from a cycle on.
type slotStart struct {
	since int64
	job   int32 // index into slotTimes.jobs
}

// Began records that a job has a slot from now on. Waits so far are those of the jobs before.
func (t *slotTimes) Began(slot int32, id scheduler.JobID) {
	t.net.ReportWaits()
	for int(slot) >= len(t.slots) {
		t.slots = append(t.slots, nil)
	}
	job, again := t.again[id]
	if delete(t.again, id); !again {
		job = int32(len(t.jobs))
		t.jobs = append(t.jobs, id)
	}
	t.slots[slot] = append(t.slots[slot], slotStart{t.net.Now(), job})
}

// beginsAnew records that the job that began last of those with a number will begin once more: it
// is the same job then.
func (t *slotTimes) beginsAnew(id scheduler.JobID) {
	if t.again == nil {
		t.again = map[scheduler.JobID]int32{}
	}
	for k := len(t.jobs) - 1; k >= 0; k-- {
		if t.jobs[k] == id {
			t.again[id] = int32(k)
			return
		}
	}
}

// jobOf returns the index of the job that had a slot in a cycle.
func (t *slotTimes) jobOf(slot int32, cycle int64) int32 {
	list := t.slots[slot]
	k := len(list) - 1
	for k > 0 && cycle < list[k].since {
		k--
	}
	return list[k].job
}

// idOf returns the number of the job of an index, which may be nobody.
func (t *slotTimes) idOf(job int32) scheduler.JobID {
	if job == nobody {
		return executor.Nobody
	}
	return t.jobs[job]
}

// JobWaits sums, over pairs of jobs, the cycles in which a ready head flit of one waited for a
// channel that a packet of the other held. The router knows both when it grants the channel, so
// the sums cost an addition for each head flit that waited.
//
// JobWaits implements router.WaitRecorder.
type JobWaits struct {
	slotTimes
	cycles map[jobPair]int64
}

// jobPair is a job that waited and the job it waited for.
type jobPair struct{ waiting, holding scheduler.JobID }

// NewJobWaits returns the waits of the jobs on a network.
func NewJobWaits(net *netsim.Network) *JobWaits {
	return &JobWaits{slotTimes{net: net}, map[jobPair]int64{}}
}

// Waited implements router.WaitRecorder.
func (w *JobWaits) Waited(list []router.Wait) {
	for i := range list {
		if x := &list[i]; x.Held > 0 {
			w.cycles[jobPair{w.idOf(w.jobOf(x.Job, x.Until)), w.idOf(w.jobOf(x.ForJob, x.Tail))}] += x.Held
		}
	}
	if len(list) == 0 {
		w.net.ForgetWaits(w.net.WaitsReportedUntil())
	}
}

// JobWait is how long a job waited for the packets of another, or for its own.
type JobWait struct {
	By     scheduler.JobID
	Cycles int64
}

// Of returns the waits of a job, the longest first.
func (w *JobWaits) Of(id scheduler.JobID) (list []JobWait) {
	w.net.ReportWaits()
	for p, cycles := range w.cycles {
		if p.waiting == id {
			list = append(list, JobWait{p.holding, cycles})
		}
	}
	slices.SortFunc(list, func(a, b JobWait) int {
		return cmp.Or(cmp.Compare(b.Cycles, a.Cycles), cmp.Compare(a.By, b.By))
	})
	return list
}

// Forget drops the waits of a job.
func (w *JobWaits) Forget(id scheduler.JobID) {
	w.net.ReportWaits()
	maps.DeleteFunc(w.cycles, func(p jobPair, _ int64) bool { return p.waiting == id })
}

// The parts of a critical path, in the order in which rows have them.
const (
	PartComputing = "computing"
	PartSoftware  = "software"
	PartSerial    = "serialization"
	PartQueue     = "source_queue"
	PartResending = "resending"
	PartEntry     = "entry"
	PartNetwork   = "network"
	PartShared    = "shared"
	PartOwn       = "own_blocking"
	PartForeign   = "foreign_blocking"
	PartAhead     = "foreign_ahead"
)

// pathPart is the time of a part of a critical path.
type pathPart struct {
	name   string
	of     scheduler.JobID // the other job of PartForeign and PartAhead, else executor.Nobody
	cycles int64
}

// partsOf sums the parts of the critical path of a job, without parts of no cycles.
func partsOf(id scheduler.JobID, path []executor.Hop) (parts []pathPart) {
	names := [...]string{PartComputing, PartSoftware, PartSerial, PartQueue, PartResending, PartEntry,
		PartNetwork, PartShared, PartOwn}
	const shared, own = 7, 8 // indices of names
	var sums [len(names)]int64
	foreign, ahead := map[scheduler.JobID]int64{}, map[scheduler.JobID]int64{}
	for i := range path {
		h := &path[i]
		parts := [...]int64{h.Computing, h.Software, h.Serialization, h.Queue, h.Resend, h.Entry,
			h.Network, h.Shared}
		for k, cycles := range parts {
			sums[k] += cycles
		}
		for _, w := range h.Waits {
			switch w.Job {
			case executor.Nobody:
				sums[shared] += w.Cycles
			case id:
				sums[own] += w.Cycles
			default:
				foreign[w.Job] += w.Cycles
			}
		}
		for _, w := range h.Ahead {
			ahead[w.Job] += w.Cycles
		}
	}
	for k, cycles := range sums {
		parts = append(parts, pathPart{names[k], executor.Nobody, cycles})
	}
	for _, job := range slices.Sorted(maps.Keys(foreign)) {
		parts = append(parts, pathPart{PartForeign, job, foreign[job]})
	}
	for _, job := range slices.Sorted(maps.Keys(ahead)) {
		parts = append(parts, pathPart{PartAhead, job, ahead[job]})
	}
	return slices.DeleteFunc(parts, func(p pathPart) bool { return p.cycles == 0 })
}

// Path adds the rows of the critical path of a job. It implements executor.Chains.Ended.
func (w *Interference) Path(id scheduler.JobID, path []executor.Hop) {
	messages := 0
	for i := range path {
		if path[i].Crossed {
			messages++
		}
	}
	for _, p := range partsOf(id, path) {
		w.paths = append(w.paths, PathRow{id, messages, p})
	}
}

// PathRow is a row of critical-path.csv: the time that a critical path spends with something.
type PathRow struct {
	Job      scheduler.JobID
	Messages int // on the path
	pathPart
}

// PathTable is critical-path.csv.
var PathTable = withColumns(RowTable{Name: "critical-path", Row: "part of the time of a job",
	Wanted: func(x *Records) bool { return x.Interference }},
	func(x *Records) []PathRow { return x.PathRows },
	integers("job", "", "number of the job", func(r *PathRow) scheduler.JobID { return r.Job }),
	texts("part",
		"what the job's critical path spent time with, which goes back from its end to what was "+
			"waited for last (a computation, a message that was sent or received, a busy process): "+
			"computing; software (sending and receiving, at processes); serialization (packets of the "+
			"same message before the last one, on the slowest link); source_queue (otherwise behind "+
			"packets of the same node, or without a way as links have failed); resending (from when a "+
			"link that failed took the packet along until it is first in that queue again); entry (a "+
			"place in the router); network (the last packet on an empty network); "+
			"shared (links and buffers that other packets used too, and detours); own_blocking and "+
			"foreign_blocking (a ready head flit waited for a packet of the job itself, of another one); "+
			"foreign_ahead (in the source queue or at the entry, as packets ahead waited for another job)",
		func(r *PathRow) string { return r.name }),
	integersIf("for_job", "", "the other job of foreign_blocking and foreign_ahead",
		func(r *PathRow) (scheduler.JobID, bool) { return r.of, r.of != executor.Nobody }),
	integers("messages", "messages", "messages that cross the network on the path",
		func(r *PathRow) int { return r.Messages }),
	integers("cycles", "cycles", "sum over the path; over all rows of a job it is its "+
		"`service_time`", func(r *PathRow) int64 { return r.cycles }),
)
