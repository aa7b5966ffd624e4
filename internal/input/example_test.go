package input_test

import (
	"fmt"
	"io"
	"strings"

	"contend/internal/input"
)

// The second line is longer than the limit.
func Example() {
	limits := input.Limits{Bytes: 1 << 20, Line: 10}
	in := limits.Reader("jobs.txt", strings.NewReader("short\nthis line is too long\n"))
	_, err := io.ReadAll(in)
	fmt.Println(err)
	// Output: jobs.txt:2: the line is longer than 10 bytes: the file is damaged, or of another kind
}
