package metrics

import (
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
			"computing; software (sending and receiving, at processes); source_queue (behind packets "+
			"of the same node, or without a way as links have failed); resending (from when a link that "+
			"failed took the packet along until it is first in that queue again); entry (a place in the "+
			"router); network (the packet on an empty network); "+
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
