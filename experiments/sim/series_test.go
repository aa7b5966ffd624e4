package sim

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
)

// weighted returns the mean of values over the durations of their bins.
func weighted(values, durations []float64) float64 {
	sum, time := 0.0, 0.0
	for i, d := range durations {
		sum, time = sum+values[i]*d, time+d
	}
	return sum / time
}

// seriesSpec is a study of a few jobs on a mesh.
func seriesSpec() config.Spec {
	s := configtest.Net(16, 8, 8)
	s.Workload.Jobs, s.Workload.Interarrival.Mean = 20, 100
	s.Workload.Side.Min, s.Workload.Side.Max = 1, 6
	s.Job.Quota = config.QuotaSpec{Distribution: "fixed", Messages: 300}
	s.Allocator = "random"
	return s
}

// inEveryEngine runs the jobs of seriesSpec in every engine, for several numbers of cycles per
// flit and sizes of buffers. The text of a run must not depend on the engine.
func inEveryEngine(t *testing.T, textOf func(s config.Spec) string) {
	t.Helper()
	for _, flit := range []int{1, 3} {
		for _, buffer := range []int{2, 3} { // with 2 the worm engine has a closed form
			var first string
			for _, engine := range []string{"cycle", "worm"} {
				s := seriesSpec()
				s.Network.FlitCycles, s.Network.BufferFlits, s.Network.Engine = flit, buffer, engine
				text := textOf(s)
				if first == "" {
					first = text
				}
				if d := cmp.Diff(first, text); d != "" {
					t.Errorf("%d cycles a flit, buffer %d, engine %s: %s", flit, buffer, engine, d)
				}
			}
		}
	}
}

// The number of bins as the columns document it.
const (
	seriesBins  = 512
	binsPerLoad = 8
)

// The means over the bins of series.csv are the metrics of the run, and the flits of a channel
// over the bins of load.csv are those of links.csv, in every engine and for any number of cycles
// per flit. All engines give the same bytes.
func TestSeriesSumToTheRun(t *testing.T) {
	inEveryEngine(t, func(s config.Spec) string {
		values, x := rowsOf(t, s, metrics.Records{Jobs: true, Links: true, Series: true})
		checkSeries(t, values, x, s.Machine.Dims[0]*s.Machine.Dims[1])
		checkLoad(t, x, float64(s.Network.FlitCycles))
		return fmt.Sprint(texts(x, metrics.SeriesTable), texts(x, metrics.LoadTable))
	})
}

// checkSeries compares series.csv with the values and the jobs of the run.
func checkSeries(t *testing.T, values map[string]float64, x *Extra, nodes int) {
	t.Helper()
	of := func(name string) []float64 {
		return column(t, metrics.SeriesTable.Names(), texts(x, metrics.SeriesTable), name)
	}
	durations, end, response, wait := of("duration"), 0.0, 0.0, 0.0
	for i, from := range of("time") {
		if from != end || durations[i] <= 0 {
			t.Fatalf("bin %d begins at %v, the one before ends at %v", i, from, end)
		}
		end += durations[i]
	}
	if n := len(durations); n <= seriesBins/2 || n > seriesBins ||
		end != slices.Max(jobColumn(t, x, "end")) {
		t.Errorf("%d bins until %v", n, end)
	}
	for i, w := range jobColumn(t, x, "wait_time") {
		wait, response = wait+w, response+jobColumn(t, x, "service_time")[i]
	}
	for name, want := range map[string]float64{
		"utilization_percent": values["utilization"], "queue_jobs": wait / end,
		"running_jobs": response / end, "link_utilization_percent": values["channel_utilization"],
	} {
		if got := weighted(of(name), durations); math.Abs(got-want) > 1e-6*want || got <= 0 {
			t.Errorf("%s: the mean over bins is %v, that of the run %v", name, got, want)
		}
	}
	most := weighted(of("link_utilization_max_percent"), durations)
	if low := values["max_channel_utilization"]; !(most >= low) ||
		slices.Max(of("link_utilization_max_percent")) > 100 {
		t.Errorf("the busiest channels of the bins carry %v%%, that of the run %v%%", most, low)
	}
	for i, parts := range of("free_components") {
		if !(parts >= 0) || parts > float64(nodes)/2 {
			t.Errorf("%v pieces of free nodes in bin %d", parts, i)
		}
	}
}

// checkLoad compares load.csv with links.csv.
func checkLoad(t *testing.T, x *Extra, flit float64) {
	t.Helper()
	of := func(name string) []float64 {
		return column(t, metrics.LoadTable.Names(), texts(x, metrics.LoadTable), name)
	}
	links, percent, durations := of("link"), of("utilization_percent"), of("duration")
	busy, begins, times := map[float64]float64{}, of("time"), map[float64]bool{}
	for i, l := range links {
		if percent[i] <= 0 || percent[i] > 100+1e-6 {
			t.Errorf("channel %v carries flits in %v%% of a bin", l, percent[i])
		}
		busy[l] += percent[i] / 100 * durations[i]
		times[begins[i]] = true
	}
	flits := column(t, metrics.LinkTable.Names(), texts(x, metrics.LinkTable), "flits")
	for l, n := range flits {
		// The last flit of a run may occupy its channel until after the end.
		if got := busy[float64(l)] / flit; math.Abs(got-n) > (flit-1)/flit+1e-3 {
			t.Errorf("channel %d: %v flits in load.csv, %v in links.csv", l, got, n)
		}
	}
	if len(times) > seriesBins/binsPerLoad || len(times) < seriesBins/binsPerLoad/4 {
		t.Errorf("load.csv has %d bins", len(times))
	}
}

// A run that ends while packets are on their way has the flits that were sent until then, in
// every engine: with a background that goes on, and under traffic.
func TestSeriesOfRunsThatAreCut(t *testing.T) {
	background := togetherSpec("npb-mg", "scattered")
	background.Workload.Background = configtest.Mix("ring")
	tr := configtest.Traffic()
	tr.Workload.TrafficLoad = 0.2
	for name, s := range map[string]config.Spec{"background": background, "traffic": tr} {
		var first string
		for _, engine := range []string{"cycle", "worm"} {
			s.Network.Engine = engine
			_, x := rowsOf(t, s, metrics.Records{Series: true, Interference: true})
			if text := fmt.Sprint(texts(x, metrics.SeriesTable), texts(x, metrics.LoadTable)); first == "" {
				first = text
			} else if d := cmp.Diff(first, text); d != "" {
				t.Errorf("%s: %s", name, d)
			}
			if len(texts(x, metrics.SeriesTable)) <= seriesBins/2 || len(texts(x, metrics.LoadTable)) == 0 {
				t.Errorf("%s: %d bins", name, len(texts(x, metrics.SeriesTable)))
			}
		}
	}
}

// The waits of pairs of jobs sum to those of the channels, for own and for other jobs, in every
// engine. With 3 cycles a flit a job can end before a channel that it held is granted again.
func TestWaitsSumToThoseOfChannels(t *testing.T) {
	inEveryEngine(t, func(s config.Spec) string {
		_, x := rowsOf(t, s, metrics.Records{Jobs: true, Links: true, Interference: true})
		of := func(name string) []float64 {
			return column(t, metrics.InterferenceTable.Names(), texts(x, metrics.InterferenceTable), name)
		}
		jobs, own, foreign := jobColumn(t, x, "job"), 0.0, 0.0
		waiting, holding := of("job"), of("for_job")
		for i, cycles := range of("held_cycles") {
			if !slices.Contains(jobs, waiting[i]) || !slices.Contains(jobs, holding[i]) || cycles < 0 {
				t.Fatalf("job %v waits %v cycles for job %v", waiting[i], cycles, holding[i])
			}
			if waiting[i] == holding[i] {
				own += cycles
			} else {
				foreign += cycles
			}
		}
		var sums [2]float64
		for k, name := range []string{"waited_own_cycles", "waited_foreign_cycles"} {
			for _, v := range column(t, metrics.LinkTable.Names(), texts(x, metrics.LinkTable), name) {
				sums[k] += v
			}
		}
		all := sums[0] + sums[1]
		if own+foreign != all || foreign == 0 || math.Abs(own-sums[0]) > 1e-3*all {
			t.Errorf("own %v, others %v; of channels %v", own, foreign, sums)
		}
		return fmt.Sprint(texts(x, metrics.InterferenceTable))
	})
}

// A pair of ranks is that of their nodes as job.mapping places them, and the run is that without
// pairs.
func TestSeriesOfMappedRanks(t *testing.T) {
	var pairs []any
	for from := range 4 {
		for to := range 4 {
			if from != to {
				pairs = append(pairs, fmt.Sprintf("%d>%d", from, to))
			}
		}
	}
	keys := map[string]any{"machine.dims": []any{int64(1)}, "machine.concentration": int64(4),
		"network.source_queues": "destination", "allocator": "sequential",
		"network.congestion_control": "dcqcn:kmin=1,kmax=2,pmax=1,cnp_cycles=50,timer_cycles=60",
		"network.buffer_flits":       int64(16), "job.flits": int64(64), "workload.source": "list",
		"workload.list": []any{"pattern = all-to-one; processes = 4; iterations = 20"}}
	keys["runs.seed"] = int64(2) // whose random places differ
	plain := runOf(t, specWith(t, keys))
	keys["runs.series_pairs"] = append([]any{"1:3>0"}, pairs...)
	for mapping, own := range map[string]bool{"allocated": true, "random": false} {
		keys["job.mapping"] = mapping
		values, x := rowsOf(t, specWith(t, keys), metrics.Records{Series: true})
		if mapping == "allocated" && !maps.Equal(values, plain) {
			t.Errorf("with pairs a run has %v, without %v", values, plain)
		}
		columns := metrics.SeriesTable.Names()
		name := slices.Index(columns, metrics.PairColumn)
		states := map[string]string{}
		for _, row := range texts(x, metrics.SeriesTable) {
			states[row[name]] += fmt.Sprintln(row[name+1:])
		}
		if strings.Count(states["1:3>0"], "\n") < 200 || !strings.Contains(states["1:3>0"], "[0.") {
			t.Fatalf("%s: the pair has the states %s", mapping, states["1:3>0"])
		}
		var same []string
		for pair, text := range states {
			if pair != "1:3>0" && text == states["1:3>0"] {
				same = append(same, pair)
			}
		}
		if len(same) != 1 || own != (same[0] == "3>0") {
			t.Errorf("%s: the ranks 3 and 0 are the nodes %q", mapping, same)
		}
	}
}

// The entry latency and the entry blocking time of a run are the means of those of its jobs over
// packets, and of a job both exceed the network's own by the same wait for a slot in the router.
func TestEntryTimesOfJobsMakeThoseOfTheRun(t *testing.T) {
	s := configtest.Net(8, 8, 8)
	s.Allocator, s.Workload.Jobs, s.Job.Flits = "random", 60, 24
	m, x := rowsOf(t, s, withJobs)
	const rounded = 0.0005 // half of the last digit of a time in a row
	packets := jobColumn(t, x, "packets")
	var all float64
	for _, n := range packets {
		all += n
	}
	entry := map[string]float64{}
	for _, name := range []string{"entry_latency", "entry_blocking_time", "network_latency",
		"packet_blocking_time"} {
		sum := 0.0
		for i, v := range jobColumn(t, x, name) {
			if packets[i] > 0 {
				sum += v * packets[i]
			}
		}
		entry[name] = sum / all
		if math.Abs(entry[name]-m[name]) > rounded || !(m[name] > 0) {
			t.Errorf("%s: jobs make %v, the run has %v", name, entry[name], m[name])
		}
	}
	wait := entry["entry_latency"] - entry["network_latency"]
	if other := entry["entry_blocking_time"] - entry["packet_blocking_time"]; !(wait > 0) ||
		math.Abs(wait-other) > 2*rounded {
		t.Errorf("latencies differ by %v, blocking times by %v", wait, other)
	}
	waits := jobColumn(t, x, "entry_blocking_time")
	for i, blocked := range jobColumn(t, x, "packet_blocking_time") {
		if waits[i] < blocked {
			t.Errorf("job %d: entry_blocking_time %v, packet_blocking_time %v", i, waits[i], blocked)
		}
	}
}

// Three jobs by hand, of 3, 5 and 4 processors in row-major order on a mesh of 4 x 4 x 4. The
// first has nodes 0 to 2 and ends before the third comes, the second 3 to 7, the third 0 to 2 and
// 8. Their boxes are 3x1x1, 4x2x1 and 3x3x1, so that cubes have 27, 64 and 27 processors; spans
// are 3, 5 and 9, and the third job is in two parts. They are served for 20, 200 and 50 s.
func TestLocalityByHand(t *testing.T) {
	s := fcfsLog(t, [][3]float64{{0, 20, 3}, {0, 200, 5}, {30, 50, 4}})
	s.Machine.Dims, s.Allocator, s.Locality = []int{4, 4, 4}, allocatorOf("free-list"), true
	wantMetrics(t, runOf(t, s), map[string]float64{
		"span_ring": 17.0 / 3, "components": 4.0 / 3,
		"bounding_box": 20.0 / 3, "bounding_cube": 118.0 / 3,
		"bounding_box_per_processor":  (1 + 8/5.0 + 9/4.0) / 3,
		"bounding_cube_per_processor": (9 + 64/5.0 + 27/4.0) / 3,
		"box_side_sum_per_processor":  (5/3.0 + 7/5.0 + 7/4.0) / 3,
		"components_per_processor":    (1/3.0 + 1/5.0 + 2/4.0) / 3,
		"span_ring_max":               9, "span_ring_sum_of_squares": 9 + 25 + 81,
		"span_ring_weighted": (3*20 + 5*200 + 9*50) / 270.0,
		"stretch_span_max":   9 / 4.0, "stretch_span_sum_of_squares": 1 + 1 + 81/16.0,
		"stretch_span_weighted": (20 + 200 + 9/4.0*50) / 270,
		"bounding_box_max":      9, "bounding_box_sum_of_squares": 9 + 64 + 81,
		"bounding_cube_max": 64, "bounding_cube_weighted": (27*20 + 64*200 + 27*50) / 270.0,
		"box_side_sum_sum_of_squares": 25 + 49 + 49, "box_side_sum_weighted": 1850 / 270.0,
		"components_sum_of_squares": 6, "components_per_processor_max": 0.5,
	})
	s.WarmupJobs = 1
	wantMetrics(t, runOf(t, s), map[string]float64{"span_ring_sum_of_squares": 25 + 81,
		"bounding_box": 17.0 / 2})
	s.WarmupJobs, s.Locality = 0, false
	for name := range runOf(t, s) {
		if strings.HasSuffix(name, "_max") || strings.HasSuffix(name, "_of_squares") ||
			strings.HasSuffix(name, "_weighted") || strings.HasSuffix(name, "_per_processor") ||
			name == "bounding_box" || name == "bounding_cube" {
			t.Errorf("%s is measured unasked", name)
		}
	}
}
