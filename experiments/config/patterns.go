package config

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"contend/experiments/formats/chakra"
	"contend/experiments/formats/goal"
	"contend/experiments/service/external"
	"contend/internal/call"
	"contend/internal/input"
	"contend/internal/written"
	"contend/netsim"
	"contend/patterns"
	"contend/patterns/tasks"
	"contend/patterns/training"
)

// setPattern makes a configuration use the New, the Tasks or the program of a pattern, if the part
// of the mix has one.
func (s *Spec) setPattern(c *patterns.Config, w Weighted) {
	r := s.Registry
	p := r.pattern(w.Name)
	switch {
	case p == nil:
		return
	case p.Tasks != nil:
		s.setTasks(c, w)
		return
	case p.program != nil:
		s.setProgram(c, w)
		return
	case p.New == nil:
		if len(p.Parameters) > 0 {
			c.Collective = s.collective(r.values("patterns", w.Label()))
		}
		return
	}
	v := r.values("patterns", w.Label())
	c.Name, c.OwnDraws = w.Label(), p.Draws
	c.Own = func(n int, shape []int, flits int32, stream *rand.Rand) (patterns.Pattern, error) {
		if !p.Draws {
			stream = nil
		}
		made, err := p.New(v, PatternJob{Processes: n, Shape: shape, Flits: flits, Stream: stream})
		if err = refused("pattern", p.Name, made == nil, err); err != nil {
			return nil, err
		}
		if p.OwnLengths {
			flits = 0
		}
		return patterns.Guarded(made, p.Name, n, flits), nil
	}
}

// collective returns what the parameters of a built-in pattern say. Times are rounded to cycles.
func (s *Spec) collective(v call.Values) (k patterns.Collective) {
	rate, _ := s.cyclesPerNanosecond().Float64()
	whole := func(name string) int64 {
		if !v.Has(name) {
			return 0
		}
		return int64(v.Int(name))
	}
	cycles := func(name string) int64 { return int64(math.Round(float64(whole(name)) * rate)) }
	k = patterns.Collective{Channels: int(whole("channels")), Host: int(whole("host")),
		Chunk: whole("chunk"), Slices: int(whole("slices")), Overhead: cycles("overhead"),
		HostLatency: cycles("host_latency"), Processes: int(whole("processes")),
		Outstanding: int(whole("outstanding")), Message: whole("bytes"), Redraw: whole("redraw"),
		Barrier: v.Has("barrier") && v.Bool("barrier")}
	if v.Has("rate") && v.Float("rate") > 0 { // bytes a nanosecond
		k.CyclesPerByte = rate / v.Float("rate")
	}
	return k
}

// uses reports whether a pattern uses a field of patterns.Config.
func (r *Registry) uses(w Weighted, field string) bool {
	switch p := r.pattern(w.Name); {
	case p != nil && p.Tasks != nil:
		return slices.Contains([]string{"scale", "flit_bytes", "pad_flits", "rendezvous_bytes"}, field)
	case p != nil && p.program != nil: // compute_cycles acts on phases, rendezvous_bytes on tasks
		return slices.Contains([]string{"scale", "flit_bytes", "pad_flits", "rendezvous_bytes",
			"compute_cycles"}, field)
	case p != nil && p.New != nil:
		return field == "flits" || field == "cut" || field == "compute_cycles"
	case field == "bytes" && p != nil && len(p.Parameters) > 0:
		v := r.values("patterns", w.Label())
		return patterns.Uses(w.Name, field) && !(v.Has("bytes") && v.Int("bytes") > 0)
	}
	return patterns.Uses(w.Name, field)
}

// oneLength reports whether all messages of a pattern have the length job.flits.
func (r *Registry) oneLength(w Weighted) bool {
	p := r.pattern(w.Name)
	return p != nil && !p.OwnLengths && p.Tasks == nil && p.program == nil
}

// ownSizes reports whether all messages of a pattern have sizes in bytes.
func (r *Registry) ownSizes(w Weighted) bool {
	p := r.pattern(w.Name)
	return p != nil && (p.Tasks != nil || p.program != nil) || patterns.OwnSizes(w.Name)
}

// drawsPartners reports whether a pattern draws destinations at random.
func (r *Registry) drawsPartners(w Weighted) bool {
	p := r.pattern(w.Name)
	if p == nil || p.Draws || !slices.ContainsFunc(p.Parameters,
		func(of call.Parameter) bool { return of.Name == "redraw" }) {
		return p != nil && p.Draws
	}
	return r.values("patterns", w.Label()).Int("redraw") > 0
}

// PatternNote returns what else a user should know of a job with a pattern, "" for most.
func (r *Registry) PatternNote(w Weighted) string {
	p := r.pattern(w.Name)
	if p == nil || p.Note == nil {
		return ""
	}
	return p.Note(r.values("patterns", w.Label()))
}

// HostNote says that collectives of the plan take hosts of another size than its machine has, ""
// where none does.
func (p *Plan) HostNote() string {
	nodes := p.Network.HostNodes()
	for _, w := range p.spec.allPatterns() {
		e := p.Registry.pattern(w.Name)
		if nodes == 0 || e == nil || !slices.ContainsFunc(e.Parameters, func(of call.Parameter) bool {
			return of.Name == "host" && of.Unit == "ranks"
		}) {
			continue
		}
		v := p.Registry.values("patterns", w.Label())
		acts := !v.Has("algorithm") || v.Word("algorithm") == string(training.Hierarchical)
		if host := v.Int("host"); acts && host > 0 && host != nodes {
			return fmt.Sprintf("%s has hosts of %s, and a host of this machine has %s: with host=%d "+
				"the collective knows them", w.Short(), input.Plural(host, "rank"),
				input.Plural(nodes, "node"), nodes)
		}
	}
	return ""
}

// drawsSlow reports whether a pattern draws which ranks are slow.
func (r *Registry) drawsSlow(w Weighted) bool {
	p := r.pattern(w.Name)
	return p != nil && p.DrawsWith != nil &&
		p.DrawsWith(r.values("patterns", w.Label()))
}

// goalPattern is the pattern whose tasks are in a GOAL schedule.
var goalPattern = Pattern{Name: "goal", Source: "Hoefler et al. 2009",
	Doc: "the schedule of a GOAL file, text or binary, as LogGOPSim and ATLAHS write it: goal:FILE. " +
		"A job has as many processes as the file has ranks",
	Parameters: FileParameters("the schedule"), Digest: FilesDigest,
	Tasks: func(v call.Values, _ PatternJob) (*tasks.Graph, error) {
		return goal.ReadFile(v.Files(), v.Word("file"))
	}}

// trainingPattern is the pattern of generated training steps.
var trainingPattern = Pattern{Name: "training", Source: "Narayanan et al. 2021",
	Doc: "steps that train a neural network, an iteration a step: ranks share it by tensor, " +
		"pipeline, data and expert parallelism",
	Parameters: training.Parameters,
	Note: func(v call.Values) string {
		s := training.StepOf(v)
		states, activations := s.Needs()
		return fmt.Sprintf("a rank needs %.3g GB for parameters, gradients and optimizer states, and "+
			"%.3g GB for activations", states/1e9, activations/1e9)
	},
	Slow: slowRanks, DrawsWith: drawsStragglers,
	Tasks: func(v call.Values, j PatternJob) (*tasks.Graph, error) {
		return training.StepOf(v).Graph(j.Processes)
	}}

// chakraPattern is the pattern of recorded training steps.
var chakraPattern = Pattern{Name: "chakra", Source: "Sridharan et al. 2023",
	Doc: "a training step as a Chakra execution trace, a file a rank: chakra:PREFIX reads " +
		"PREFIX.0.et, PREFIX.1.et and so on, and the process groups of PREFIX.groups.json if there is " +
		"that file. A job has as many processes as the trace has ranks",
	Parameters: append(append(FileParameters("what the names of the files begin with"),
		call.Parameter{Name: "memory_gbs", Type: call.Number, Default: "0", Min: "0", Max: "1e9",
			Unit: "GB/s",
			Doc:  "of a rank, for nodes with num_ops: they take tensor_size at this rate at least"}),
		training.StepParameters...),
	Slow: slowRanks, DrawsWith: drawsStragglers,
	Digest: func(v call.Values) (string, error) {
		files, err := chakra.Files(v.Files(), v.Word("file"))
		if err != nil {
			return "", input.Unreadable(err, chakraRight)
		}
		return DigestOf(v.Files(), files...)
	},
	Tasks: func(v call.Values, _ PatternJob) (*tasks.Graph, error) {
		trace, err := chakra.Read(v.Files(), v.Word("file"))
		if err != nil {
			return nil, input.Unreadable(err, chakraRight)
		}
		return trace.Graph(chakra.Options{Collectives: training.CollectivesOf(v),
			FlopRate: v.Float("tflops") * 1e12, MemoryRate: v.Float("memory_gbs") * 1e9})
	}}

// chakraRight says what names the files of a Chakra trace.
const chakraRight = "give what the names of the files PREFIX.0.et, PREFIX.1.et and so on begin with"

// slowRanks returns the factors by which the computations of ranks take longer.
func slowRanks(v call.Values, j PatternJob) ([]float64, error) {
	s := training.StragglersOf(v)
	return s.Factors(j.Processes, j.Stream)
}

// drawsStragglers reports whether slow ranks are drawn.
func drawsStragglers(v call.Values) bool {
	s := training.StragglersOf(v)
	return s.Draws()
}

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
	made, _ := r.graphs.LoadOrStore(trafficKey{w.Label(), string(written.JSON(q))},
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
