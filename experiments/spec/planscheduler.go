package spec

import (
	"contend/allocation"
	"contend/scheduler"
)

// SchedulerPlan is the section [scheduler].
type SchedulerPlan struct {
	// Policy is one of the schedulers; NewPolicy makes it.
	Policy    string
	OnOverrun Overrun
	// Kills tells whether jobs can be killed, UsesEstimates whether it matters
	// what users estimate. MissingEstimate says what is assumed where that is not
	// known, EstimateFactor times the run time with MissingFactor.
	Kills, UsesEstimates bool
	MissingEstimate      MissingEstimate
	EstimateFactor       float64

	spec SchedulerSpec
}

func (p *SchedulerSpec) plan() SchedulerPlan {
	return SchedulerPlan{Policy: p.Policy, OnOverrun: valueOf[Overrun](overrunNames, p.OnOverrun),
		Kills: p.Kills(), UsesEstimates: p.UsesEstimates(),
		MissingEstimate: valueOf[MissingEstimate](missingNames, p.MissingEstimate),
		EstimateFactor:  p.EstimateFactor, spec: *p}
}

// NewPolicy makes the policy for an allocator.
func (p *SchedulerPlan) NewPolicy(a allocation.Allocator) (scheduler.Policy, error) {
	s := &p.spec
	switch s.Policy {
	case "fcfs":
		return scheduler.FCFS{}, nil
	case "easy":
		return &scheduler.EASY{KillAtReservation: s.KillAtReservation,
			CountReservations: s.Reservation == "count", NoExtraNodes: s.Backfill == "ending"}, nil
	case "conservative":
		if !allocation.CountDecides(a) {
			return nil, BadInput("scheduler.policy",
				"take easy, or an allocator such as mbs, random or paging:0",
				"scheduler.policy is conservative, which plans with numbers of nodes, and the "+
					"allocator may refuse a job although enough nodes are free")
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

// AssumeEstimates gives the jobs of a log that have no estimate one.
func (p *SchedulerPlan) AssumeEstimates(jobs []scheduler.Job) {
	if p.MissingEstimate != MissingFactor {
		return // reading the log assumed the run time
	}
	for i := range jobs {
		if j := &jobs[i]; j.NoEstimate {
			j.Estimate = j.RunTime * p.EstimateFactor
		}
	}
}
