package service

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"contend/experiments/config"
	"contend/experiments/sim/executor"
	"contend/internal/input"
	"contend/patterns"
	"contend/scheduler"
)

// job is a running job.
type job struct {
	scheduler.Job
	grant
	name        string // as JSON
	slot        int32
	traffic     traffic
	startCycle  int64
	received    int64 // messages
	lastArrival int64 // cycle in which the last of them arrived
	solo        *soloRun
}

// endless is the quota of a job that runs until a request ends it.
const endless = math.MaxInt64 / 2

// jobAnswer is the answer to start and to end.
type jobAnswer struct {
	Now int64           `json:"now"`
	Job json.RawMessage `json:"job"`
}

// startJob answers start: the job starts now.
func (v *Service) startJob(r *request) (any, error) {
	j, err := v.newJob(r)
	if err != nil {
		return nil, err
	}
	v.recordEvent(r, j.traffic.pinned)
	s := v.state
	if _, held := s.granted[j.name]; !held {
		s.free.Take(j.nodes)
	}
	delete(s.granted, j.name)
	s.jobs[j.name], s.jobNames = j, append(s.jobNames, j.name)
	j.Pattern = s.exec.AddPattern(j.traffic.config)
	s.exec.Start(&j.Job, j.nodes[:j.size])
	return jobAnswer{s.cycle(), json.RawMessage(j.name)}, nil
}

// newJob returns the job of a start request, after it has checked that it can start now.
func (v *Service) newJob(r *request) (*job, error) {
	s := v.state
	name, err := r.jobName()
	if err != nil {
		return nil, err
	}
	if s.jobs[name] != nil {
		return nil, fmt.Errorf("the job %s runs already: end it, or give another name", name)
	}
	j := &job{name: name, startCycle: s.cycle(), lastArrival: s.cycle()}
	j.ID = scheduler.JobID(len(s.jobNames))
	if j.grant, err = s.grantOf(name, r); err != nil {
		return nil, err
	}
	j.Size = j.size
	if err := j.setShape(r, s.free.Nodes()); err != nil {
		return nil, err
	}
	seed, _ := v.plan.StreamSeed(0, "job "+name)
	j.Seed = seed
	if err := r.Read("seed", "a whole number from 0", &j.Seed); err != nil {
		return nil, err
	}
	if j.traffic, err = v.trafficOf(r); err != nil {
		return nil, err
	}
	return j, v.setLength(j, r)
}

// grantOf returns the nodes of a job that starts: those in the request, or those allocated to it.
func (s *state) grantOf(name string, r *request) (g grant, err error) {
	if err := r.Read("nodes", "a list of nodes, such as [0,1,5]", &g.nodes); err != nil {
		return g, err
	}
	allocated, held := s.granted[name]
	switch {
	case held && g.nodes != nil:
		return g, fmt.Errorf("the job %s has its nodes already: leave nodes out", name)
	case held:
		return allocated, nil
	case len(g.nodes) == 0:
		return g, errors.New("no nodes: give a list, rank 0 first, or allocate nodes before")
	}
	g.size = len(g.nodes)
	if err := s.free.CheckGrant(g.nodes, g.size); err != nil {
		return g, fmt.Errorf("nodes: %w: give free nodes of 0 to %d, each once", err, s.free.Nodes()-1)
	}
	return g, nil
}

// setShape sets the shape of the job from a request.
func (j *job) setShape(r *request, nodes int) error {
	if err := r.Read("shape", "a list of sides, such as [2,2]", &j.Shape); err != nil {
		return err
	}
	if err := j.Request().Check(nodes); err != nil {
		return fmt.Errorf("shape: the job %w", err)
	}
	return nil
}

// setLength sets the quota or the computing cycles of a job from a request.
func (v *Service) setLength(j *job, r *request) error {
	given, n, err := r.readLength()
	if err != nil {
		return err
	}
	if given == "cycles" {
		j.Lead = scheduler.Cycle(n)
		return nil
	}
	per, err := patterns.MessagesPerIteration(j.traffic.config, j.Size, j.Shape)
	if err == nil && per == 0 {
		err = fmt.Errorf("%s sends nothing in a job of %s: give cycles, for a job that only computes",
			j.traffic.spec.Label, input.Plural(j.Size, "node"))
	}
	switch {
	case err != nil:
		return err
	case given == "messages":
		j.Quota = n
	case given == "iterations" && n > endless/per:
		return fmt.Errorf("iterations is %d, which are more than 2^62 messages: give fewer", n)
	case given == "iterations":
		j.Quota = n * per
	case given == "" && j.runsTasks():
		// A rank that waits for nothing would send for ever at once.
		return fmt.Errorf("%s is a graph of tasks and does not run without end: give iterations",
			j.traffic.spec.Label)
	default:
		j.Quota = endless
	}
	_, err = patterns.New(executor.ProgramConfig(j.traffic.config, &j.Job), j.Size, j.Shape, j.Quota,
		rand.New(rand.NewPCG(j.Seed, 0)))
	return err
}

// runsTasks reports whether the processes of a job run a graph of tasks.
func (j *job) runsTasks() bool {
	if j.traffic.config.Work == nil || j.traffic.config.Tasks {
		return j.traffic.config.Tasks
	}
	_, err := patterns.NewPattern(j.traffic.config, j.Size, j.Shape, nil)
	return errors.Is(err, patterns.ErrNoPhases)
}

// trafficOf returns the traffic of the job of a request, from a cache by its keys.
func (v *Service) trafficOf(r *request) (traffic, error) {
	key := ""
	for _, k := range jobKeys {
		key += string(r.Object[k.Name]) + "\n"
	}
	if t, known := v.traffic[key]; known {
		return t, nil
	}
	s := config.Settings{Spec: v.Base}
	var t traffic
	for _, k := range jobKeys {
		if text, has := r.Object[k.Name]; has {
			x, bad := v.Names.MapFiles("job."+k.Name, keyValue(text), v.patternFile)
			if bad == nil && k.Name == "pattern" && config.NamesProgram(x) {
				bad = input.Bad("", "name the program in the study of the service, or with --set job.pattern",
					"pattern is %v: a request starts no programs", x)
			}
			if bad == nil {
				bad = s.Assign("job."+k.Name, x)
			}
			if bad == nil && k.Name == "pattern" && v.Files != nil {
				t.pinned, bad = v.pin(x)
			}
			if bad != nil {
				return traffic{}, bad
			}
		}
	}
	plan, err := s.Spec.Plan()
	if err != nil {
		return traffic{}, err
	}
	for _, k := range jobKeys {
		known, _ := config.FindKey("job." + k.Name)
		if why := known.Idle(&s.Spec); r.Object[k.Name] != nil && why != "" {
			return traffic{}, fmt.Errorf("%s has no effect: it %s: leave it out", k.Name, why)
		}
	}
	if len(plan.Job.Patterns) != 1 {
		return traffic{}, fmt.Errorf("pattern is %s: give one pattern, not a mix", plan.Job.Mixed)
	}
	t.config, t.spec = plan.Job.Patterns[0].Config, &plan.Job.Patterns[0]
	v.traffic[key] = t
	return t, nil
}

// pin returns a pattern with the digest of the file that it reads, whose folder it leaves out.
func (v *Service) pin(pattern any) (string, *input.Error) {
	pattern, bad := v.Names.Pinned("job.pattern", pattern)
	if bad == nil {
		pattern, bad = v.Names.MapFiles("job.pattern", pattern, func(file string) (string, *input.Error) {
			return filepath.Base(file), nil
		})
	}
	return fmt.Sprint(pattern), bad
}

// endJob answers end: a job, running or not yet started, returns its nodes now. Messages that it
// has sent still arrive.
func (v *Service) endJob(r *request) (any, error) {
	name, err := r.jobName()
	if err != nil {
		return nil, err
	}
	s := v.state
	g, held := s.granted[name]
	j, err := s.runningJob(name)
	if !held && err != nil {
		return nil, err
	}
	v.recordEvent(r, "")
	if held {
		s.free.Release(g.nodes)
		delete(s.granted, name)
	} else {
		s.exec.Abandon(j.slot)
		s.removeJob(j)
	}
	return jobAnswer{s.cycle(), json.RawMessage(name)}, nil
}

// removeJob removes a running job and frees its nodes.
func (s *state) removeJob(j *job) {
	s.free.Release(j.nodes)
	s.waits.Forget(j.ID)
	delete(s.jobs, j.name)
}

// advanceAnswer is the answer to advance.
type advanceAnswer struct {
	Now   int64      `json:"now"`
	Ended []endedJob `json:"ended"`
}

// endedJob is the account of a job that has ended.
type endedJob struct {
	jobStatus
	End      int64 `json:"end"`
	Service  int64 `json:"service"`
	Packets  int64 `json:"packets"`
	Latency  int64 `json:"latency"`
	Blocking int64 `json:"packet_blocking_time"`
	Foreign  int64 `json:"foreign_blocking_time"`
}

// advance answers advance: time advances to a cycle, or to the first one in which jobs end.
func (v *Service) advance(r *request) (any, error) {
	until, err := v.targetCycle(r)
	if err != nil {
		return nil, err
	}
	slowdown, err := r.wantsSlowdown()
	if err != nil {
		return nil, err
	}
	s := v.state
	leaving, err := s.advance(until)
	if err != nil {
		return nil, err
	}
	a := advanceAnswer{s.cycle(), []endedJob{}}
	for _, j := range leaving {
		t := s.endedTotals[j.ID]
		e := endedJob{End: a.Now, Service: a.Now - j.startCycle, Packets: t.Packets, Latency: t.Latency,
			Blocking: t.Blocked, Foreign: t.Foreign}
		if e.jobStatus, err = v.statusOf(j, slowdown, true); err != nil {
			return nil, err
		}
		a.Ended = append(a.Ended, e)
		s.removeJob(j)
	}
	return a, nil
}

// targetCycle reads the cycle to which a request advances time.
func (v *Service) targetCycle(r *request) (scheduler.Cycle, error) {
	s, text := v.state, r.Object["advance"]
	if string(text) == `"next"` {
		ends := func(name string) bool { return s.jobs[name].Quota < endless }
		if !slices.ContainsFunc(namesOf(s.jobs), ends) {
			return 0, errors.New("no running job ends by itself: give a cycle in place of next")
		}
		return scheduler.MaxCycle, nil
	}
	var n int64
	if json.Unmarshal(text, &n) != nil || n < s.cycle() || n > maxCount {
		return 0, fmt.Errorf(`advance is %s: give a cycle from %d, which is now, to %d, or "next" for `+
			"the next end of a job", input.Shortened(text), s.cycle(), int64(maxCount))
	}
	return scheduler.Cycle(n), nil
}

// advance advances time and returns the jobs that end. They keep their nodes until removeJob.
func (s *state) advance(until scheduler.Cycle) (list []*job, err error) {
	clear(s.endedTotals)
	_, s.endedIDs, err = s.exec.Advance(until, s.endedIDs[:0])
	for _, id := range s.endedIDs {
		list = append(list, s.jobs[s.jobNames[id]])
	}
	return list, err
}

// namesOf returns the names of jobs in the order in which they started.
func namesOf(jobs map[string]*job) []string {
	return slices.SortedFunc(maps.Keys(jobs), func(a, b string) int {
		return cmp.Compare(jobs[a].ID, jobs[b].ID)
	})
}
