package spec

import (
	"errors"

	"contend/allocation"
	"contend/experiments/spec/input"
	"contend/scheduler"
)

// NewPolicy makes the policy of a spec for the allocator of a run.
func (s *Spec) NewPolicy(a allocation.Allocator) (scheduler.Policy, error) {
	p := s.Registry.policy(s.Scheduler.Policy)
	made, err := p.New(s.values(s.Scheduler.Policy, p.Parameters), a)
	if err == nil && made == nil {
		err = errNothing
	}
	if bad := (*input.Error)(nil); err == nil || errors.As(err, &bad) {
		return made, err
	}
	return nil, input.Bad("scheduler.policy", "",
		"scheduler.policy is %s: %v", s.Scheduler.Policy, err)
}
