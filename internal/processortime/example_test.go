package processortime_test

import (
	"fmt"

	"contend/internal/processortime"
)

// A difference is what the work between took, however many others work on the machine.
func Example() {
	before := processortime.Used()
	for range 1000 {
		_ = fmt.Sprint("work ", before)
	}
	fmt.Println(processortime.Used() >= before)
	// Output: true
}
