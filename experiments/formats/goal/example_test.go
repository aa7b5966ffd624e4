package goal_test

import (
	"fmt"

	"contend/experiments/formats/goal"
)

func ExampleParse() {
	const text = `num_ranks 2
rank 0 {
work: calc 1000
s: send 64b to 1 tag 3
s requires work
}
rank 1 {
recv 64b from 0 tag 3
}
`
	g, err := goal.Parse("ask.goal", []byte(text))
	fmt.Println(len(g.Ranks), "ranks,", g.Messages(), "message,", err)
	_, err = goal.Parse("ask.goal", []byte("num_ranks 2\nrank 2 {\n"))
	fmt.Println(err)
	// Output:
	// 2 ranks, 1 message, <nil>
	// ask.goal:2: there is no rank 2: ranks are 0 to 1
}
