// Package laws has what the laws of networks and those of runs of jobs share. A law says what may
// change about a run, and what then may not. It is tried on runs drawn with any mechanisms.
package laws

import (
	"flag"
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/must"
)

// AtMost lets a test draw as many cases.
func AtMost(t *testing.T, checks int) {
	t.Helper()
	before := flag.Lookup("rapid.checks").Value.String()
	must.Do(flag.Set("rapid.checks", strconv.Itoa(checks)))
	t.Cleanup(func() { must.Do(flag.Set("rapid.checks", before)) })
}

// Later draws a number of cycles, from 10^3 to 10^8, after which a run begins that began at 0.
func Later(r *rapid.T) int64 {
	return int64(math.Pow(10, rapid.Float64Range(3, 8).Draw(r, "later, as a power of ten")))
}
