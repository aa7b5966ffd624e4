package metrics

import (
	"fmt"
	"maps"
	"slices"

	"contend/experiments/sim/executor"
	"contend/scheduler"
)

// The parts of a critical path, in the order in which rows have them.
const (
	PartComputing = "computing"
	PartSoftware  = "software"
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
	names := [...]string{PartComputing, PartSoftware, PartQueue, PartResending, PartEntry, PartNetwork,
		PartShared, PartOwn}
	const shared, own = 6, 7 // indices of names
	var sums [len(names)]int64
	foreign, ahead := map[scheduler.JobID]int64{}, map[scheduler.JobID]int64{}
	for i := range path {
		h := &path[i]
		parts := [...]int64{h.Computing, h.Software, h.Queue, h.Resend, h.Entry, h.Network, h.Shared}
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
		of := ""
		if p.of != executor.Nobody {
			of = fmt.Sprint(p.of)
		}
		w.paths = append(w.paths, []string{fmt.Sprint(id), p.name, of, fmt.Sprint(messages),
			fmt.Sprint(p.cycles)})
	}
}
