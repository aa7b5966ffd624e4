package spec

import (
	"fmt"
	"strings"
	"sync"
)

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
		return path != "job.assumed_speedup" && !strings.HasPrefix(path, "allocator.") &&
			!strings.HasPrefix(path, "scheduler.")
	})
}

// identity is the text of some keys, and the log as it was asked for: two of the
// same name may differ.
func (p *Plan) identity(keep func(path string) bool) Identity {
	return Identity(p.spec.Workload.Trace + "\n" + joinLines(p.lines(), keep))
}

// linesOf returns a function that makes the canonical lines of a spec, which does not change, when
// they are first asked for.
func linesOf(s *Spec) func() []canonicalLine {
	return sync.OnceValue(s.canonicalLines)
}
