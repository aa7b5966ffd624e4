package experiments

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/must"
	"contend/internal/written"
)

// storedLine is the line of a run with one metric.
func storedLine(hash string, replication int, metric string, value float64) string {
	r := runOf(metric, value)
	r.Hash, r.Replication, r.Version = hash, replication, "v"
	return string(must.Have(appendRecord(nil, &r)))
}

// summed gives a text the checksum of a line.
func summed(body string) string {
	return string(written.AppendSum([]byte(body)))
}

// readText reads a file of runs with a text.
func readText(dir, text, program string) (*Folder, error) {
	f := &Folder{Dir: dir, Records: map[RunKey]Record{}, names: config.Builtin()}
	must.Have(0, os.WriteFile(filepath.Join(dir, RunsFile), []byte(text), 0o666))
	_, err := f.readRuns(program, "start anew")
	return f, err
}

// A line of which any bit has changed is refused, the end of the last one aside: that is a line
// which a killed program has not finished.
func TestEveryChangedBitIsNoticed(t *testing.T) {
	text := storedLine("0a", 0, "finish_time", 1234.5) + storedLine("0a", 1, "jobs", 30)
	dir := t.TempDir()
	for i := range text {
		for bit := range 8 {
			changed := []byte(text)
			changed[i] ^= 1 << bit
			f, err := readText(dir, string(changed), "")
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
	first := storedLine("0a", 0, "finish_time", 1)
	old := `{"hash":"0a","replication":1,"version":"v","metrics":{"jobs":1}}` + "\n"
	for name, c := range map[string]struct{ text, program, want string }{
		"two results of a run": {first + storedLine("0a", 0, "finish_time", 2), "v",
			":2:1: the run 0a, replication 0, has another result than in line 1: delete both lines"},
		"two results by metrics": {first + storedLine("0a", 0, "jobs", 1), "v",
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
		_, err := readText(t.TempDir(), c.text, c.program)
		configtest.MustBeInput(t, err)
		if !strings.Contains(fmt.Sprint(err), RunsFile+c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}
