package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"

	"contend/experiments/config"
	"contend/internal/input"
	"contend/patterns"
	"contend/patterns/tasks"
	"contend/patterns/training"
	"contend/scheduler"
)

// giveProfiles gives the jobs of a workload of Batsim the messages and computing times of their
// profiles.
func (m *workMaker) giveProfiles(jobs []scheduler.Job) error {
	plan := m.plan
	b, err := m.readBatsim(plan.Workload.Trace)
	if err != nil {
		return err
	}
	if plan.Job.CyclesPerSecond == input.Automatic && plan.Job.Run == config.RunMessages {
		return config.FieldCyclesPerSecond.Bad(fmt.Sprintf("give it, or %s", config.FieldCycle),
			"%s is auto, and no key says how many cycles a second of %s has", config.FieldCyclesPerSecond,
			input.BaseName(b.Name))
	}
	k := &batsimJobs{b, plan, m.Work, map[batsimKey]batsimProgram{}}
	for i := range jobs {
		if err := k.fill(&jobs[i]); err != nil {
			return err
		}
	}
	return nil
}

// readBatsim returns a workload of Batsim, which is read once for all runs.
func (s *Simulator) readBatsim(name string) (*scheduler.Batsim, error) {
	path, err := input.FindTrace(name, s.TraceDirs)
	if err != nil {
		return nil, err
	}
	read := func() (*scheduler.Batsim, error) { return config.ReadBatsim(path) }
	return s.memos.batsims.of(path, read)
}

// batsimJobs converts the profiles of a workload to patterns.
type batsimJobs struct {
	*scheduler.Batsim
	plan     *config.Plan
	work     *Work
	programs map[batsimKey]batsimProgram
}

// batsimKey identifies jobs of one program.
type batsimKey struct {
	profile string
	nodes   int
}

// batsimProgram is the program of the jobs of a batsimKey.
type batsimProgram struct {
	pattern  int // index
	messages int64
	cycles   scheduler.Cycle // computing time of an iteration; of the whole job if it only computes
}

// fill sets pattern, quota and computing time of a job. It refuses a job whose profile needs a key
// that the plan lacks.
func (k *batsimJobs) fill(j *scheduler.Job) error {
	j.Profile = k.Profile(j.ID)
	silent := k.Silent(j)
	switch {
	case k.plan.Job.Run == config.RunFixed && !silent:
		return k.refuse(j, fmt.Sprintf("it computes or communicates, and %s is %s", config.FieldRun,
			config.RunFixed), fmt.Sprintf("%s = %q simulates it", config.FieldRun, config.RunMessages))
	case !silent && j.NoEstimate && k.plan.Scheduler.UsesEstimates:
		return k.refuse(j, "it has no walltime, and how long it takes is not known before",
			"give walltimes, or take a policy that does not read estimates, such as fcfs")
	case k.plan.Job.Run == config.RunFixed:
		return nil
	case silent:
		j.Lead = max(1, k.work.clock.Cycles(j.RunTime))
		return nil
	}
	key := batsimKey{j.Profile, j.Size}
	p, known := k.programs[key]
	if !known {
		var err error
		if p, err = k.program(j); err != nil {
			return err
		}
		k.programs[key] = p
	}
	j.Untime()
	j.Pattern, j.Quota = p.pattern, p.messages
	if p.messages == 0 {
		j.Lead = max(1, p.cycles)
	}
	return nil
}

// refuse returns an error for a job.
func (k *batsimJobs) refuse(j *scheduler.Job, problem, right string) error {
	return &input.Error{Where: fmt.Sprintf("%s:%d", k.Name, j.Line),
		Problem: fmt.Sprintf("job %d has the profile %q: %s", j.ID, j.Profile, problem), Right: right}
}

// program makes the pattern of the jobs with the profile and size of j, whose iteration is one
// repetition of the profile.
func (k *batsimJobs) program(j *scheduler.Job) (p batsimProgram, err error) {
	own := &k.plan.Job
	steps, times := k.Steps(j.Profile, j.Size)
	list := make([]batsimStep, len(steps))
	for i, step := range steps {
		if step.Operations > 0 && own.FlopRate == 0 {
			return p, k.refuse(j, fmt.Sprintf("it computes %v operations on each node", step.Operations),
				fmt.Sprintf("%s says how many a node does in a second", config.FieldFlopRate))
		}
		if flits := step.Bytes * own.Scale / float64(own.FlitBytes); flits > math.MaxInt32 {
			return p, k.refuse(j, fmt.Sprintf("%v bytes are no message", step.Bytes),
				fmt.Sprintf("take at most %d flits (%s makes messages shorter)", math.MaxInt32,
					config.FieldScale))
		}
		if step.Operations > 0 {
			step.Seconds += step.Operations / own.FlopRate
		}
		cycles := k.work.clock.Cycles(step.Seconds)
		if p.cycles += cycles; p.cycles > maxIterationCycles/scheduler.Cycle(times) {
			return p, k.refuse(j, fmt.Sprintf("it computes for more than %d cycles",
				int64(maxIterationCycles)), "make a second fewer cycles")
		}
		list[i] = batsimStep{int64(cycles), int64(math.Ceil(step.Bytes))}
		if step.Bytes > 0 {
			p.messages += int64(j.Size) * int64(j.Size-1)
		}
	}
	switch tasks := 2 * (p.messages + int64(len(steps))*int64(j.Size)); {
	case p.messages == 0:
		p.cycles *= scheduler.Cycle(times)
		return p, nil
	case tasks > training.MaxTasks:
		return p, k.refuse(j, fmt.Sprintf("its steps on %d nodes are %d tasks: at most %d are possible",
			j.Size, tasks, training.MaxTasks), "repeat a shorter profile, which counts once")
	}
	p.messages *= int64(times)
	g := batsimGraph(list, j.Size)
	c := patterns.Config{Name: "profile " + j.Profile, FlitBytes: own.FlitBytes,
		PadFlits: own.PadFlits, Scale: own.Scale}
	c.Tasks = true
	c.Work = func(int, []int, *rand.Rand) (patterns.Work, error) { return tasks.Work{Graph: g}, nil }
	p.pattern = len(k.work.patterns)
	k.work.addPattern(c)
	k.work.texts[p.pattern] = fmt.Sprintf("%s %s on %d at %v flop/s and %v cycles/s, scale %v",
		filepath.Clean(k.Name), j.Profile, j.Size, own.FlopRate, k.work.clock.CyclesPerSecond, own.Scale)
	return p, nil
}

// batsimStep is a step in cycles and bytes.
type batsimStep struct{ cycles, bytes int64 }

// batsimGraph returns the tasks of the ranks of a job, where a nanosecond is a cycle. In a step a
// rank computes and sends to all others, first to the next one, at the same time. The rank begins
// the next step when it has computed, sent, and received from all others.
func batsimGraph(steps []batsimStep, n int) *tasks.Graph {
	g := &tasks.Graph{Ranks: make([][]tasks.Task, n)}
	for r := range n {
		var list []tasks.Task
		var after []int32 // with which the step before ends
		for _, s := range steps {
			first := int32(len(list))
			list = append(list, tasks.Task{Time: s.cycles, After: after})
			for d := 1; d < n && s.bytes > 0; d++ {
				list = append(list, tasks.Task{Kind: tasks.Send, CPU: 1, Bytes: s.bytes, After: after,
					Peer: patterns.Rank((r + d) % n)})
			}
			for d := 1; d < n && s.bytes > 0; d++ {
				list = append(list, tasks.Task{Kind: tasks.Receive, After: after,
					Peer: patterns.Rank((r + n - d) % n)})
			}
			end := tasks.Task{}
			for i := first; i < int32(len(list)); i++ {
				end.After = append(end.After, i)
			}
			after = []int32{int32(len(list))}
			list = append(list, end)
		}
		g.Ranks[r] = list
	}
	return g
}
