package config

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"

	"contend/allocation/mapping"
	"contend/internal/input"
)

// Calibration turns the run times of a log into messages (job.quota.per_second = auto),
// seconds into cycles (job.cycles_per_second = auto), or a load of drawn jobs that send messages
// into the time between their submissions (workload.system_load). It measures how long the
// messages of a job take if the job has a machine to itself. All points with the same
// jobs share that machine and its network as a reference: a study that compares
// machines or networks must give all of them the same jobs.

// CalibrateEach is the value of job.calibrate_on that calibrates every point on
// its own machine and network.
const CalibrateEach = "each"

// Calibrates reports whether the messages or the clock of s depend on a calibration.
func (s *Spec) Calibrates() bool {
	j := &s.Job
	return j.Run == "messages" && LogWorkloads.Holds(s) &&
		(j.Quota.PerSecond == input.Automatic || s.cyclesPerSecond() == input.Automatic)
}

// MeasuresLoad reports whether the time that drawn jobs take alone sets how fast they arrive.
func (s *Spec) MeasuresLoad() bool {
	return messages.Holds(s) && synthetic.Holds(s) && s.Workload.SystemLoad > 0
}

// SameJobs returns a text that two specs share if their jobs are the same: the keys that make jobs
// and, of drawn jobs whose arrival depends on the reference, the sides of which they draw theirs.
func (s *Spec) SameJobs() (string, error) {
	text := s.CanonicalOf(MakesJobs)
	w := &s.Workload
	if !s.MeasuresLoad() || w.Processors > 0 {
		return text, nil
	}
	sides := s.Machine.Sides()
	if sides == nil {
		machine, err := s.Registry.NewMachine(&s.Machine)
		if err != nil {
			return "", err
		}
		sides = SidesOf(machine)
	}
	if d := w.Side.Distribution; d == "fixed" || d == "uniform" && w.Side.Max > 0 {
		return fmt.Sprintln(text, len(sides)), nil // no side depends on the machine's
	}
	return fmt.Sprintln(text, sides), nil
}

// IsReference reports whether the key belongs to the reference machine and network of the
// calibration.
func IsReference(path string) bool {
	switch path {
	case "job.send_cycles", "job.receive_cycles":
		return true
	case "network.engine", cyclePath: // change no number of cycles
		return false
	}
	return isMachine(path) || strings.HasPrefix(path, "network.")
}

// isMachine reports whether the key describes the machine as it is built. Failures do not.
func isMachine(path string) bool {
	return strings.HasPrefix(path, "machine.") && path != failuresPath
}

// MakesJobs reports whether the key affects the jobs of a run. The length of a cycle does: it
// says how many cycles the run time of a log has.
func MakesJobs(path string) bool {
	switch path {
	case cyclePath:
		return true
	case "job.assumed_speedup", "job.calibrate_on", "job.mapping":
		return false
	}
	return !IsReference(path) &&
		(strings.HasPrefix(path, "workload.") || strings.HasPrefix(path, "job."))
}

// ReferenceText lists the keys a reference consists of that are not at their
// defaults.
func (s *Spec) ReferenceText() string {
	text := strings.TrimSpace(s.CanonicalOf(IsReference))
	if text == "" {
		return "machine.topology = " + input.QuoteTOML(s.Machine.Topology) // "" would be the point's own
	}
	return strings.ReplaceAll(text, "\n", "; ")
}

// Reference returns the spec with the machine and the network its jobs are
// calibrated on.
func (s *Spec) Reference() (*Spec, error) {
	if s.Job.CalibrateOn == "" {
		return s, nil
	}
	base, standard := *s, DefaultSpec()
	base.Machine, base.Network = standard.Machine, standard.Network
	base.Job.SendCycles, base.Job.ReceiveCycles = standard.Job.SendCycles, standard.Job.ReceiveCycles
	base.Network.Engine, base.Network.Cycle = s.Network.Engine, s.Network.Cycle
	base.Failures = nil
	base.Given = nil // the reference is in plain numbers
	return base.ReferenceBy(s.Job.CalibrateOn)
}

// ReferenceBy changes the keys that job.calibrate_on gives.
func (s *Spec) ReferenceBy(text string) (*Spec, error) {
	at := Settings{Spec: *s}
	at.Spec.Job.CalibrateOn = ""
	if err := at.assignReference(text); err != nil {
		return nil, err
	}
	err := at.Spec.Resolve()
	if err == nil {
		err = at.Spec.Check()
	}
	if err != nil {
		return nil, input.Bad("job.calibrate_on", err.Right, "job.calibrate_on: %s", err.Problem)
	}
	return &at.Spec, nil
}

// assignReference sets the keys that a text of job.calibrate_on gives.
func (s *Settings) assignReference(text string) *input.Error {
	if text == "" || text == CalibrateEach {
		return nil
	}
	for part := range strings.SplitSeq(text, ";") {
		path, value, ok := strings.Cut(part, "=")
		path = strings.TrimSpace(path)
		k, isKey := FindKey(path)
		switch {
		case !ok:
			return input.Bad("job.calibrate_on", "give each, or keys such as network.buffer_flits = 4; "+
				"machine.dims = [8, 8]",
				"job.calibrate_on is %q", text)
		case !isKey:
			err := UnknownKey(path)
			err.Key = "job.calibrate_on"
			return err
		case !IsReference(path):
			return input.Bad("job.calibrate_on", "give keys of [machine], [network], job.send_cycles or "+
				"job.receive_cycles",
				"job.calibrate_on has %s, which is not part of a machine or network", path)
		}
		if err := s.Assign(path, ParseFlagValue(k, strings.TrimSpace(value))); err != nil {
			err.Key = "job.calibrate_on"
			return err
		}
	}
	return nil
}

// JobKeys is the part of a spec about its jobs.
func (s *Spec) JobKeys() string {
	return s.CanonicalOf(func(path string) bool {
		return MakesJobs(path) || isMachine(path) // whose sides jobs draw
	})
}

// ProgramKeys is the part of a spec that says what the processes of its jobs do.
func (s *Spec) ProgramKeys() string {
	return s.CanonicalOf(func(path string) bool {
		return MakesJobs(path) && !strings.HasPrefix(path, "workload.")
	})
}

// MachineKeys is the part of a spec about its machine.
func (s *Spec) MachineKeys() string {
	return s.CanonicalOf(isMachine)
}

// StreamSeed returns the two words that seed the PCG of one random stream of one
// replication. They depend only on runs.seed, the replication and the name of the
// stream. Runs that differ in anything else are therefore compared on common random
// numbers (Law, Simulation Modeling and Analysis, sec. 11.2): the same jobs, of the
// same sizes, patterns, quotas and submission times, as far as the keys of their own
// distributions are the same.
func (s *Spec) StreamSeed(replication int, stream string) (uint64, uint64) {
	text := fmt.Sprintf("seed = %d\nreplication = %d\nstream = %q\n", s.Seed, replication, stream)
	h := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(h[:8]), binary.LittleEndian.Uint64(h[8:16])
}

// Draws lists the random draws in runs of s: sizes, submissions, run times, quotas,
// patterns, partners, places, routes. If the list is empty, runs with other seeds are
// the same run.
func (s *Spec) Draws() []string {
	var list []string
	add := func(what string, drawn bool) {
		if drawn {
			list = append(list, what)
		}
	}
	s.drawsJobs(add)
	if s.Job.Run == "messages" && s.Workload.Source != "traffic" {
		mix := s.allPatterns()
		add("patterns", len(s.drawnPatterns()) > 1 && drawnJobs.Holds(s))
		add("mappings", s.Job.Mapping == mapping.Random)
		add("partners", slices.ContainsFunc(mix, s.Registry.drawsPartners))
		add("stragglers", slices.ContainsFunc(mix, s.Registry.drawsSlow))
	}
	if s.Job.Run == "messages" {
		add("routes", s.drawsRoutes())
		add("marks", s.drawsMarks())
	}
	add("failures", slices.ContainsFunc(s.Failures, Failure.draws))
	if queued.Holds(s) {
		add("places", s.drawsPlaces(s.Allocator))
		add("places of scheduler.decision", s.drawsPlaces(s.Scheduler.Decision))
	}
	return list
}

// drawsJobs lists the random draws that make jobs.
func (s *Spec) drawsJobs(add func(what string, drawn bool)) {
	w, exponential := &s.Workload, "exponential"
	quotas := s.Job.Run == "messages" && s.Job.Quota.PerSecond == 0 &&
		s.Job.Quota.Distribution == exponential
	arrivals := w.Interarrival.Kind == exponential && w.InterarrivalMean() > 0
	switch w.Source {
	case "synthetic":
		add("sizes", w.Processors == 0 && w.Side.Distribution != "fixed" &&
			(w.Side.Max == 0 || w.Side.Min < w.Side.Max))
		add("submissions", arrivals)
		add("run times", s.Job.Run == "fixed" && w.Service.Kind == exponential)
	case "lublin":
		add("jobs", true)
	case "cplant-stream":
		add("submissions", arrivals)
		add("run times", DrawnServices.Holds(s) && w.Service.Kind == exponential)
	case "traffic":
		add("messages", true)
		return
	case "list":
		return
	case "together":
		add("places", w.Placement.draws())
		return
	}
	add("quotas", quotas)
	if w.Source != "synthetic" {
		add("submission times", w.Shake > 0)
		add("copies of jobs", w.Replication > 1)
	}
}

// Varies reports whether replications differ, because of random draws or because they are
// windows of a log.
func (s *Spec) Varies() bool { return s.Workload.Window > 0 || len(s.Draws()) > 0 }

// identityOf returns the identity of a section of a spec. It quotes texts: lines of graphs have
// blanks in them.
func identityOf(section any) Identity { return Identity(fmt.Sprintf("%#v", section)) }

// MachineID is the identity of the machine.
func (p *Plan) MachineID() Identity { return p.machineID }

// NetworkID is the identity of the network on its machine.
func (p *Plan) NetworkID() Identity { return p.networkID }

// CheckID is the identity of everything that checks of jobs depend on. The scheduler
// does not affect them.
func (p *Plan) CheckID() Identity {
	return p.identity(func(path string) bool {
		return path == "scheduler.decision" ||
			path != "job.assumed_speedup" && !strings.HasPrefix(path, "scheduler.")
	})
}

// WorkID is the identity of the jobs of one replication with their quotas.
func (p *Plan) WorkID() Identity {
	return p.identity(func(path string) bool {
		switch path {
		case "job.calibrate_on", "runs.seed", "scheduler.on_overrun":
			return true
		}
		return MakesJobs(path) || IsReference(path)
	})
}

// NotesID is the identity of the notes about a log and its calibration.
func (p *Plan) NotesID() Identity {
	return p.identity(func(path string) bool {
		return path != "job.assumed_speedup" && path != "allocator" &&
			!strings.HasPrefix(path, "scheduler.")
	})
}

// identity returns the lines of the keys that keep accepts, behind the path of the log: two logs
// of the same name may differ.
func (p *Plan) identity(keep func(path string) bool) Identity {
	return Identity(p.spec.Workload.Trace + "\n" + joinLines(p.lines(), keep))
}

// linesOf returns a function that makes the canonical lines of a spec at its first call. The spec
// must not change.
func linesOf(s *Spec) func() []canonicalLine {
	return sync.OnceValue(s.canonicalLines)
}
