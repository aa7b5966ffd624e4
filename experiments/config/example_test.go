package config_test

import (
	"fmt"

	"contend/experiments/config"
)

// A study sets keys. The canonical text has those that differ from their defaults, and
// the hash of the text names the run. The plan is what a run uses.
func Example() {
	s := config.Defaults()
	for _, set := range []struct {
		key   string
		value any
	}{
		{"machine.dims", []any{int64(8), int64(8)}},
		{"allocator", "best-fit-1d:hilbert"},
		{"job.run", "fixed"},
	} {
		if err := s.Assign(set.key, set.value); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Print(s.Spec.Canonical())

	plan, err := s.Spec.Plan()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(plan.Topology, plan.Size, plan.Machine.Nodes(), plan.ClockUnit)
	// Output:
	// machine.dims = [8, 8]
	// job.run = "fixed"
	// allocator = "best-fit-1d:hilbert"
	// mesh 8x8 64 time units
}

// Errors say what would be right.
func ExampleSettings_Assign() {
	s := config.Defaults()
	err := s.Assign("network.bufer_flits", int64(4))
	fmt.Println(err)
	err = s.Assign("network.buffer_flits", int64(0))
	fmt.Println(err)
	// Output:
	// unknown key network.bufer_flits: did you mean network.buffer_flits?
	// network.buffer_flits is 0: give an integer from 1 to 32767
}
