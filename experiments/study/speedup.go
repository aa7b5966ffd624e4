package study

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/spec"
)

// Speedup describes a study of the effect of placement: jobs run together, at
// contiguous nodes and at others, and the study compares their times.
type Speedup struct {
	// Patterns lists names of patterns; a NAS benchmark may have its class.
	Patterns []string
	// Machines lists short forms such as tree:4x4 (spec.MachineKeys); none means
	// the default machine.
	Machines []string
	// Placements lists values of workload.placement, the reference first; none
	// means SpeedupPlacements.
	Placements []string
	// Background is the value of workload.background.
	Background string
	Processes  int   // processes of each job, from 1
	Jobs       int   // largest number of jobs
	Seeds      int   // replications, each with its own random numbers
	Seed       int64 // value of runs.seed
}

// SpeedupPlacements returns the default placements: contiguous, an eighth and a
// quarter of the processes away, scattered and random.
func SpeedupPlacements(processes int) []string {
	list := []string{spec.PlaceContiguous.String()}
	for _, part := range []int{8, 4} {
		p := fmt.Sprintf("%s:%d", spec.PlaceAway, max(1, processes/part))
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return append(list, spec.PlaceScattered.String(), spec.PlaceRandom.String())
}

// Study returns the study.
func (c *Speedup) Study(names spec.Names) (*Study, error) {
	st := &Study{
		Name: "speedup", Title: "What placement is worth", Primary: []string{"makespan"},
		Doc: "Jobs of one size that start at once, at given places; the time until all are done, " +
			"and the mean of the jobs.",
	}
	s := spec.Defaults()
	st.Base, st.Runs = s.Spec, s.Runs
	st.Base.Workload.Source, st.Base.Seed = "together", c.Seed
	st.Runs.Replications = c.Seeds
	for _, set := range []struct {
		key   string
		value any
	}{
		{"workload.processes", int64(c.Processes)},
		{"workload.jobs", int64(c.Jobs)},
		{"workload.background", c.Background},
		{"runs.replications", int64(c.Seeds)},
		{"runs.seed", c.Seed},
	} {
		s := spec.Settings{Spec: st.Base, Runs: st.Runs}
		if err := s.Assign(set.key, set.value, names); err != nil {
			return nil, err
		}
		st.Base, st.Runs = s.Spec, s.Runs
	}
	placements := c.Placements
	if len(placements) == 0 {
		placements = SpeedupPlacements(c.Processes)
	}
	for _, m := range c.Machines {
		keys, err := names.Registry().MachineKeys(m)
		if err != nil {
			return nil, err.By("--machine " + m)
		}
		st.Variants = append(st.Variants, Variant{Name: m, Set: keys})
	}
	if len(c.Machines) > 0 {
		st.Axes = append(st.Axes, Axis{Key: variantKey, Values: values(c.Machines)})
	}
	st.Axes = append(st.Axes, Axis{Key: "job.pattern", Values: values(c.Patterns)},
		Axis{Key: "workload.placement", Values: values(placements)})
	st.Table = TableSpec{Metrics: []string{"makespan", "service_time", "packet_blocking_time",
		"foreign_blocking_time", "mean_hops"}, Relative: placements[0]}
	st.Figures = c.figures(placements[0])
	return st, nil
}

// values converts a list of texts to values of an axis.
func values(list []string) []any {
	var v []any
	for _, s := range list {
		v = append(v, s)
	}
	return v
}

// figures returns a figure for each machine with all patterns relative to the
// first placement and, for several machines, one for each pattern in cycles.
func (c *Speedup) figures(first string) []Figure {
	relative := Figure{Name: "relative", Title: "Time relative to " + first, Kind: "bars",
		X: "job.pattern", Series: "workload.placement",
		Metric: "makespan", Relative: first, XLabel: "pattern", YLabel: "time / " + first}
	if len(c.Machines) == 0 {
		return []Figure{relative}
	}
	var list []Figure
	for _, m := range c.Machines {
		f := relative
		f.Name, f.Title, f.Where = "relative-"+fileName(m), f.Title+" on "+m,
			map[string]any{variantKey: m}
		list = append(list, f)
	}
	if len(c.Machines) == 1 {
		return list
	}
	for _, p := range c.Patterns {
		list = append(list, Figure{Name: "machines-" + fileName(p), Title: p + " on each machine",
			Kind: "bars", X: "workload.placement", Series: variantKey,
			Metric: "makespan", Where: map[string]any{"job.pattern": p},
			XLabel: "placement", YLabel: "time (cycles)"})
	}
	return list
}

// fileName replaces the characters of a text that a file name should not have.
func fileName(text string) string { return strings.NewReplacer(":", "-", "/", "-").Replace(text) }
