package experiments

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/metrics"
	"contend/internal/linesum"
)

// storedLine is the line of a run with one metric.
func storedLine(t *testing.T, hash string, replication int, metric string, value float64) string {
	t.Helper()
	line, err := appendRecord(nil, &Record{Hash: hash, Replication: replication, Version: "v",
		Metrics: metrics.Result{Metrics: []metrics.Metric{{Name: metric, Value: value}}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

// summed gives a text the checksum of a line.
func summed(body string) string {
	return string(linesum.End([]byte(body)))
}

// readText reads a file of runs with a text.
func readText(t *testing.T, text, program string) (*Folder, error) {
	t.Helper()
	f := &Folder{Dir: t.TempDir(), Records: map[RunKey]Record{}, names: config.BuiltinNames()}
	if err := os.WriteFile(filepath.Join(f.Dir, RunsFile), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := f.read(program, "start anew")
	return f, err
}

// A line of which any bit has changed is refused, the end of the last one aside: that is a line
// which a killed program has not finished.
func TestEveryChangedBitIsNoticed(t *testing.T) {
	text := storedLine(t, "0a", 0, "finish_time", 1234.5) + storedLine(t, "0a", 1, "jobs", 30)
	dir := t.TempDir()
	path := filepath.Join(dir, RunsFile)
	for i := range text {
		for bit := range 8 {
			changed := []byte(text)
			changed[i] ^= 1 << bit
			if err := os.WriteFile(path, changed, 0o666); err != nil {
				t.Fatal(err)
			}
			f := &Folder{Dir: dir, Records: map[RunKey]Record{}, names: config.BuiltinNames()}
			_, err := f.read("", "")
			if i == len(text)-1 && len(f.Records) == 1 && err == nil {
				continue
			}
			if err == nil {
				t.Fatalf("read without a word: %q", changed)
			}
			configtest.MustBeInput(t, err)
			if !strings.Contains(err.Error(), RunsFile+":1:1: ") &&
				!strings.Contains(err.Error(), RunsFile+":2:1: ") {
				t.Fatalf("without file and line: %v", err)
			}
		}
	}
}

func TestLinesThatAreRefused(t *testing.T) {
	first := storedLine(t, "0a", 0, "finish_time", 1)
	old := `{"hash":"0a","replication":1,"version":"v","metrics":{"jobs":1}}` + "\n"
	for name, c := range map[string]struct{ text, program, want string }{
		"two results of a run": {first + storedLine(t, "0a", 0, "finish_time", 2), "v",
			":2:1: the run 0a, replication 0, has another result than in line 1: delete both lines"},
		"two results by metrics": {first + storedLine(t, "0a", 0, "jobs", 1), "v",
			":2:1: the run 0a, replication 0, has another result than in line 1"},
		"a metric that is not known": {first +
			summed(`{"hash":"0a","replication":1,"version":"v","metrics":{"finish_tome":1}`), "v",
			`:2:1: its metric is "finish_tome", which this program does not measure: delete the line`},
		"a hash that leaves the folder": {
			summed(`{"hash":"../a","replication":1,"version":"v","metrics":{"jobs":1}`), "v",
			`:1:1: the line is damaged, "../a" is no hash of a spec`},
		"a negative replication": {
			summed(`{"hash":"a","replication":-1,"version":"v","metrics":{"jobs":1}`), "v",
			`:1:1: the line is damaged, it is of replication -1 of the spec "a"`},
		"a line without checksum": {first + old, "v",
			":2:1: the line is damaged, it has no checksum: delete the line"},
		"another program's": {first, "w",
			":1:1: the run was made by another program (v), not by w: start anew"},
		"a last line of rubbish": {first + "{}\n", "v", ":2:1: the line is damaged"},
	} {
		_, err := readText(t, c.text, c.program)
		configtest.MustBeInput(t, err)
		if !strings.Contains(fmt.Sprint(err), RunsFile+c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}
