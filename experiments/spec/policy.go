package spec

import (
	"contend/allocation"
	"contend/scheduler"
)

// NewPolicy makes the policy of a spec for the allocator of a run.
func (s *Spec) NewPolicy(a allocation.Allocator) (scheduler.Policy, error) {
	p, v, own := s.Registry.policy(s.Scheduler.Policy)
	if !own {
		return builtinPolicy(&s.Scheduler, a)
	}
	made, err := p.New(v, a)
	if err == nil && made == nil {
		err = errNothing
	}
	if err != nil {
		return nil, BadInput("scheduler.policy", "",
			"scheduler.policy is %s: %v", s.Scheduler.Policy, err)
	}
	return made, nil
}

// builtinPolicy makes a policy that is built in.
func builtinPolicy(s *SchedulerSpec, a allocation.Allocator) (scheduler.Policy, error) {
	switch s.Policy {
	case "fcfs":
		return scheduler.FCFS{}, nil
	case "easy":
		return &scheduler.EASY{KillAtReservation: s.KillAtReservation,
			CountReservations: s.Reservation == "count", NoExtraNodes: s.Backfill == "ending"}, nil
	case "conservative":
		if !allocation.CountDecides(a) {
			return nil, BadInput("scheduler.policy",
				"use easy, or an allocator such as mbs, random or paging:0",
				"scheduler.policy is conservative, which plans with numbers of nodes,"+
					" and the allocator may refuse a job although enough nodes are free")
		}
		return &scheduler.Conservative{}, nil
	case "sjf":
		return &scheduler.SJF{}, nil
	case "cplant":
		return &scheduler.Cplant{PollSeconds: s.PollSeconds}, nil
	}
	return nil, BadInput("scheduler.policy", "contend list schedulers shows all",
		"unknown policy %q", s.Policy)
}
