package papertest_test

import (
	"fmt"
	"testing"

	"contend/internal/papertest"
)

// recorder prints what a test would report.
type recorder struct{ testing.TB }

func (recorder) Helper()                           {}
func (recorder) Logf(format string, args ...any)   {}
func (recorder) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// The first number rounds to the printed one. The second is a known miss that has changed.
func ExampleNumber_Check() {
	papertest.Number{Printed: "575.399"}.Check(recorder{}, "mean response", 575.3994)
	papertest.Number{Printed: "0.62", Miss: "0.61"}.Check(recorder{}, "utilization", 0.58)
	// Output: utilization: 0.58, known to miss the printed 0.62 with 0.61
}
