package experiments

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/study"
	"contend/internal/must"
	"contend/internal/written"
)

// storedStudy is a small study of two points.
const storedStudy = "name = \"kept\"\ntitle = \"Sizes\"\n[machine]\ndims = [4, 4]\n[workload]\n" +
	"jobs = 10\n[[axes]]\nkey = \"allocator\"\nvalues = [\"mbs\", \"random\"]\n"

// stored puts the first run of a study into a folder.
func stored(t *testing.T, dir, text string, flags ...string) error {
	t.Helper()
	st := must.Have(study.Parse("kept.toml", text, config.Builtin()))
	must.Have(0, setKeys(st, flags...))
	must.Have(0, st.Check())
	f, err := OpenFolder(written.In(dir), st, "v", config.Builtin())
	if err != nil {
		return err
	}
	points := must.Have(st.Points())
	must.Have(0, f.appendLine(Record{Hash: points[0].Hash, Version: "v"}))
	return f.Close()
}

// A spec.toml that a user wrote is neither replaced nor removed.
func TestStudyOfTheUserIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, specFile)
	must.Have(0, os.WriteFile(path, []byte(storedStudy), 0o666))
	must.Have(0, ClearFolder(dir))
	err := stored(t, dir, storedStudy)
	configtest.MustBeInput(t, err)
	const want = "has a spec.toml that contend run has not written"
	if !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != storedStudy {
		t.Errorf("it has become %s", text)
	}
}

// A folder has the runs of one study. Flags that change a key of all points make another one, which
// is refused with what differs and leaves everything as it was; more replications and more values
// on an axis do not.
func TestFolderHoldsOneStudy(t *testing.T) {
	wider := strings.Replace(storedStudy, `"random"`, `"random", "first-fit"`, 1)
	larger := strings.Replace(storedStudy, "jobs = 10", "jobs = 12", 1)
	for _, c := range []struct {
		name, text, flag, want string
	}{
		{"a key", storedStudy, "network.preset=hdr",
			"of another study kept, none of which is one of this study (that one has no flags, this " +
				"one --set network.preset=hdr)"},
		{"the seed", storedStudy, "runs.seed=2", "(runs.seed: 1 there, 2 here)"},
		{"the file", larger, "runs.replications=3", "(workload.jobs: 10 there, 12 here)"},
		{"replications", storedStudy, "runs.replications=20", ""},
		{"a value", wider, "runs.confidence=0.9", ""},
	} {
		dir := t.TempDir()
		must.Have(0, stored(t, dir, storedStudy, "runs.replications=3"))
		before, _ := os.ReadFile(filepath.Join(dir, specFile))
		err := stored(t, dir, c.text, c.flag)
		after, _ := os.ReadFile(filepath.Join(dir, specFile))
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		configtest.MustBeInput(t, err)
		if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "--fresh") {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if string(before) != string(after) {
			t.Errorf("%s: spec.toml is replaced", c.name)
		}
	}
}
