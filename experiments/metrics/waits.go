package metrics

import (
	"cmp"
	"maps"
	"slices"

	"contend/netsim"
	"contend/router"
	"contend/scheduler"
)

// jobPair is a job that waited and the job it waited for.
type jobPair struct{ waiting, holding scheduler.JobID }

// JobWaits sums, over pairs of jobs, the cycles in which a ready head flit of one waited for a
// channel that a packet of the other held. The router knows both when it grants the channel, so
// the sums cost an addition for each head flit that waited.
//
// JobWaits implements router.WaitRecorder.
type JobWaits struct {
	net    *netsim.Network
	slots  []waitSlot
	cycles map[jobPair]int64
}

// waitSlot is a slot of the executor: the job that has it, and the one that had it before.
type waitSlot struct {
	job, before scheduler.JobID
	since       int64 // cycle in which the job got it
}

// NewJobWaits returns the waits of the jobs on a network.
func NewJobWaits(net *netsim.Network) *JobWaits {
	return &JobWaits{net: net, cycles: map[jobPair]int64{}}
}

// Began notes that a job has a slot from now on.
func (w *JobWaits) Began(slot int32, id scheduler.JobID) {
	for int(slot) >= len(w.slots) {
		w.slots = append(w.slots, waitSlot{})
	}
	w.net.TellWaits()
	s := &w.slots[slot]
	*s = waitSlot{job: id, before: s.job, since: w.net.Now()}
}

// Waited implements router.WaitRecorder. A packet may release a channel after its job has ended
// and another job has the slot, but its tail was sent before.
func (w *JobWaits) Waited(list []router.Wait) {
	for i := range list {
		x := &list[i]
		if x.Held == 0 {
			continue
		}
		s := &w.slots[x.ForJob]
		of := s.job
		if x.Tail < s.since {
			of = s.before
		}
		w.cycles[jobPair{w.slots[x.Job].job, of}] += x.Held
	}
	if len(list) == 0 {
		w.net.ForgetWaits(w.net.WaitsToldUntil())
	}
}

// JobWait is how long a job waited for the packets of another, or for its own.
type JobWait struct {
	By     scheduler.JobID
	Cycles int64
}

// Of returns the waits of a job, the longest first.
func (w *JobWaits) Of(id scheduler.JobID) (list []JobWait) {
	w.net.TellWaits()
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
	w.net.TellWaits()
	maps.DeleteFunc(w.cycles, func(p jobPair, _ int64) bool { return p.waiting == id })
}
