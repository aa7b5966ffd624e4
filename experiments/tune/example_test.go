package tune_test

import (
	"fmt"

	"contend/experiments/tune"
)

// A box of parameters has fewer different vectors than points.
func ExampleParseBox() {
	box, err := tune.ParseBox("sr=2,af=1:2,wf=0,bf=0:2", tune.DefaultBox())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(box.Vectors())
	// Output:
	// [(2, 1, 0, 0) (2, 1, 0, 1) (2, 1, 0, 2) (2, 2, 0, 1)]
}
