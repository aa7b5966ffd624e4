package service_test

import (
	"fmt"
	"strings"

	"contend/experiments/config"
	"contend/experiments/service"
	"contend/experiments/sim"
)

// An allocator chooses two of the free nodes of a 4x4 mesh.
func ExampleDecisions_Answer() {
	c := service.DecisionConfig{Spec: config.DefaultSpec()}
	c.Spec.Machine.Dims = []int{4, 4}
	c.Spec.Allocator = "mm"
	decisions, err := service.NewDecisions(&sim.Simulator{}, c, config.BuiltinNames(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, good := decisions.Answer(nil, []byte(`{"free":[0,5,6,11],"size":2}`))
	nodes, _, _ := strings.Cut(string(answer), "],")
	fmt.Println(good, nodes)
	// Output: true {"nodes":[5,6
}
