package config

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"sync"

	"contend/experiments/formats/goal"
	"contend/internal/call"
	"contend/internal/input"
	"contend/netsim"
	"contend/patterns"
	"contend/patterns/tasks"
)

// goalPattern is the pattern whose tasks are in a GOAL schedule.
var goalPattern = Pattern{Name: "goal", Source: "Hoefler et al. 2009",
	Doc: "the schedule of a GOAL file, text or binary, as LogGOPSim and ATLAHS write it: goal:FILE. " +
		"A job has as many processes as the file has ranks",
	Parameters: FileParameters("the schedule"), Digest: FilesDigest,
	Tasks: func(v call.Values, _ PatternJob) (*tasks.Graph, error) {
		return goal.ReadFile(v.Files(), v.Word("file"))
	}}

// graphKey identifies a graph of tasks: a pattern for a number of processes.
type graphKey struct {
	call      string
	processes int
}

// graph returns the graph of tasks of a pattern for a number of processes, or for 0. Runs share it.
func (r *Registry) graph(w Weighted, processes int) (*tasks.Graph, error) {
	made, _ := r.registered().graphs.LoadOrStore(graphKey{w.Label(), processes},
		sync.OnceValues(func() (*tasks.Graph, error) { return r.newGraph(w, processes) }))
	return made.(func() (*tasks.Graph, error))()
}

// newGraph makes the graph of tasks of a pattern for a number of processes.
func (r *Registry) newGraph(w Weighted, processes int) (*tasks.Graph, error) {
	p, v := r.pattern(w.Name), r.values("patterns", w.Label())
	if p.Digest != nil {
		if err := checkDigest(v, p.Digest); err != nil {
			return nil, err
		}
		processes = 0
	}
	g, err := p.Tasks(v, PatternJob{Processes: processes})
	if err = refused("pattern", p.Name, g == nil, err); err == nil {
		err = refused("pattern", p.Name, false, g.Check())
	}
	return g, err
}

// cyclesPerNanosecond returns the cycles in a nanosecond, 0 where a cycle has no length.
func (s *Spec) cyclesPerNanosecond() *big.Rat {
	rate := new(big.Rat)
	if cycle := s.CycleSeconds(); cycle != nil {
		rate.Quo(big.NewRat(1, 1e9), cycle)
	}
	return rate
}

// setTasks makes a configuration use the graph of a pattern.
func (s *Spec) setTasks(c *patterns.Config, w Weighted) {
	rate := s.cyclesPerNanosecond()
	c.Name, c.Rate, c.Tasks = w.Label(), rate.String(), true
	c.OwnDraws = s.Registry.drawsPartners(w) || s.Registry.drawsSlow(w)
	c.Work = func(n int, _ []int, stream *rand.Rand) (patterns.Work, error) {
		g, err := s.Registry.graph(w, n)
		if err != nil {
			return nil, err
		}
		if len(g.Ranks) != n {
			return nil, patterns.NewSizeError(fmt.Sprintf("pattern %s has %d ranks: a job of %d processes "+
				"cannot run it", w.Short(), len(g.Ranks), n))
		}
		return s.tasksWork(w, rate, g, stream)
	}
}

// tasksWork returns the work of a graph of a pattern, with the cycles in a nanosecond. It refuses
// graphs that the network cannot run.
func (s *Spec) tasksWork(w Weighted, rate *big.Rat, g *tasks.Graph, stream *rand.Rand) (
	patterns.Work, error,
) {
	time, bytes, nic := g.Maxima()
	if rate.Sign() == 0 && time > 0 {
		return nil, FieldCycle.Bad(`set network.cycle, the length of a network cycle, such as "1 ns"`,
			"%s has computations in nanoseconds, and a cycle has no length", w.Short())
	}
	if rails := s.Machine.Interfaces(); nic > 0 &&
		(int(nic) >= rails || s.Network.Rail != netsim.RailByMessage) {
		return nil, FieldRail.Bad(fmt.Sprintf("take %s = %q on a machine of as many rails", FieldRail,
			"message"), "%s has messages of nic %d, and %s is %s on a machine "+
			"with %s", w.Short(), nic, FieldRail, s.labelOf(FieldRail), input.Plural(rails, "rail"))
	}
	if flits := bytes / int64(s.Network.FlitBytes); flits >= math.MaxInt32 {
		return nil, FieldFlitBytes.Bad("take longer flits",
			"%s has a message of %d flits: there are at "+
				"most %d", w.Short(), flits, math.MaxInt32)
	}
	if !rate.Num().IsInt64() || !rate.Denom().IsInt64() {
		return nil, FieldCycle.Bad("give it with fewer digits", "%s is %s, and %s counts nanoseconds",
			FieldCycle, s.Network.Cycle, w.Short())
	}
	slow, err := s.slow(w, PatternJob{Processes: len(g.Ranks), Stream: stream})
	return tasks.Work{Graph: g, Cycles: rate.Num().Int64(), Nanoseconds: rate.Denom().Int64(),
		Slow: slow}, err
}

// slow returns by how much longer the computations of each rank take, nil if none is slow.
func (s *Spec) slow(w Weighted, j PatternJob) ([]float64, error) {
	p := s.Registry.pattern(w.Name)
	if p.Slow == nil {
		return nil, nil
	}
	factors, err := p.Slow(s.Registry.values("patterns", w.Label()), j)
	return factors, refused("pattern", p.Name, false, err)
}

// Ranks returns the number of processes that a pattern from files is for. It reads them.
func (p *Plan) Ranks(w Weighted) (int, error) {
	g, err := p.spec.Registry.graph(w, 0)
	if err != nil {
		return 0, err
	}
	return len(g.Ranks), nil
}

// digestOf returns the Digest of a pattern, or nil.
func (r *Registry) digestOf(w Weighted) func(call.Values) (string, error) {
	if p := r.pattern(w.Name); p != nil {
		return p.Digest
	}
	return nil
}
