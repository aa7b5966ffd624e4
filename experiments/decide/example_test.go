package decide_test

import (
	"fmt"
	"strings"

	"contend/experiments/cosim"
	"contend/experiments/decide"
	"contend/experiments/spec"
)

// An allocator chooses two of the free nodes of a 4x4 mesh.
func ExampleDecisions_Answer() {
	c := decide.DecisionConfig{Spec: spec.DefaultSpec()}
	c.Spec.Machine.Dims = []int{4, 4}
	c.Spec.Allocator.Name = "mm"
	decisions, err := decide.New(&cosim.Simulator{}, c, spec.BuiltinNames(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, good := decisions.Answer(nil, []byte(`{"free":[0,5,6,11],"size":2}`))
	nodes, _, _ := strings.Cut(string(answer), "],")
	fmt.Println(good, nodes)
	// Output: true {"nodes":[5,6
}
