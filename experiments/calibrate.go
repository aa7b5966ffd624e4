package experiments

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"contend/netsim"
	"contend/patterns"
	"contend/scheduler"
)

// Calibration turns the run times of a log into messages (job.quota.per_second
// = auto), or seconds into cycles (job.cycles_per_second = auto), by how long a
// job's messages take when it has a machine to itself. That machine and its
// network are a reference which all points with the same jobs share: where they
// are what a study compares, the compared runs have to have the same jobs.

// calibrateEach is the value of job.calibrate_on that calibrates every point on
// its own machine and network.
const calibrateEach = "each"

// calibrates reports whether runs of s depend on a calibration.
func (s *Spec) calibrates() bool {
	j := &s.Job
	return j.Run == "messages" && logs.holds(s) && (j.Quota.PerSecond == Automatic || j.CyclesPerSecond == Automatic)
}

// isReference tells whether the key belongs to what jobs are calibrated on.
func isReference(path string) bool {
	switch path {
	case "job.send_cycles", "job.receive_cycles":
		return true
	case "network.engine": // gives the same results
		return false
	}
	return strings.HasPrefix(path, "machine.") || strings.HasPrefix(path, "network.")
}

// makesJobs tells whether the key belongs to what makes the jobs of a run.
func makesJobs(path string) bool {
	switch path {
	case "job.assumed_speedup", "job.calibrate_on":
		return false
	}
	return !isReference(path) && (strings.HasPrefix(path, "workload.") || strings.HasPrefix(path, "job."))
}

// calibrate resolves job.calibrate_on at every point: to "" where a point is
// its own reference, otherwise to the keys of the reference that are not at
// their defaults.
func calibrate(points []Point, names Names) error {
	first := map[string]*Spec{} // by what makes the jobs
	for i := range points {
		s := &points[i].Spec
		if !s.calibrates() {
			continue
		}
		given := s.Job.CalibrateOn
		s.Job.CalibrateOn = ""
		if given == calibrateEach {
			continue
		}
		jobs := s.canonical(makesJobs)
		if first[jobs] == nil {
			first[jobs] = s
		}
		reference, err := first[jobs].referenceBy(given, names)
		if err != nil {
			return err
		}
		if text := reference.referenceText(); text != s.referenceText() {
			s.Job.CalibrateOn = text
		}
	}
	return nil
}

// referenceText lists the keys a reference consists of that are not at their
// defaults.
func (s *Spec) referenceText() string {
	text := strings.TrimSpace(s.canonical(isReference))
	if text == "" {
		return "machine.topology = " + quoteTOML(s.Machine.Topology) // "" would be the point's own
	}
	return strings.ReplaceAll(text, "\n", "; ")
}

// reference returns the spec with the machine and the network its jobs are
// calibrated on.
func (s *Spec) reference() (*Spec, error) {
	if s.Job.CalibrateOn == "" {
		return s, nil
	}
	base, standard := *s, DefaultSpec()
	base.Machine, base.Network = standard.Machine, standard.Network
	base.Job.SendCycles, base.Job.ReceiveCycles = standard.Job.SendCycles, standard.Job.ReceiveCycles
	base.Network.Engine = s.Network.Engine
	return base.referenceBy(s.Job.CalibrateOn, BuiltinNames())
}

// referenceBy changes the keys that job.calibrate_on gives.
func (s *Spec) referenceBy(text string, names Names) (*Spec, error) {
	at := settings{spec: *s}
	at.spec.Job.CalibrateOn = ""
	if err := at.assignReference(text, names); err != nil {
		return nil, err
	}
	if err := at.spec.Check(); err != nil {
		return nil, badInput("job.calibrate_on", err.Right, "job.calibrate_on: %s", err.Problem)
	}
	return &at.spec, nil
}

// assignReference sets the keys that a text of job.calibrate_on gives.
func (s *settings) assignReference(text string, names Names) *InputError {
	if text == "" || text == calibrateEach {
		return nil
	}
	for part := range strings.SplitSeq(text, ";") {
		path, value, ok := strings.Cut(part, "=")
		path = strings.TrimSpace(path)
		k, known := FindKey(path)
		switch {
		case !ok:
			return badInput("job.calibrate_on", "give each, or keys such as network.buffer_flits = 4; machine.dims = [8, 8]",
				"job.calibrate_on is %q", text)
		case !known:
			err := unknownKey(path)
			err.Key = "job.calibrate_on"
			return err
		case !isReference(path):
			return badInput("job.calibrate_on", "give keys of [machine], [network], job.send_cycles or job.receive_cycles",
				"job.calibrate_on has %s, which is no part of a machine or network", path)
		}
		if err := s.assign(path, parseFlagValue(k, strings.TrimSpace(value)), names); err != nil {
			err.Key = "job.calibrate_on"
			return err
		}
	}
	return nil
}

// calibrationNotes says what the axes of a study do to its calibration.
func (st *Study) calibrationNotes(points []Point) []string {
	var notes []string
	if !slices.ContainsFunc(points, func(p Point) bool { return p.Spec.calibrates() }) {
		return nil
	}
	if st.Base.Job.CalibrateOn == calibrateEach {
		return []string{"job.calibrate_on = each: points that differ in machine or network have jobs with different messages"}
	}
	for _, p := range points {
		if p.Spec.Job.CalibrateOn == "" {
			continue
		}
		note := fmt.Sprintf("jobs are calibrated once, on %s: where machine or network differ, as at %s, they have the same messages, and alone do not run as long as the log says",
			p.Spec.Job.CalibrateOn, strings.Join(p.Labels, ", "))
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
			break
		}
	}
	for i, a := range st.Axes {
		if len(a.Values) > 1 && calibratedAnew(points, i) {
			notes = append(notes, fmt.Sprintf("every value of the axis %s is calibrated by itself: its jobs have other messages", a.Key))
		}
	}
	return notes
}

// calibratedAnew tells whether points that differ in one axis alone have jobs
// of different programs, so that a calibration cannot be the same.
func calibratedAnew(points []Point, axis int) bool {
	program := func(path string) bool { return makesJobs(path) && strings.HasPrefix(path, "job.") }
	seen := map[string]string{}
	for i := range points {
		p := &points[i]
		if !p.Spec.calibrates() {
			continue
		}
		others := strings.Join(slices.Delete(slices.Clone(p.Labels), axis, axis+1), "\n")
		text := p.Spec.canonical(program)
		if before, ok := seen[others]; ok && before != text {
			return true
		}
		seen[others] = text
	}
	return false
}

// alone is a machine that a job has to itself.
type alone struct {
	s       *Simulator
	spec    *Spec
	machine Machine
	gauge   *Gauge // of the run that asks, or nil
	// once has a pattern that draws nothing do one iteration: what follows
	// overlaps a little, which a calibration wants to see.
	once bool
}

// aloneRepeats is how many iterations are averaged.
const aloneRepeats = 4

// repeats is how many iterations a pattern does.
func (a *alone) repeats(p patterns.Config) int64 {
	if a.once && !patterns.Draws(p.Name) {
		return 1
	}
	return aloneRepeats
}

// newAlone returns the machine jobs of a spec are calibrated on.
func (s *Simulator) newAlone(spec *Spec, machine Machine) (*alone, error) {
	reference, err := spec.reference()
	if err != nil {
		return nil, err
	}
	if reference != spec {
		if machine, err = newMachine(&reference.Machine); err != nil {
			return nil, err
		}
	}
	return &alone{s: s, spec: reference, machine: machine}, nil
}

// iteration returns how many cycles an iteration of a job's pattern takes, and
// how many messages that is; no cycles where its processes do not communicate.
// The job lies on the most compact place there is: the corner of the machine,
// as nearly square as it fits.
func (a *alone) iteration(j *scheduler.Job, p patterns.Config) (cycles float64, messages int64, err error) {
	if messages, err = patterns.MessagesPerIteration(p, j.Size, j.Shape); err != nil || messages == 0 {
		if err != nil {
			err = badInput("job.pattern", "", "job %d: %v", j.ID, err)
		}
		return 0, 0, err
	}
	if n := a.machine.Nodes(); j.Size > n {
		return 0, 0, badInput("job.calibrate_on", "name a machine that has room for all jobs",
			"job %d has %d processes, and the machine jobs are calibrated on has %d nodes", j.ID, j.Size, n)
	}
	defer a.gauge.share()()
	cycles, err = shared(a.s, a.key(j, p), func() (float64, error) {
		began := time.Now()
		defer func() { a.s.spend(p.Name, messages, time.Since(began)) }()
		net, err := a.s.newNetwork(a.spec, a.machine, 0)
		if err != nil {
			return 0, err
		}
		return a.cycles(net, p, j)
	})
	return cycles, messages, err
}

// key names what iteration shares: all that its answer depends on.
func (a *alone) key(j *scheduler.Job, p patterns.Config) string {
	shape := j.Shape
	if p.Grid != "shape" || !patterns.Uses(p.Name, "grid") {
		shape = nil // the place of a job is the same for all shapes
	}
	p.FlitBytes, p.PadFlits = a.spec.Network.FlitBytes, a.spec.Network.PadFlits
	return fmt.Sprintf("alone %d %+v %+v %+v %+v %d %v", a.repeats(p),
		a.spec.Machine, a.spec.Network, p, a.spec.Job.software(), j.Size, shape)
}

// cycles plays some iterations of a job's pattern on an empty network.
func (a *alone) cycles(net *netsim.Network, p patterns.Config, j *scheduler.Job) (float64, error) {
	p.FlitBytes, p.PadFlits = a.spec.Network.FlitBytes, a.spec.Network.PadFlits
	p.Iterations = a.repeats(p)
	x := newNetExecutor(net, []patterns.Config{p}, scheduler.Clock{})
	x.software = a.spec.Job.software()
	k := *j
	k.Quota, k.Pattern, k.Seed = math.MaxInt64/2, 0, 1
	x.Start(&k, compactPlace(a.machine, j.Size))
	end, _, err := x.Advance(scheduler.MaxCycle, nil)
	return float64(end) / float64(p.Iterations), err
}
