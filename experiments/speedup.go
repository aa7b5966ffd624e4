package experiments

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/spec"
)

// Speedup asks what placement is worth: the time jobs that run together take
// where they are contiguous, and where they are not. It is a study like any
// other, written for the occasion.
type Speedup struct {
	// Patterns are names of patterns, a NAS benchmark with its class or not.
	Patterns []string
	// Machines are texts such as tree:4x4, see machineKeys; none is the
	// machine of the keys.
	Machines []string
	// Placements are those of workload.placement, that all are held against
	// first; none stands for SpeedupPlacements.
	Placements []string
	// Background is workload.background.
	Background string
	// Processes of each job, Jobs at most, Seeds with which all is repeated.
	Processes, Jobs, Seeds int
	Seed                   int64
}

// SpeedupPlacements are the placements to compare where none are asked for: an
// eighth and a quarter of the processes away, then all.
func SpeedupPlacements(processes int) []string {
	list := []string{spec.PlaceContiguous}
	for _, part := range []int{8, 4} {
		p := fmt.Sprintf("%s:%d", spec.PlaceAway, max(1, processes/part))
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return append(list, spec.PlaceScattered, spec.PlaceRandom)
}

// Study writes the study.
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
		keys, err := spec.MachineKeys(m)
		if err != nil {
			return nil, err
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

func values(list []string) []any {
	var v []any
	for _, s := range list {
		v = append(v, s)
	}
	return v
}

// figures are one for each machine, of all patterns relative to the first
// placement, and of several machines one for each pattern, in cycles.
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
			Metric: "makespan", Where: map[string]any{"job.pattern": p}, XLabel: "placement", YLabel: "time (cycles)"})
	}
	return list
}

// fileName makes a part of a file's name of a text.
func fileName(text string) string { return strings.NewReplacer(":", "-", "/", "-").Replace(text) }
