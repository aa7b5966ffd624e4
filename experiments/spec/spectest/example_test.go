package spectest_test

import (
	"fmt"

	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

// anything is a simulator with room for every spec that is right.
type anything struct{}

func (anything) Fits(int64) error       { return nil }
func (anything) Check(*spec.Plan) error { return nil }

func ExampleCheck() {
	s := spectest.Net(8, 4, 4)
	fmt.Println(spectest.Check(anything{}, s))
	s.Machine.Dims = []int{4, 0}
	fmt.Println(spectest.Check(anything{}, s))
	// Output:
	// <nil>
	// machine.dims is [4 0]: every entry must be at least 1
}
