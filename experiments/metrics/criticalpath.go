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
	PartEntry     = "entry"
	PartNetwork   = "network"
	PartShared    = "shared"
	PartOwn       = "own_blocking"
	PartForeign   = "foreign_blocking"
	PartAhead     = "foreign_ahead"
)

// pathPart is the time of a part, which may be for a job.
type pathPart struct {
	name   string
	of     scheduler.JobID // or run.Nobody
	cycles int64
}

// partsOf sums the parts of the critical path of a job, those of no cycles left out.
func partsOf(id scheduler.JobID, path []executor.Hop) []pathPart {
	sum := func(name string, of func(h *executor.Hop) int64) pathPart {
		p := pathPart{name, executor.Nobody, 0}
		for i := range path {
			p.cycles += of(&path[i])
		}
		return p
	}
	parts := []pathPart{
		sum(PartComputing, func(h *executor.Hop) int64 { return h.Computing }),
		sum(PartSoftware, func(h *executor.Hop) int64 { return h.Software }),
		sum(PartQueue, func(h *executor.Hop) int64 { return h.Queue }),
		sum(PartEntry, func(h *executor.Hop) int64 { return h.Entry }),
		sum(PartNetwork, func(h *executor.Hop) int64 { return h.Network }),
		sum(PartShared, func(h *executor.Hop) int64 {
			return h.Shared + waitsFor(h, func(k scheduler.JobID) bool { return k == executor.Nobody })
		}),
		sum(PartOwn, func(h *executor.Hop) int64 {
			return waitsFor(h, func(k scheduler.JobID) bool { return k == id })
		}),
	}
	parts = append(parts, foreignParts(PartForeign, id, path, func(h *executor.Hop) []executor.ForJob {
		return h.Waits
	})...)
	parts = append(parts, foreignParts(PartAhead, id, path, func(h *executor.Hop) []executor.ForJob {
		return h.Ahead
	})...)
	return slices.DeleteFunc(parts, func(p pathPart) bool { return p.cycles == 0 })
}

// foreignParts sums waits of hops for other jobs.
func foreignParts(name string, id scheduler.JobID, path []executor.Hop,
	of func(*executor.Hop) []executor.ForJob) (parts []pathPart) {
	sums := map[scheduler.JobID]int64{}
	for i := range path {
		for _, w := range of(&path[i]) {
			if w.Job != id && w.Job != executor.Nobody {
				sums[w.Job] += w.Cycles
			}
		}
	}
	for _, job := range slices.Sorted(maps.Keys(sums)) {
		parts = append(parts, pathPart{name, job, sums[job]})
	}
	return parts
}

// waitsFor sums the waits of a hop for some jobs.
func waitsFor(h *executor.Hop, which func(scheduler.JobID) bool) (cycles int64) {
	for _, w := range h.Waits {
		if which(w.Job) {
			cycles += w.Cycles
		}
	}
	return cycles
}

// Path adds the rows of the critical path of a job.
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
