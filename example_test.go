package contend_test

import (
	"fmt"
	"testing"

	"contend"
	"contend/scheduler"
)

// largest measures how many processors the largest job has.
type largest struct{ processors int }

func (l *largest) Record(r *scheduler.Record) {
	l.processors = max(l.processors, r.Job.Size)
}

func (l *largest) Value(contend.MetricEnd) float64 { return float64(l.processors) }

// A program adds a metric of its own and checks the registry. contend.Main(r) would then
// run the command line with the metric in tables and figures.
func Example() {
	r := contend.Builtin()
	r.Metrics = append(r.Metrics, contend.Metric{
		Name: "largest_job", Doc: "processors of the largest job", Unit: "processors",
		New: func(contend.MetricRun) contend.Meter { return &largest{} },
	})
	fmt.Println(r.Check())

	r.Metrics = append(r.Metrics, contend.Metric{Name: "makespan", Doc: "when the last job ends"})
	fmt.Println(r.Check())
	// Output:
	// <nil>
	// registry: metrics: "makespan" occurs twice
}

// The program as it is: what the examples add to.
func TestBuiltin(t *testing.T) {
	r := contend.Builtin()
	if err := r.Check(); err != nil {
		t.Error(err)
	}
	if len(r.Allocators) == 0 || len(r.Metrics) == 0 {
		t.Error("something is missing")
	}
}
