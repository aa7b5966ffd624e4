package experiments

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/studies"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/must"
	"contend/internal/papertest"
)

// The golden files hold every metric of every run of every built-in study in small, and of the
// studies of testdata/cases, of every kind of network, engine, allocator and policy. They guard
// changes that must keep all results. They are the same on every processor, as runs.jsonl is.
// A change that is meant to alter results rewrites them:
//
//	go test -tags long ./experiments -run Golden -update

// updateGolden makes the tests rewrite the golden files.
var updateGolden = flag.Bool("update", false, "rewrite the golden files of the studies")

// goldenCut is what makes a study smaller than --quick does, in the words of the command line, so
// that all studies together take about 25 s of one processor. No cut leaves out an axis.
type goldenCut struct {
	trace string   // --trace
	sets  []string // --set
}

// goldenCuts has the cuts of studies that need one.
var goldenCuts = map[string]goldenCut{
	"bender-procsimity": {sets: []string{"workload.jobs=300", "runs.replications=1"}},
	"bender-table1":     {"KTH-SP2-1996-2.swf.gz", []string{"machine.dims=[10,10]"}},
	"booksim":           {sets: []string{"workload.window_cycles=2000", "runs.replications=1"}},
	"booksim-channels":  {sets: []string{"workload.window_cycles=1000", "runs.replications=1"}},
	"caminos":           {sets: []string{"workload.window_cycles=1000", "runs.replications=1"}},
	"caminos-placement": {sets: []string{"runs.replications=1"}},
	"codes":             {sets: []string{"workload.window_cycles=1000"}},
	"demo":              {"KTH-SP2-1996-2.swf.gz", nil},
	"gabl":              {sets: []string{"workload.jobs=15"}},
	"gpcnet-slingshot":  {sets: []string{"runs.replications=1"}},
	"incast": {sets: []string{"workload.warmup_cycles=20000", "workload.window_cycles=5000",
		"runs.replications=1"}},
	"insee":               {sets: []string{"workload.window_cycles=1000", "runs.replications=1"}},
	"insee-placement":     {sets: []string{"job.scale=0.001"}},
	"johnson-fig4":        {sets: []string{"workload.jobs=500"}},
	"leung-fig3":          {sets: []string{"runs.replications=1"}},
	"leung-table1":        {sets: []string{"runs.replications=1"}},
	"llama-lulesh":        {sets: []string{"runs.replications=1"}},
	"lo-fig5-8":           {sets: []string{"runs.replications=1"}},
	"lo-load":             {sets: []string{"workload.jobs=20", "workload.side.max=4"}},
	"lo-sensitivity":      {sets: []string{"workload.jobs=10", "runs.replications=1"}},
	"lo-table2":           {sets: []string{"workload.jobs=40", "runs.replications=1"}},
	"lo-table2-npb-mg":    {sets: []string{"workload.jobs=40", "runs.replications=1"}},
	"lo-table2-readings":  {sets: []string{"workload.jobs=8", "runs.replications=1"}},
	"pascual-break-even":  {sets: []string{"workload.jobs=2000", "workload.window=2000"}},
	"pascual-closed-loop": {sets: []string{"workload.jobs=100", "runs.replications=1"}},
	"pascual-fig2":        {sets: []string{"runs.replications=1"}},
	"pascual-fig4-7":      {sets: []string{"workload.jobs=2000"}},
	"training-cluster":    {sets: []string{"runs.replications=1"}},
	"victims":             {sets: []string{"job.flits=4 KiB", "runs.replications=1"}},
}

// flags returns the flags of contend run that make the cut.
func (c goldenCut) flags() string {
	text := "--quick"
	if c.trace != "" {
		text += " --trace " + c.trace
	}
	for _, s := range c.sets {
		text += " --set " + s
	}
	return text
}

// study loads a study and applies the flags in the order the command line does. A case is a file
// and runs whole.
func (c goldenCut) study(name string) *study.Study {
	names := config.Builtin()
	if strings.HasPrefix(name, "cases/") {
		return must.Have(study.Load(filepath.Join("testdata", name+".toml"), names))
	}
	st := must.Have(study.Load(name, names))
	must.Have(0, st.UseQuick())
	if c.trace != "" {
		must.Have(0, st.UseTrace(c.trace))
	}
	must.Have(0, setKeys(st, c.sets...))
	must.Have(0, st.Check())
	return st
}

// heavy are the studies that TestLongGolden takes. What is left to TestGolden has every source of
// jobs and every way to run a job, on most topologies.
var heavy = []string{"bender-table1", "booksim-channels", "closed-loop-hpc2n", "closed-loop-kth",
	"closed-loop-nasa", "codes", "fast-forward-coverage", "gabl", "insee-placement",
	"johnson-fig15", "jump-accuracy-tree", "leung-fig3", "leung-table1", "lo-load", "lo-sensitivity", "lo-table1",
	"lo-table2", "lo-table2-npb-mg", "lo-table2-readings", "pascual-break-even", "pascual-closed-loop",
	"pascual-fig3", "pascual-fig4-7", "testbed-crab", "time-scale", "training-cluster"}

func TestGolden(t *testing.T) {
	checkGoldens(t, slices.DeleteFunc(append(studies.Names(), caseNames(t)...),
		func(name string) bool { return slices.Contains(heavy, name) }))
}

// caseNames lists the studies of testdata/cases as cases/NAME.
func caseNames(t *testing.T) (names []string) {
	files, err := filepath.Glob(filepath.Join("testdata", "cases", "*.toml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	for _, f := range files {
		names = append(names, "cases/"+strings.TrimSuffix(filepath.Base(f), ".toml"))
	}
	return names
}

// checkGoldens compares the runs of studies with their golden files, or rewrites these.
func checkGoldens(t *testing.T, names []string) {
	t.Helper()
	simulator := &sim.Simulator{TraceDirs: []string{filepath.Join("..", "..", "shared", "traces")}}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			want, err := readGolden(goldenFile(name))
			if err != nil && !(*updateGolden && errors.Is(err, fs.ErrNotExist)) {
				t.Fatal(err)
			}
			got := runGolden(simulator, goldenCuts[name].study(name))
			missing := want.missing(got, simulator.TraceDirs)
			if *updateGolden {
				for _, key := range missing {
					got.add(key, want.metrics[key])
				}
				must.Have(0, got.write(goldenFile(name), name))
				return
			}
			for _, key := range missing {
				delete(want.metrics, key)
			}
			if d := cmp.Diff(want.metrics, got.metrics); d != "" {
				t.Errorf("-golden +got:\n%s", d)
			} else if len(missing) > 0 {
				papertest.NoLog(t, fmt.Sprintf("%s; %d of %d runs were compared", logOf(missing[0]),
					len(got.keys), len(want.keys)))
			}
		})
	}
}

// Goldens of studies that are no longer there guard nothing.
func TestEveryGoldenHasItsStudy(t *testing.T) {
	for kind, names := range map[string][]string{"*": studies.Names(), "cases/*": caseNames(t)} {
		files, err := filepath.Glob(goldenFile(kind))
		if err != nil || len(files) != len(names) {
			t.Errorf("%d golden files of %d studies, %v", len(files), len(names), err)
		}
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(goldenCuts)), heavy) {
		if !slices.Contains(studies.Names(), name) {
			t.Errorf("there is no study %s", name)
		}
	}
}

// goldenFile returns the path of the golden file of a study.
func goldenFile(study string) string {
	return filepath.Join("testdata", "golden", study+".txt")
}

// goldenRuns are the metrics of the runs of a study in the shortest digits that hold the value. The
// key of a run is its point, its replication, and the log that was read, with tabs between.
type goldenRuns struct {
	keys    []string
	metrics map[string]map[string]string
}

// add appends a run.
func (g *goldenRuns) add(key string, values map[string]string) {
	g.keys = append(g.keys, key)
	g.metrics[key] = values
}

// logOf returns the log in a key.
func logOf(key string) string { return key[strings.LastIndexByte(key, '\t')+1:] }

// runGolden makes the runs of a study one after the other, but for those whose log is missing.
func runGolden(simulator *sim.Simulator, st *study.Study) *goldenRuns {
	g := &goldenRuns{metrics: map[string]map[string]string{}}
	for _, p := range must.Have(st.Points()) {
		log, replications := "", st.Runs.Replications
		if p.Spec.Workload.Source == "swf" {
			path, err := input.FindTrace(p.Spec.Workload.Trace, simulator.TraceDirs)
			if err != nil {
				continue
			}
			log = input.BaseName(path)
		}
		if p.Once {
			replications = 1
		}
		for n := range replications {
			result := must.Have(configtest.Run(context.Background(), simulator.Run, p.Spec, n,
				&sim.Extra{Slowdown: true}))
			values := map[string]string{}
			for _, m := range result.Metrics {
				if v, ok := result.Value(m.Name); ok {
					values[m.Name] = strconv.FormatFloat(v, 'g', -1, 64)
				}
			}
			g.add(fmt.Sprintf("%s\t%d\t%s", strings.Join(p.Labels, " | "), n, log), values)
		}
	}
	return g
}

// missing lists the runs that were not made for want of their log.
func (g *goldenRuns) missing(got *goldenRuns, folders []string) (keys []string) {
	for _, key := range g.keys {
		if got.metrics[key] == nil && logOf(key) != "" {
			path, err := input.FindTrace(logOf(key), folders)
			if err != nil || input.BaseName(path) != logOf(key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// columns lists the metrics of the runs, in the order of the manual; others follow.
func (g *goldenRuns) columns() (columns []string) {
	used := map[string]bool{}
	for _, values := range g.metrics {
		for name := range values {
			used[name] = true
		}
	}
	for _, info := range metrics.MetricInfos() {
		if used[info.Name] {
			columns = append(columns, info.Name)
			delete(used, info.Name)
		}
	}
	return append(columns, slices.Sorted(maps.Keys(used))...)
}

// write makes the golden file of a study.
func (g *goldenRuns) write(file, study string) error {
	columns := g.columns()
	var b bytes.Buffer
	flags := " " + goldenCuts[study].flags()
	if strings.HasPrefix(study, "cases/") {
		study, flags = "testdata/"+study+".toml", ""
	}
	fmt.Fprintf(&b, "# contend run %s%s\n", study, flags)
	fmt.Fprintf(&b, "point\treplication\tlog\t%s\n", strings.Join(columns, "\t"))
	for _, key := range g.keys {
		b.WriteString(key)
		for _, m := range columns {
			b.WriteString("\t" + g.metrics[key][m])
		}
		b.WriteByte('\n')
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}

// readGolden reads a golden file.
func readGolden(file string) (*goldenRuns, error) {
	g := &goldenRuns{metrics: map[string]map[string]string{}}
	text, err := os.ReadFile(file)
	if err != nil {
		return g, err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) < 3 {
		return g, fmt.Errorf("%s holds no runs", file)
	}
	header := strings.Split(lines[1], "\t")
	for i, line := range lines[2:] {
		fields := strings.Split(line, "\t")
		if len(fields) != len(header) {
			return g, fmt.Errorf("%s:%d: %d fields, want %d", file, i+3, len(fields), len(header))
		}
		values := map[string]string{}
		for k, v := range fields[3:] {
			if v != "" {
				values[header[k+3]] = v
			}
		}
		g.add(strings.Join(fields[:3], "\t"), values)
	}
	return g, nil
}
