package tables

import (
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/study"
)

// Tables and comparisons of waits say where the queue grows, and tables have a column of it; those
// of finish times do not.
func TestGrowingQueuesAreNamed(t *testing.T) {
	const note = "The queue grows over the whole run under random (queue_growth): waits there " +
		"depend on the number of jobs."
	for _, metric := range []string{"wait_time", "finish_time"} {
		st := experimentstest.MustParse(t, "name = \"s\"\nprimary = [\""+metric+"\"]\n[workload]\n"+
			"jobs = 10\n[runs]\nreplications = 2\n[[axes]]\nkey = \"allocator\"\n"+
			"values = [\"mbs\", \"random\"]\n")
		r := experimentstest.Stored(t, st, config.Builtin(), func(i int,
			_ *study.Point) []metrics.Result {
			runs := experimentstest.OfMetric(metric, 100, 110)
			if i == 1 {
				runs[0].Metrics = append(runs[0].Metrics, metrics.Metric{Name: "queue_growth", Value: 25})
			}
			return runs
		})
		c, err := CompareBy(r, "allocator")
		if err != nil {
			t.Fatal(err)
		}
		table, want := Markdown(r), metric == "wait_time"
		for what, text := range map[string]string{"the table": table, "its TeX": TeX(r)} {
			if column := strings.Contains(text, "25") && strings.Contains(strings.ToLower(
				strings.ReplaceAll(text, " ", "_")), "queue_growth"); column != want {
				t.Errorf("%s of %s: a column %v\n%s", what, metric, column, text)
			}
		}
		if strings.Contains(table, note) != want ||
			strings.Contains(strings.Join(c.Caption([]string{metric}), "\n"), note) != want {
			t.Errorf("%s: note %v in\n%s\n%s", metric, !want, table, c.Caption([]string{metric}))
		}
	}
}
