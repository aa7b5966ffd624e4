package experiments

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/must"
	"contend/internal/papertest"

	"gonum.org/v1/gonum/stat"
)

// Reference: Leung et al., Processor allocation on Cplant, CLUSTER 2002. Its
// simulations (sec. 3) are drawn, not printed; each sentence about them is a
// test here, and each about the experiments of sec. 4.

// leungRuns are runs of a study in small, by the labels of their points.
type leungRuns struct {
	results []metrics.Result
	jobs    []map[string]float64 // of all results
}

// mean returns the mean of a metric over the runs.
func (l *leungRuns) mean(t *testing.T, metric string) float64 {
	t.Helper()
	var m metrics.Mean
	for _, r := range l.results {
		m.Add(configtest.Value(t, &r, metric))
	}
	return m.Value()
}

// runStudy runs the small version of a study, its axes replaced, and returns
// its runs by the labels of the points.
func runStudy(name string, replications int, axes map[string]string) (map[string]*leungRuns,
	error) {
	points := quickPoints(name, axes, func(st *study.Study) {
		if st.Base.Job.Run == "messages" { // half as long messages take half as long to simulate
			st.Base.Job.Flits, st.Base.Job.CyclesPerSecond = 8, 7.0
		}
	})
	all := map[string]*leungRuns{}
	for _, p := range points {
		label := p.Labels[len(p.Labels)-1]
		if len(p.Labels) > 1 {
			label = p.Labels[0] + " " + label
		}
		all[label] = &leungRuns{}
		for replication := range replications {
			extra := &sim.Extra{Records: metrics.Records{Jobs: true}}
			r, err := configtest.Run(context.Background(), leungSimulator.Run, p.Spec, replication, extra)
			if err != nil {
				return nil, err
			}
			all[label].results = append(all[label].results, r)
			all[label].jobs = append(all[label].jobs,
				configtest.Rows(metrics.JobTable.Columns,
					metrics.JobTable.Rows(&extra.Records))...)
		}
	}
	return all, nil
}

// leungSimulator reads the log once.
var leungSimulator = sim.Simulator{TraceDirs: []string{filepath.Join("..", "..", "shared",
	"traces")}}

// Runs of the studies of the paper, made once for all tests.
var (
	leungWork = sync.OnceValues(func() (map[string]*leungRuns, error) {
		return runStudy("leung-fig1", 1, map[string]string{"workload.work_multiple": "0.5,1,2"})
	})
	leungCopies = sync.OnceValues(func() (map[string]*leungRuns, error) {
		return runStudy("leung-fig1-replication", 1,
			map[string]string{"workload.replication_factor": "1,2,4"})
	})
	leungStream = sync.OnceValues(func() (map[string]*leungRuns, error) {
		return runStudy("leung-table1", 2, nil)
	})
)

// leung returns the runs of a study, and skips the test where its log is
// missing.
func leung(t *testing.T, study func() (map[string]*leungRuns, error)) map[string]*leungRuns {
	t.Helper()
	runs, err := study()
	var missing *input.MissingError
	if errors.As(err, &missing) {
		papertest.NoLog(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return runs
}

// leungPackers are the packers of the paper.
var leungPackers = []string{"first-fit-1d", "best-fit-1d", "sum-of-squares"}

// Sec. 3, Results: "one-dimensional allocation strategies coupled with
// space-filling curves yield processor locality in higher dimensions".
func TestLeungCurvesAndPackersYieldLocality(t *testing.T) {
	runs := leung(t, leungWork)
	for _, multiple := range []string{"0.5", "1", "2"} {
		for _, metric := range []string{"bounding_cube_ratio", "mean_pairwise_distance",
			"components", "box_side_sum"} {
			baseline, curve := runs[multiple+" free-list"].mean(t, metric),
				runs[multiple+" free-list:hilbert"].mean(t, metric)
			for _, packer := range leungPackers {
				both := runs[multiple+" "+packer+":hilbert"].mean(t, metric)
				if !(both < curve && curve < baseline) {
					t.Errorf("work multiple %s, %s: %s %.3f, free list %.3f with the curve, %.3f "+
						"without", multiple, metric, packer, both, curve, baseline)
				}
			}
		}
	}
}

// Sec. 2.3: packing makes the span smaller than the free list's. Spans of all are along the curve,
// so those of packers along rows are larger.
func TestLeungPackersMakeSpansSmall(t *testing.T) {
	runs := leung(t, leungWork)
	for _, multiple := range []string{"0.5", "1", "2"} {
		list := runs[multiple+" free-list:hilbert"].mean(t, "span_ring")
		for _, packer := range leungPackers {
			span := runs[multiple+" "+packer+":hilbert"].mean(t, "span_ring")
			if !(span < 0.75*list) {
				t.Errorf("work multiple %s: span %.1f with %s, %.1f with the free list", multiple,
					span, packer, list)
			}
			if plain := runs[multiple+" "+packer].mean(t, "span_ring"); !(plain > 1.5*span) {
				t.Errorf("work multiple %s, %s: span %v with Hilbert's curve, %v with rows",
					multiple, packer, span, plain)
			}
		}
	}
}

// Sec. 3, Results: "as workloads increase, it becomes harder to obtain
// processor locality"; and "the results for both types of inputs were similar".
func TestLeungLocalityFallsWithWork(t *testing.T) {
	for name, study := range map[string]func() (map[string]*leungRuns,
		error){"work multiple": leungWork, "replication factor": leungCopies} {
		runs, steps := leung(t, study), []string{"0.5", "1", "2"}
		if name == "replication factor" {
			steps = []string{"1", "2", "4"}
		}
		for _, packer := range append([]string{"free-list"}, leungPackers...) {
			for _, metric := range []string{"bounding_cube_ratio", "span_ring", "stretch_span",
				"components"} {
				var at []float64
				for _, step := range steps {
					at = append(at, runs[step+" "+packer+":hilbert"].mean(t, metric))
				}
				if !slices.IsSorted(at) || at[0] == at[2] {
					t.Errorf("%s %v, %s:hilbert: %s %.3f", name, steps, packer, metric, at)
				}
			}
		}
	}
}

// Table 1 as printed, in hours, minutes and seconds, is what the study carries.
func TestLeungTable1Copy(t *testing.T) {
	st := must.Have(study.Load("leung-table1", config.Builtin()))
	points := must.Have(st.Points())
	printed := map[string]string{"free-list": "5h46m31s", "best-fit-1d": "5h27m58s",
		"free-list:hilbert":      "4h58m52s",
		"sum-of-squares:hilbert": "4h32m9s", "first-fit-1d:hilbert": "4h30m22s",
		"best-fit-1d:hilbert": "4h25m23s"}
	if len(points) != len(printed) {
		t.Errorf("%d strategies, %d in Table 1", len(points), len(printed))
	}
	for i := range points {
		want := must.Have(time.ParseDuration(printed[points[i].Labels[0]]))
		got := study.PublishedAt(st.Published.Rows(), &points[i])["makespan"]
		if got != want.Seconds() || got == 0 {
			t.Errorf("%s: %v s, printed %v", points[i].Labels[0], got, want)
		}
	}
}

// Fig. 2: the waiting times of jobs of 2, 5 and 25 processors are "so
// insignificant compared to that of the 30-node jobs that they all sit near the
// x axis"; and waiting "orders the methods the same way with substantial
// separation".
func TestLeungFig2(t *testing.T) {
	runs := leung(t, leungStream)
	var waits []float64
	for _, allocator := range []string{"best-fit-1d:hilbert", "free-list:hilbert", "free-list"} {
		large, others := runs[allocator].mean(t, "largest_wait_time"),
			runs[allocator].mean(t, "other_wait_time")
		if others > 0.1*large {
			t.Errorf("%s: jobs of 30 wait %.0f s, others %.0f", allocator, large, others)
		}
		waits = append(waits, large)
	}
	if !(waits[1] > 1.15*waits[0] && waits[2] > 1.15*waits[1]) {
		t.Errorf("waiting times %.0f do not rise from best fit with the curve to the free list "+
			"without", waits)
	}
}

// Fig. 3: of the 30-processor jobs completion time goes with the mean number of
// hops, "a stronger correlation" than with span.
func TestLeungFig3(t *testing.T) {
	hops, span := leungCorrelations(leung(t, leungStream))
	t.Logf("correlation with hops %.2f, with span %.2f", hops, span)
	if !(hops > span && span > 0.1) {
		t.Errorf("correlation with hops %.2f, with span %.2f", hops, span)
	}
}

// leungCorrelations returns Pearson's correlations of Fig. 3 (a), all orders, and (b), Hilbert's
// curve only.
func leungCorrelations(runs map[string]*leungRuns) (hops, span float64) {
	var a, b [2][]float64
	for _, allocator := range input.SortedKeys(runs) {
		for _, j := range runs[allocator].jobs {
			if j["processors"] != 30 {
				continue
			}
			a[0], a[1] = append(a[0], j["mean_pairwise_distance"]), append(a[1], j["service_time"])
			if strings.HasSuffix(allocator, ":hilbert") {
				b[0], b[1] = append(b[0], j["span_ring"]), append(b[1], j["service_time"])
			}
		}
	}
	return stat.Correlation(a[0], a[1], nil), stat.Correlation(b[0], b[1], nil)
}
