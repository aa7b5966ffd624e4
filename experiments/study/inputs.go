package study

import (
	"fmt"
	"slices"

	"contend/experiments/config"
	"contend/internal/input"
	"contend/netsim"
	"contend/scheduler"
)

// Input says what a run took from a log: its digest, or the machine for which its header asks. It
// ties results to the bytes of the log, so that a folder can be read, drawn and resumed without it.
type Input struct {
	Trace  string `key:"trace"`  // name of the log, without its folder
	SHA256 string `key:"digest"` // digest of the log, "" in an entry of a machine
	// Jobs is the number of its jobs that can be run, in the entry with the digest, if
	// workload.windows cuts it into windows; else 0.
	Jobs int `key:"jobs"`

	// Topology, Concentration and Dims are a machine whose sides the study leaves open.
	Topology      string `key:"topology"`
	Concentration int    `key:"concentration"`
	Dims          []int  `key:"dims"`

	Note string `key:"note"` // a sentence for readers, or ""
}

// ofLog reports whether the entry is about the log of a name.
func (in *Input) ofLog(name string) bool { return input.LogName(in.Trace) == input.LogName(name) }

// pin gives a spec the digest, the sides and the windows that its log is known to have.
func (st *Study) pin(s *config.Spec) {
	if !s.Workload.HasTrace() {
		return
	}
	for _, in := range st.Inputs {
		m := &s.Machine
		if in.ofLog(s.Workload.Trace) {
			pinWindows(&s.Workload, in.Jobs)
		}
		switch {
		case !in.ofLog(s.Workload.Trace):
		case in.Topology == "" && s.Workload.TraceSHA256 == "":
			s.Workload.TraceSHA256 = in.SHA256
		case in.Topology == m.Topology && in.Concentration == m.Concentration && len(m.Dims) == 0:
			m.Dims = in.Dims
		}
	}
}

// pinWindows sets the windows of a workload in a log of some jobs, if workload.windows asks for them
// and there are as many jobs.
func pinWindows(w *config.WorkloadSpec, jobs int) {
	if w.Windows == 0 || jobs-w.Start < w.Windows {
		return
	}
	w.Window = (jobs - w.Start) / w.Windows
	if w.Jobs == 0 || w.Jobs > w.Window {
		w.Jobs = w.Window
	}
}

// PinAs takes over the inputs of a resolved study, so that points have the hashes of its runs.
func (st *Study) PinAs(resolved *Study) { st.Inputs = resolved.Inputs }

// InputNotes returns the sentences about a log, of all logs if the name is "".
func (st *Study) InputNotes(log string) (notes []string) {
	for _, in := range st.Inputs {
		if in.Note != "" && (log == "" || in.ofLog(log)) {
			notes = append(notes, in.Note)
		}
	}
	return notes
}

// PinTrace sets the study's inputs: the digests of its logs, and their machines where machine.dims
// is not given. It refuses a log that differs from the one with which a resolved study was made. It
// leaves missing logs to the runner if the study has several logs, or if the log was pinned before:
// finished runs do not need it any more.
func (st *Study) PinTrace(folders []string) error {
	open := *st
	open.Inputs = nil
	points, err := open.expand()
	if err != nil {
		return err
	}
	var inputs []Input
	for _, u := range usedLogs(points) {
		old := slices.DeleteFunc(slices.Clone(st.Inputs), func(in Input) bool {
			return !in.ofLog(u.name)
		})
		path, err := input.FindTrace(u.name, folders)
		if err != nil {
			if len(u.points) == len(points) && len(old) == 0 &&
				u.points[0].Spec.Workload.TraceSHA256 == "" {
				return err
			}
			inputs = append(inputs, old...)
			continue
		}
		known, err := u.digest(path, folders, old)
		if err != nil {
			return err
		}
		if known.Jobs, err = u.jobs(path); err != nil {
			return err
		}
		machines, err := u.machines(path)
		if err != nil {
			return err
		}
		inputs = append(append(inputs, known), machines...)
	}
	st.Inputs = inputs
	return nil
}

// usedLog is a log with the points that run it.
type usedLog struct {
	name   string
	points []*Point
}

// usedLogs lists the logs of a study in the order of its points.
func usedLogs(points []Point) (logs []*usedLog) {
	byName := map[string]*usedLog{}
	for i := range points {
		w := &points[i].Spec.Workload
		if !w.HasTrace() {
			continue
		}
		u := byName[input.LogName(w.Trace)]
		if u == nil {
			u = &usedLog{name: w.Trace}
			byName[input.LogName(w.Trace)], logs = u, append(logs, u)
		}
		u.points = append(u.points, &points[i])
	}
	return logs
}

// digest returns the entry of a log whose file is path. It refuses a file whose digest differs from
// that of a key or of an earlier entry.
func (u *usedLog) digest(path string, folders []string, old []Input) (Input, error) {
	in := Input{Trace: input.BaseName(u.name)}
	if instead := input.TakenInstead(u.name, path); instead != "" {
		in.Note = instead + "; figures published for the one asked for are of another version"
	}
	known := ""
	for _, o := range old {
		known += o.SHA256 // one entry has it
	}
	for _, p := range u.points {
		w := &p.Spec.Workload
		if err := sameFile(u.name, w.Trace, path, folders); err != nil {
			return in, err
		}
		if w.TraceSHA256 != "" {
			known = w.TraceSHA256
		}
		if in.SHA256 != "" && (known == "" || known == in.SHA256) {
			continue
		}
		sum, err := input.Pinned(path, known)
		if err != nil {
			return in, err
		}
		in.SHA256 = sum
	}
	return in, nil
}

// jobs returns the number of jobs of the log that can be run, 0 if no point cuts it into windows. It
// refuses a log that has fewer jobs than windows.
func (u *usedLog) jobs(path string) (jobs int, err error) {
	for _, p := range u.points {
		w := &p.Spec.Workload
		switch {
		case w.Windows == 0:
			continue
		case w.Window > 0:
			return 0, config.FieldWindows.Bad("leave out one of them", "%s is %d, and %s is %d",
				config.FieldWindows, w.Windows, config.FieldWindow, w.Window)
		}
		if jobs == 0 {
			l, err := config.ReadLog(path, w.Format())
			if err != nil {
				return 0, err
			}
			all, err := scheduler.ReadAll(l)
			if err != nil {
				return 0, err
			}
			jobs = len(all)
		}
		if room := jobs - w.Start; room < w.Windows {
			return 0, config.FieldWindows.Bad(fmt.Sprintf("give %d at most, or another log", max(0, room)),
				"%s is %d, and %s has %d jobs behind %s", config.FieldWindows, w.Windows, u.name,
				max(0, room), config.FieldStart)
		}
	}
	return jobs, nil
}

// sameFile refuses two logs of one name, because tables and inputs could not tell them apart.
func sameFile(first, other, path string, folders []string) error {
	if first == other {
		return nil
	}
	if found, err := input.FindTrace(other, folders); err != nil || found != path {
		return input.Bad("workload.trace", "give one of them another name",
			"the logs %s and %s have the same name", first, other)
	}
	return nil
}

// machines returns an entry for each kind of machine without given sides among the points of a log.
func (u *usedLog) machines(path string) (list []Input, err error) {
	for _, p := range u.points {
		m := &p.Spec.Machine
		if !m.IsGrid() || len(m.Dims) > 0 || slices.ContainsFunc(list, func(in Input) bool {
			return in.Topology == m.Topology && in.Concentration == m.Concentration
		}) {
			continue
		}
		if err := m.CheckLogMachine(u.name); err != nil {
			return nil, err
		}
		l, err := config.ReadLog(path, p.Spec.Workload.Format())
		if err != nil {
			return nil, err
		}
		kind := config.MachineSpec{Topology: m.Topology, Concentration: m.Concentration}
		size := config.SizeOf(l)
		list = append(list, Input{Trace: input.BaseName(u.name), Topology: m.Topology,
			Concentration: m.Concentration, Dims: size.Dims(&kind), Note: size.Sentence(u.name, kind)})
	}
	return list, nil
}

// Files lists the files that the study reads beside its own: published figures, logs, which it
// looks for in folders, and the files of patterns and of traffic.
func (st *Study) Files(folders []string) (paths []string) {
	add := func(file string) (string, *input.Error) {
		paths = append(paths, file)
		return file, nil
	}
	if st.Published.from != "" {
		add(st.Published.from)
	}
	points, _ := st.Points() // whoever runs them says what is wrong with them
	for _, u := range usedLogs(points) {
		if path, err := input.FindTrace(u.name, folders); err == nil {
			add(path)
		}
	}
	for i := range points {
		s := &points[i].Spec
		st.Base.Registry.MapFiles("job.pattern", s.Job.Pattern.String(), add)
		if p, err := netsim.ParseTraffic(s.Workload.Traffic); err == nil && p.File != "" {
			add(p.File)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
