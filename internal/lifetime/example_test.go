package lifetime_test

import (
	"context"
	"errors"
	"fmt"

	"contend/internal/lifetime"
)

// Functions are called in reverse order, and the first failure counts.
func Example() {
	run := lifetime.New(context.Background())
	run.OnEnd(func() { fmt.Println("the first ends") })
	run.OnEnd(func() { fmt.Println("the second ends") })
	run.Fail(errors.New("it broke"))
	run.Fail(errors.New("so did that"))
	fmt.Println(run.Err())
	run.End()
	run.End()
	// Output:
	// it broke
	// the second ends
	// the first ends
}
