package config

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"contend/experiments/service/external"
	"contend/internal/call"
	"contend/internal/input"
	"contend/patterns"
)

// Program is the name of allocators, policies and patterns that are programs of their own.
const Program = "exec"

// command returns the parameter of entries that are programs, with an example.
func command(read func(string) (string, error), example string) call.Parameter {
	return call.Parameter{Name: "command", Type: call.Text, Read: read,
		Doc: "a program and its arguments, such as " + example + "; deadline=60 before it " +
			"gives seconds for an answer in place of 10"}
}

// programPattern is the pattern that a program answers, for each number of processes.
var programPattern = Pattern{Name: Program,
	Doc: "a program that answers lines of JSON lists the messages or the tasks of a job",
	Parameters: []call.Parameter{command(external.CanonicalPattern,
		"exec:python3 halo.py, words with + : or ; in quotes")},
	program: func(v call.Values) *external.Pattern { return external.NewPattern(v.Word("command")) }}

// trafficKey identifies the answer of a program.
type trafficKey struct{ call, question string }

// NamesProgram reports whether a value of job.pattern names a program.
func NamesProgram(value any) bool {
	text, _ := value.(string)
	m, err := ParseMix(text)
	return err != nil && strings.Contains(text, Program+":") ||
		slices.ContainsFunc(m.Parts, func(w Weighted) bool { return w.Name == Program })
}

// traffic returns the answer of the program of a pattern. Runs share it: a program runs once, and
// is asked each question once.
func (r *Registry) traffic(w Weighted, q external.Question) (external.Traffic, error) {
	r = r.registered()
	asked, _ := r.programs.LoadOrStore(w.Label(), r.pattern(w.Name).program(r.values("patterns",
		w.Label())))
	made, _ := r.graphs.LoadOrStore(trafficKey{w.Label(), string(input.EncodeJSON(q))},
		sync.OnceValues(func() (external.Traffic, error) { return asked.(*external.Pattern).Ask(q) }))
	return made.(func() (external.Traffic, error))()
}

// EndPrograms ends the programs of patterns.
func (r *Registry) EndPrograms() {
	r.registered().programs.Range(func(_, p any) bool {
		p.(*external.Pattern).End()
		return true
	})
}

// setProgram makes a configuration use the answers of a program.
func (s *Spec) setProgram(c *patterns.Config, w Weighted) {
	rate := s.cyclesPerNanosecond()
	c.Name = w.Short()
	c.Rate = fmt.Sprintf("%s, %s, packets of %d flits", w.Label(), rate, s.Network.PacketFlits)
	c.Work = func(n int, shape []int, _ *rand.Rand) (patterns.Work, error) {
		t, err := s.Registry.traffic(w, external.Question{Processes: n, Shape: shape,
			FlitBytes: s.Network.FlitBytes, PacketFlits: s.Network.PacketFlits})
		switch {
		case err != nil:
			return nil, err
		case t.Tasks == nil && s.Job.RendezvousBytes > 0 && s.onlyUser(w, "rendezvous_bytes"):
			return nil, input.Bad("job.rendezvous_bytes", "leave it out",
				"job.rendezvous_bytes acts on tasks, and %s answers with phases", w.Short())
		case t.Tasks == nil:
			return t.Phases, nil
		case s.FastForward > 0:
			return nil, NoJumpsOverTasks(s.FastForward)
		case s.Job.ComputeCycles > 0 && s.onlyUser(w, "compute_cycles"):
			return nil, input.Bad("job.compute_cycles", "leave it out",
				"job.compute_cycles acts between phases, and %s answers with tasks", w.Short())
		}
		return s.tasksWork(w, rate, t.Tasks, nil)
	}
}

// Programs returns the commands of the programs that answer in runs of s: those of its allocators,
// its policy and its patterns.
func (s *Spec) Programs() (commands []string) {
	for _, text := range []string{s.Allocator, s.Scheduler.Decision, s.Scheduler.Policy} {
		if command, is := strings.CutPrefix(text, Program+":"); is {
			commands = append(commands, command)
		}
	}
	for _, w := range s.allPatterns() {
		if w.Name == Program {
			commands = append(commands, w.Parameters)
		}
	}
	return commands
}

// onlyUser reports whether no other pattern of the jobs uses a field.
func (s *Spec) onlyUser(w Weighted, field string) bool {
	return !slices.ContainsFunc(s.allPatterns(), func(o Weighted) bool {
		return o.Label() != w.Label() && s.Registry.uses(o, field)
	})
}

// NoJumpsOverTasks returns the error for jumps over time beside graphs of tasks.
func NoJumpsOverTasks(tolerance float64) *input.Error {
	return FieldFastForward.Bad("take 0, which simulates every flit",
		"%s is %g, and graphs of tasks compute at times that jumps do not know", FieldFastForward,
		tolerance)
}
