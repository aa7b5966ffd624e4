package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

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
	name     string // as JSON
	slot     int32
	traffic  traffic
	start    int64
	received int64 // messages
	last     int64 // cycle in which the last of them arrived
	alone    *alone
}

// endless is the quota of a job that runs until a request ends it.
const endless = math.MaxInt64 / 2

// ofJob is the answer to a start or an end.
type ofJob struct {
	Now int64           `json:"now"`
	Job json.RawMessage `json:"job"`
}

// start starts a job now.
func (v *Service) start(r *request) (any, error) {
	j, err := v.newJob(r)
	if err != nil {
		return nil, err
	}
	v.note(r)
	s := v.state
	if _, held := s.held[j.name]; !held {
		s.free.Take(j.nodes)
	}
	delete(s.held, j.name)
	s.jobs[j.name], s.names = j, append(s.names, j.name)
	j.Pattern = s.exec.AddPattern(j.traffic.config)
	s.exec.Start(&j.Job, j.nodes[:j.size])
	return ofJob{s.now(), json.RawMessage(j.name)}, nil
}

// newJob returns the job of a request, which can start now.
func (v *Service) newJob(r *request) (*job, error) {
	s := v.state
	name, err := r.job()
	if err != nil {
		return nil, err
	}
	if s.jobs[name] != nil {
		return nil, fmt.Errorf("the job %s runs already: end it, or give another name", name)
	}
	j := &job{name: name, start: s.now(), last: s.now()}
	j.ID = scheduler.JobID(len(s.names))
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

// grantOf returns the nodes of a job that starts: those of the request, or those allocated to it.
func (s *state) grantOf(name string, r *request) (g grant, err error) {
	if err := r.Read("nodes", "a list of nodes, such as [0,1,5]", &g.nodes); err != nil {
		return g, err
	}
	allocated, held := s.held[name]
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

// setShape sets the shape of the job that a request gives.
func (j *job) setShape(r *request, nodes int) error {
	if err := r.Read("shape", "a list of sides, such as [2,2]", &j.Shape); err != nil {
		return err
	}
	if err := j.Request().Check(nodes); err != nil {
		return fmt.Errorf("shape: the job %w", err)
	}
	return nil
}

// setLength sets what ends a job: messages, iterations or cycles of computing.
func (v *Service) setLength(j *job, r *request) error {
	given, n, err := r.length()
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
	case given == "" && j.traffic.config.Work != nil:
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

// trafficOf returns what the job of a request sends.
func (v *Service) trafficOf(r *request) (traffic, error) {
	key := ""
	for _, k := range jobKeys {
		key += string(r.Object[k.Name]) + "\n"
	}
	if t, known := v.traffic[key]; known {
		return t, nil
	}
	s := config.Settings{Spec: v.Base}
	for _, k := range jobKeys {
		if text, has := r.Object[k.Name]; has {
			x, bad := v.Names.MapFiles("job."+k.Name, keyValue(text), v.patternFile)
			if bad == nil {
				bad = s.Assign("job."+k.Name, x)
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
	t := traffic{plan.Job.Patterns[0].Config, &plan.Job.Patterns[0]}
	v.traffic[key] = t
	return t, nil
}

// end ends a job now, whether it runs or has only its nodes. It sends nothing more; the messages
// that it has sent still arrive.
func (v *Service) end(r *request) (any, error) {
	name, err := r.job()
	if err != nil {
		return nil, err
	}
	s := v.state
	g, held := s.held[name]
	j, err := s.running(name)
	if !held && err != nil {
		return nil, err
	}
	v.note(r)
	if held {
		s.free.Release(g.nodes)
		delete(s.held, name)
	} else {
		s.exec.Abandon(j.slot)
		s.leave(j)
	}
	return ofJob{s.now(), json.RawMessage(name)}, nil
}

// leave frees the nodes of a job.
func (s *state) leave(j *job) {
	s.free.Release(j.nodes)
	s.waits.Forget(j.ID)
	delete(s.jobs, j.name)
}
