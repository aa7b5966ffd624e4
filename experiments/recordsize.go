package experiments

import (
	"os"
	"strings"

	"contend/experiments/config"
	"contend/internal/input"
	"contend/router/topology"
)

// Bytes of a row of each table, and rows where nothing bounds them better. They were measured on
// tables of built-in studies; a size is right within a factor of two or so.
const (
	jobRow, linkRow, seriesRow, loadRow, waitRow = 250, 70, 90, 30, 40

	seriesRows  = 512 // metrics.SeriesTable: at most
	loadRows    = 64  // of each channel, at most
	waitsPerJob = 60  // pairs of another job and a channel

	logLine, packing = 80, 6 // bytes of a job in a log, and how much gzip saves
)

// recordBytes estimates the room on disk of the tables of rows that runs keep, 0 for none.
func (r *Runner) recordBytes(tasks []task) (sum int64) {
	known := map[string]int64{}
	for _, t := range tasks {
		hash := t.point.Hash
		if _, ok := known[hash]; !ok {
			known[hash] = r.runBytes(&t)
		}
		sum += known[hash]
	}
	return sum
}

// runBytes estimates the tables of rows of a run. Each stands on disk twice, for the run and in the
// file of all runs; of loads the second is small Parquet.
func (r *Runner) runBytes(t *task) (sum int64) {
	x := t.extra
	if !x.Jobs && !x.Links && !x.Series && !x.Interference {
		return 0
	}
	plan, err := t.point.Spec.Plan()
	if err != nil {
		return 0 // the run says why
	}
	jobs, channels := r.jobsOf(&t.point.Spec), int64(0)
	if plan.Machine != nil && t.point.Spec.Job.Run != "fixed" {
		channels = channelsOf(plan.Machine)
	}
	for _, of := range []struct {
		kept  bool
		bytes int64
	}{
		{x.Jobs, 2 * jobs * jobRow},
		{x.Links, 2 * channels * linkRow},
		{x.Series, 2*seriesRows*seriesRow + channels*loadRows*loadRow},
		{x.Interference, 2 * jobs * waitsPerJob * waitRow},
	} {
		if of.kept {
			sum += of.bytes
		}
	}
	return sum
}

// jobsOf returns the number of jobs of a run, of a whole log from the size of its file.
func (r *Runner) jobsOf(s *config.Spec) int64 {
	w := &s.Workload
	if w.Jobs > 0 || !w.HasTrace() {
		return int64(w.Jobs)
	}
	path, err := input.FindTrace(w.Trace, r.Traces)
	if err != nil {
		return 0
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	if strings.HasSuffix(path, ".gz") {
		return packing * info.Size() / logLine
	}
	return info.Size() / logLine
}

// channelsOf returns the number of physical channels of a machine.
func channelsOf(m topology.Topology) int64 {
	n := int64(2 * m.Nodes())
	for router := range topology.Router(m.Routers()) {
		for port := range topology.Port(m.Ports()) {
			if _, _, ok := m.Peer(router, port); ok {
				n++
			}
		}
	}
	return n
}
