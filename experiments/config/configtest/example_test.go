package configtest_test

import (
	"context"
	"fmt"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
)

// anything is a simulator with room for every spec that is right.
type anything struct{}

func (anything) Fits(int64) error                          { return nil }
func (anything) Check(context.Context, *config.Plan) error { return nil }

func ExampleCheck() {
	s := configtest.Net(8, 4, 4)
	fmt.Println(configtest.Check(anything{}, s))
	s.Machine.Dims = []int{4, 0}
	fmt.Println(configtest.Check(anything{}, s))
	// Output:
	// <nil>
	// machine.dims is [4 0]: every entry must be at least 1
}
