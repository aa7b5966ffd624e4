package service

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"

	"contend/experiments/config"
	"contend/experiments/sim/executor"
	"contend/internal/input"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// job is a running job.
type job struct {
	scheduler.Job
	name     string // as JSON
	slot     int32
	traffic  traffic
	nodes    []topology.Node
	start    int64
	received int64 // messages
	last     int64 // cycle in which the last of them was
	alone    *alone
}

// endless is the quota of a job that goes on until it is ended.
const endless = math.MaxInt64 / 2

// answered is the answer to a request that leaves the time as it is.
type answered struct {
	Now int64           `json:"now"`
	Job json.RawMessage `json:"job"`
}

// start starts a job now.
func (v *Network) start(r *networkRequest) (any, error) {
	j, err := v.newJob(r)
	if err != nil {
		return nil, err
	}
	s := v.state
	s.log = append(s.log, event{s.net.Now(), r.line})
	s.free.Take(j.nodes)
	s.jobs[j.name], s.names = j, append(s.names, j.name)
	j.Pattern = s.x.AddPattern(j.traffic.config)
	s.x.Start(&j.Job, j.nodes)
	return answered{s.net.Now(), json.RawMessage(j.name)}, nil
}

// newJob returns the job of a request, which can start now.
func (v *Network) newJob(r *networkRequest) (*job, error) {
	s := v.state
	name, err := input.JobName("start", r.keys["start"])
	if err != nil {
		return nil, err
	}
	if s.jobs[name] != nil {
		return nil, fmt.Errorf("the job %s runs already: end it, or give another name", name)
	}
	j := &job{name: name, start: s.net.Now(), last: s.net.Now()}
	j.ID = scheduler.JobID(len(s.names))
	if err := r.read("nodes", "a list of nodes, such as [0,1,5]", &j.nodes); err != nil {
		return nil, err
	}
	j.Size = len(j.nodes)
	if j.Size == 0 {
		return nil, fmt.Errorf("the line has no nodes: give a list, rank 0 first")
	}
	if err := s.free.CheckGrant(j.nodes, j.Size); err != nil {
		return nil, fmt.Errorf("nodes: %w: give free nodes of 0 to %d, each once", err, s.free.Nodes()-1)
	}
	if err := j.setShape(r); err != nil {
		return nil, err
	}
	seed, _ := v.plan.StreamSeed(0, "job "+name)
	j.Seed = seed
	if err := r.read("seed", "a whole number from 0", &j.Seed); err != nil {
		return nil, err
	}
	if j.traffic, err = v.trafficOf(r); err != nil {
		return nil, err
	}
	return j, v.setLength(j, r)
}

// setShape sets the shape that a job gives.
func (j *job) setShape(r *networkRequest) error {
	err := r.read("shape", "a list of sides, such as [2,2]", &j.Shape)
	if err != nil || j.Shape == nil {
		return err
	}
	if err := j.Request().Check(j.Size); err != nil {
		return fmt.Errorf("shape: the job %w", err)
	}
	return nil
}

// setLength sets what ends a job: messages, iterations or cycles of computing.
func (v *Network) setLength(j *job, r *networkRequest) error {
	given, n := "", int64(0)
	for _, key := range []string{"messages", "iterations", "cycles"} {
		count, has, err := r.count(key)
		switch {
		case err != nil:
			return err
		case has && given != "":
			return fmt.Errorf("the line has several of messages, iterations and cycles: give one")
		case has:
			given, n = key, count
		}
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
		return fmt.Errorf("%s is a graph of tasks and does not go on for ever: give iterations",
			j.traffic.spec.Label)
	default:
		j.Quota = endless
	}
	_, err = patterns.New(executor.ProgramConfig(j.traffic.config, &j.Job), j.Size, j.Shape, j.Quota,
		rand.New(rand.NewPCG(j.Seed, 0)))
	return err
}

// trafficOf returns what a request says that a job sends.
func (v *Network) trafficOf(r *networkRequest) (traffic, error) {
	key := ""
	for _, name := range jobKeys {
		key += string(r.keys[name]) + "\n"
	}
	if t, known := v.traffic[key]; known {
		return t, nil
	}
	s := config.Settings{Spec: v.base}
	for _, name := range jobKeys {
		if text, has := r.keys[name]; has {
			x, bad := v.names.Registry().EachFile("job."+name, value(text), v.fileOf)
			if bad == nil {
				bad = s.Assign("job."+name, x, v.names)
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
	for _, name := range jobKeys {
		if k, _ := config.FindKey("job." + name); r.keys[name] != nil && k.Idle(&s.Spec) != "" {
			return traffic{}, fmt.Errorf("%s has no effect: it %s: leave it out", name, k.Idle(&s.Spec))
		}
	}
	if len(plan.Job.Patterns) != 1 {
		return traffic{}, fmt.Errorf("pattern is %s: give one pattern, not a mix", plan.Job.Mixed)
	}
	t := traffic{plan.Job.Patterns[0].Config, &plan.Job.Patterns[0]}
	v.traffic[key] = t
	return t, nil
}

// end ends a running job now. It sends nothing more; what is on its way arrives.
func (v *Network) end(r *networkRequest) (any, error) {
	name, err := input.JobName("end", r.keys["end"])
	if err != nil {
		return nil, err
	}
	s := v.state
	j, err := s.running(name)
	if err != nil {
		return nil, err
	}
	s.log = append(s.log, event{s.net.Now(), r.line})
	s.x.Abandon(j.slot)
	s.leave(j)
	return answered{s.net.Now(), json.RawMessage(name)}, nil
}

// leave frees the nodes of a job.
func (s *state) leave(j *job) {
	s.free.Release(j.nodes)
	s.waits.Forget(j.ID)
	delete(s.jobs, j.name)
}
