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
