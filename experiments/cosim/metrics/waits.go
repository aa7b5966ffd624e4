package metrics

import (
	"fmt"
	"maps"
	"slices"

	"contend/netsim"
	"contend/scheduler"
)

// jobPair is a job that waited and the job it waited for.
type jobPair struct{ waiting, holding scheduler.JobID }

// JobWaits sums, over pairs of jobs, the cycles in which a ready header of one waited for a
// channel that a packet of the other held. The router knows both when it grants the channel, so
// the sums cost an addition for each header that waited.
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

// Began notes that a job has a slot from now on.
func (w *JobWaits) Began(slot int32, id scheduler.JobID) {
	for int(slot) >= len(w.slots) {
		w.slots = append(w.slots, waitSlot{})
	}
	s := &w.slots[slot]
	*s = waitSlot{job: id, before: s.job, since: w.net.Now()}
}

// Waited implements router.WaitRecorder. A packet may release a channel after its job has ended
// and another job has the slot, but its tail was sent before.
func (w *JobWaits) Waited(waiting, holding int32, tail, cycles int64) {
	s := &w.slots[holding]
	of := s.job
	if tail < s.since {
		of = s.before
	}
	w.cycles[jobPair{w.slots[waiting].job, of}] += cycles
}

// rows returns the pairs in order of number.
func (w *JobWaits) rows() (rows [][]string) {
	pairs := slices.SortedFunc(maps.Keys(w.cycles), func(a, b jobPair) int {
		if a.waiting != b.waiting {
			return int(a.waiting - b.waiting)
		}
		return int(a.holding - b.holding)
	})
	for _, p := range pairs {
		rows = append(rows, []string{fmt.Sprint(p.waiting), fmt.Sprint(p.holding),
			fmt.Sprint(w.cycles[p])})
	}
	return rows
}
