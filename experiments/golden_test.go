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

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/studies"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/papertest"
)

// The golden files hold every metric of every run of every built-in study in small, and of the
// studies of testdata/cases, of every kind of network, engine, allocator and policy. They guard
// changes that must keep all results. They are the same on every processor, as runs.jsonl is.
// A change that is meant to alter results rewrites them:
//
//	go test -tags long ./experiments -run Golden -update

var updateGolden = flag.Bool("update", false, "rewrite the golden files of the studies")

// goldenCut is what makes a study smaller than --quick does, in the words of the command line, so
// that all studies together take about 25 s of one processor. No cut leaves out an axis.
type goldenCut struct {
	trace string   // --trace
	sets  []string // --set
}

var goldenCuts = map[string]goldenCut{
	"bender-procsimity":   {sets: []string{"workload.jobs=300", "runs.replications=1"}},
	"bender-table1":       {"KTH-SP2-1996-2.swf.gz", []string{"machine.dims=[10,10]"}},
	"booksim":             {sets: []string{"workload.window_cycles=2000", "runs.replications=1"}},
	"booksim-channels":    {sets: []string{"workload.window_cycles=1000", "runs.replications=1"}},
	"caminos":             {sets: []string{"workload.window_cycles=1000", "runs.replications=1"}},
	"caminos-placement":   {sets: []string{"runs.replications=1"}},
	"codes":               {sets: []string{"workload.window_cycles=1000"}},
	"demo":                {"KTH-SP2-1996-2.swf.gz", nil},
	"gabl":                {sets: []string{"workload.jobs=15"}},
	"johnson-fig4":        {sets: []string{"workload.jobs=500"}},
	"leung-fig3":          {sets: []string{"runs.replications=1"}},
	"leung-table1":        {sets: []string{"runs.replications=1"}},
	"llama-lulesh":        {sets: []string{"runs.replications=1"}},
	"lo-fig5-8":           {sets: []string{"runs.replications=1"}},
	"lo-sensitivity":      {sets: []string{"workload.jobs=10", "runs.replications=1"}},
	"lo-table2":           {sets: []string{"workload.jobs=40", "runs.replications=1"}},
	"lo-table2-npb-mg":    {sets: []string{"workload.jobs=40", "runs.replications=1"}},
	"pascual-break-even":  {sets: []string{"workload.jobs=2000", "workload.window=2000"}},
	"pascual-closed-loop": {sets: []string{"workload.jobs=100", "runs.replications=1"}},
	"pascual-fig2":        {sets: []string{"runs.replications=1"}},
	"pascual-fig4-7":      {sets: []string{"workload.jobs=2000"}},
	"training-cluster":    {sets: []string{"runs.replications=1"}},
}

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
func (c goldenCut) study(name string) (*study.Study, error) {
	names := config.BuiltinNames()
	if strings.HasPrefix(name, "cases/") {
		return study.Load(filepath.Join("testdata", name+".toml"), names)
	}
	st, err := study.Load(name, names)
	if err == nil {
		err = st.UseQuick(names)
	}
	if err == nil && c.trace != "" {
		err = st.UseTrace(c.trace, names)
	}
	for _, s := range c.sets {
		if key, value, _ := strings.Cut(s, "="); err == nil {
			err = st.Set(key, value, names)
		}
	}
	if err == nil {
		err = st.Check(names)
	}
	return st, err
}

// heavy are the studies that TestLongGolden takes. What is left to TestGolden has every source of
// jobs and every way to run a job, on most topologies.
var heavy = []string{"bender-table1", "closed-loop-hpc2n", "closed-loop-nasa", "jump-accuracy-tree",
	"leung-fig3", "leung-table1", "lo-sensitivity", "lo-table1", "lo-table2", "lo-table2-npb-mg",
	"pascual-break-even", "pascual-closed-loop", "pascual-fig3", "pascual-fig4-7", "time-scale",
	"training-cluster"}

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

func checkGoldens(t *testing.T, names []string) {
	t.Helper()
	simulator := &sim.Simulator{TraceDirs: []string{filepath.Join("..", "..", "shared", "traces")}}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			st, err := goldenCuts[name].study(name)
			if err != nil {
				t.Fatal(err)
			}
			want, err := readGolden(goldenFile(name))
			if err != nil && !(*updateGolden && errors.Is(err, fs.ErrNotExist)) {
				t.Fatal(err)
			}
			got, err := runGolden(simulator, st)
			if err != nil {
				t.Fatal(err)
			}
			missing := want.without(got, simulator.TraceDirs)
			if *updateGolden {
				if err := got.write(goldenFile(name), name, missing); err != nil {
					t.Fatal(err)
				}
				return
			}
			for i, difference := range want.differences(got, missing) {
				if i == 10 {
					t.Error("and more")
					break
				}
				t.Error(difference)
			}
			if len(missing) > 0 && !t.Failed() {
				papertest.NoLog(t, fmt.Sprintf("%s; %d of %d runs were compared", missing[0].log,
					len(got), len(want)))
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

func goldenFile(study string) string {
	return filepath.Join("testdata", "golden", study+".txt")
}

// goldenRow is a run: its point, its replication, the log that was read, and its metrics in the
// shortest digits that hold the value.
type goldenRow struct {
	point, replication, log string
	metrics                 map[string]string
}

func (r goldenRow) key() string { return r.point + "\t" + r.replication + "\t" + r.log }

type goldenRows []goldenRow

func (rows goldenRows) find(key string) (goldenRow, bool) {
	i := slices.IndexFunc(rows, func(r goldenRow) bool { return r.key() == key })
	if i < 0 {
		return goldenRow{}, false
	}
	return rows[i], true
}

// runGolden makes the runs of a study one after the other, but for those whose log is missing.
func runGolden(simulator *sim.Simulator, st *study.Study) (goldenRows, error) {
	points, err := st.Points(config.BuiltinNames())
	if err != nil {
		return nil, err
	}
	var rows goldenRows
	for _, p := range points {
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
			result, err := configtest.Run(context.Background(), simulator.Run, p.Spec, n, nil)
			if err != nil {
				return nil, err
			}
			row := goldenRow{strings.Join(p.Labels, " | "), strconv.Itoa(n), log,
				map[string]string{}}
			for _, m := range result.Metrics {
				if v, ok := result.Value(m.Name); ok {
					row.metrics[m.Name] = strconv.FormatFloat(v, 'g', -1, 64)
				}
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// without lists the rows that were not run for want of their log.
func (rows goldenRows) without(got goldenRows, folders []string) goldenRows {
	var missing goldenRows
	for _, r := range rows {
		if r.log == "" {
			continue
		}
		path, err := input.FindTrace(r.log, folders)
		if _, ran := got.find(r.key()); !ran && (err != nil || input.BaseName(path) != r.log) {
			missing = append(missing, r)
		}
	}
	return missing
}

// differences says what got has otherwise, missing aside.
func (rows goldenRows) differences(got, missing goldenRows) []string {
	var out []string
	for _, want := range rows {
		if _, ok := missing.find(want.key()); ok {
			continue
		}
		have, ok := got.find(want.key())
		if !ok {
			out = append(out, fmt.Sprintf("%q is no run of the study", want.key()))
			continue
		}
		var changed []string
		for _, m := range goldenColumns(goldenRows{want, have}) {
			if want.metrics[m] != have.metrics[m] {
				text := fmt.Sprintf("%s %q, golden %q", m, have.metrics[m], want.metrics[m])
				changed = append(changed, text)
			}
		}
		if changed != nil {
			out = append(out, fmt.Sprintf("%q: %s", want.key(), strings.Join(changed, "; ")))
		}
	}
	for _, have := range got {
		if _, ok := rows.find(have.key()); !ok {
			out = append(out, fmt.Sprintf("%q is in no golden; -update adds it", have.key()))
		}
	}
	return out
}

// goldenColumns lists the metrics of the rows, in the order of the manual; others follow.
func goldenColumns(rows goldenRows) []string {
	var columns, others []string
	for _, info := range metrics.MetricInfos() {
		if slices.ContainsFunc(rows, func(r goldenRow) bool { return r.metrics[info.Name] != "" }) {
			columns = append(columns, info.Name)
		}
	}
	for _, r := range rows {
		for m := range r.metrics {
			if !slices.Contains(columns, m) && !slices.Contains(others, m) {
				others = append(others, m)
			}
		}
	}
	slices.Sort(others)
	return append(columns, others...)
}

// write makes the golden file of what was run and of what could not be.
func (rows goldenRows) write(file, study string, missing goldenRows) error {
	rows = append(slices.Clone(rows), missing...)
	columns := goldenColumns(rows)
	var b bytes.Buffer
	flags := " " + goldenCuts[study].flags()
	if strings.HasPrefix(study, "cases/") {
		study, flags = "testdata/"+study+".toml", ""
	}
	fmt.Fprintf(&b, "# contend run %s%s\n", study, flags)
	fmt.Fprintf(&b, "point\treplication\tlog\t%s\n", strings.Join(columns, "\t"))
	for _, r := range rows {
		fmt.Fprint(&b, r.key())
		for _, m := range columns {
			fmt.Fprint(&b, "\t", r.metrics[m])
		}
		fmt.Fprintln(&b)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}

func readGolden(file string) (goldenRows, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) < 3 {
		return nil, fmt.Errorf("%s holds no runs", file)
	}
	header := strings.Split(lines[1], "\t")
	var rows goldenRows
	for i, line := range lines[2:] {
		fields := strings.Split(line, "\t")
		if len(fields) != len(header) {
			return nil, fmt.Errorf("%s:%d: %d fields, want %d", file, i+3, len(fields), len(header))
		}
		r := goldenRow{fields[0], fields[1], fields[2], map[string]string{}}
		for k := 3; k < len(fields); k++ {
			if fields[k] != "" {
				r.metrics[header[k]] = fields[k]
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}
