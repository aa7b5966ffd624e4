package bounded_test

import (
	"fmt"
	"io"
	"strings"

	"contend/internal/bounded"
)

// The second line is longer than the limit.
func Example() {
	limits := bounded.Limits{Bytes: 1 << 20, Line: 10}
	in := limits.Reader("jobs.txt", strings.NewReader("short\nthis line is too long\n"))
	_, err := io.ReadAll(in)
	fmt.Println(err)
	// Output: jobs.txt:2: the line is longer than 10 bytes: the file is damaged, or of another kind
}
