package metrics

import (
	"cmp"
	"fmt"
	"slices"

	"contend/experiments/cosim/run"
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
)

// pathPart is the time of a part, which may be for a job.
type pathPart struct {
	name   string
	of     scheduler.JobID // or run.Nobody
	cycles int64
}

// partsOf sums the parts of the critical path of a job, those of no cycles left out.
func partsOf(id scheduler.JobID, path []run.Hop) []pathPart {
	sum := func(name string, of func(h *run.Hop) int64) pathPart {
		p := pathPart{name, run.Nobody, 0}
		for i := range path {
			p.cycles += of(&path[i])
		}
		return p
	}
	parts := []pathPart{
		sum(PartComputing, func(h *run.Hop) int64 { return h.Computing }),
		sum(PartSoftware, func(h *run.Hop) int64 { return h.Software }),
		sum(PartQueue, func(h *run.Hop) int64 { return h.Queue }),
		sum(PartEntry, func(h *run.Hop) int64 { return h.Entry }),
		sum(PartNetwork, func(h *run.Hop) int64 { return h.Network }),
		sum(PartShared, func(h *run.Hop) int64 {
			return h.Shared + waitsFor(h, func(k scheduler.JobID) bool { return k == run.Nobody })
		}),
		sum(PartOwn, func(h *run.Hop) int64 {
			return waitsFor(h, func(k scheduler.JobID) bool { return k == id })
		}),
	}
	foreign := map[scheduler.JobID]int64{}
	for i := range path {
		for _, w := range path[i].Waits {
			if w.Job != id && w.Job != run.Nobody {
				foreign[w.Job] += w.Cycles
			}
		}
	}
	first := len(parts)
	for job, cycles := range foreign {
		parts = append(parts, pathPart{PartForeign, job, cycles})
	}
	slices.SortFunc(parts[first:], func(a, b pathPart) int { return cmp.Compare(a.of, b.of) })
	return slices.DeleteFunc(parts, func(p pathPart) bool { return p.cycles == 0 })
}

// waitsFor sums the waits of a hop for some jobs.
func waitsFor(h *run.Hop, which func(scheduler.JobID) bool) (cycles int64) {
	for _, w := range h.Waits {
		if which(w.Job) {
			cycles += w.Cycles
		}
	}
	return cycles
}

// Path adds the rows of the critical path of a job.
func (w *Interference) Path(id scheduler.JobID, path []run.Hop) {
	for _, p := range partsOf(id, path) {
		of := ""
		if p.of != run.Nobody {
			of = fmt.Sprint(p.of)
		}
		w.paths = append(w.paths, []string{fmt.Sprint(id), p.name, of, fmt.Sprint(len(path)),
			fmt.Sprint(p.cycles)})
	}
}
