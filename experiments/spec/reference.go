package spec

import (
	"strings"

	"contend/experiments/spec/input"
)

// Calibration turns the run times of a log into messages (job.quota.per_second = auto),
// or seconds into cycles (job.cycles_per_second = auto). It measures how long the
// messages of a job take if the job has a machine to itself. All points with the same
// jobs share that machine and its network as a reference: a study that compares
// machines or networks must give all of them the same jobs.

// CalibrateEach is the value of job.calibrate_on that calibrates every point on
// its own machine and network.
const CalibrateEach = "each"

// Calibrates reports whether runs of s depend on a calibration.
func (s *Spec) Calibrates() bool {
	j := &s.Job
	return j.Run == "messages" && LogWorkloads.Holds(s) &&
		(j.Quota.PerSecond == input.Automatic || s.cyclesPerSecond() == input.Automatic)
}

// IsReference tells whether the key belongs to the reference machine and network of the
// calibration.
func IsReference(path string) bool {
	switch path {
	case "job.send_cycles", "job.receive_cycles":
		return true
	case "network.engine", cyclePath: // change no number of cycles
		return false
	}
	return strings.HasPrefix(path, "machine.") || strings.HasPrefix(path, "network.")
}

// MakesJobs tells whether the key affects the jobs of a run. The length of a cycle does: it
// says how many cycles the run time of a log has.
func MakesJobs(path string) bool {
	switch path {
	case cyclePath:
		return true
	case "job.assumed_speedup", "job.calibrate_on":
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
	base.Quantities = nil // the reference is in plain numbers
	return base.ReferenceBy(s.Job.CalibrateOn, s.Registry.registered().Names())
}

// ReferenceBy changes the keys that job.calibrate_on gives.
func (s *Spec) ReferenceBy(text string, names Names) (*Spec, error) {
	at := Settings{Spec: *s}
	at.Spec.Job.CalibrateOn = ""
	if err := at.assignReference(text, names); err != nil {
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
func (s *Settings) assignReference(text string, names Names) *input.Error {
	if text == "" || text == CalibrateEach {
		return nil
	}
	for part := range strings.SplitSeq(text, ";") {
		path, value, ok := strings.Cut(part, "=")
		path = strings.TrimSpace(path)
		k, known := FindKey(path)
		switch {
		case !ok:
			return input.Bad("job.calibrate_on", "give each, or keys such as network.buffer_flits = 4; "+
				"machine.dims = [8, 8]",
				"job.calibrate_on is %q", text)
		case !known:
			err := UnknownKey(path)
			err.Key = "job.calibrate_on"
			return err
		case !IsReference(path):
			return input.Bad("job.calibrate_on", "give keys of [machine], [network], job.send_cycles or "+
				"job.receive_cycles",
				"job.calibrate_on has %s, which is not part of a machine or network", path)
		}
		if err := s.Assign(path, ParseFlagValue(k, strings.TrimSpace(value)), names); err != nil {
			err.Key = "job.calibrate_on"
			return err
		}
	}
	return nil
}

// JobKeys is the part of a spec about its jobs.
func (s *Spec) JobKeys() string {
	return s.CanonicalOf(func(path string) bool {
		return MakesJobs(path) || strings.HasPrefix(path, "machine.") // whose sides jobs draw
	})
}
