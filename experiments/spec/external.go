package spec

import (
	"contend/allocation"
	"contend/experiments/external"
	"contend/scheduler"
)

// command is the parameter of what is a program of its own.
var command = Parameter{Name: "command", Type: Text, Read: external.Canonical,
	Doc: "a program and its arguments, such as exec:python3 first_fit.py; deadline=60 before it " +
		"gives seconds for an answer in place of 10"}

// addExternal adds allocators and policies that are programs of their own.
func (r *Registry) addExternal() {
	r.Allocators = append(r.Allocators, Allocator{Name: "exec", Parameters: []Parameter{command},
		Doc: "a program that answers lines of JSON chooses the nodes",
		New: func(v Values, s allocation.Site) (allocation.Allocator, error) {
			return external.NewAllocator(v.Word("command"), s)
		}})
	r.Policies = append(r.Policies, Policy{Name: "exec", Parameters: []Parameter{command},
		Doc: "a program that answers lines of JSON chooses the jobs to start",
		New: func(v Values, run PolicyRun) (scheduler.Policy, error) {
			return external.NewPolicy(v.Word("command"), run.Site)
		}})
}
