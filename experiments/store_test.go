package experiments

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
	"contend/experiments/study"
)

const storedStudy = "name = \"kept\"\ntitle = \"Sizes\"\n[machine]\ndims = [4, 4]\n[workload]\n" +
	"jobs = 10\n[[axes]]\nkey = \"allocator\"\nvalues = [\"mbs\", \"random\"]\n"

// stored puts the first run of a study into a folder.
func stored(t *testing.T, dir, text string, flags ...string) error {
	t.Helper()
	st := parsed(t, text, flags...)
	f, err := OpenFolder(dir, st, "v", spec.BuiltinNames())
	if err != nil {
		return err
	}
	points, err := st.Points(spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	if err := f.append(Record{Hash: points[0].Hash, Version: "v"}); err != nil {
		t.Fatal(err)
	}
	return f.Close()
}

// parsed is a study with keys that flags set.
func parsed(t *testing.T, text string, flags ...string) *study.Study {
	t.Helper()
	st, err := study.Parse("kept.toml", text, spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	for _, flag := range flags {
		key, value, _ := strings.Cut(flag, "=")
		if err := st.Set(key, value, spec.BuiltinNames()); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Check(spec.BuiltinNames()); err != nil {
		t.Fatal(err)
	}
	return st
}

// A spec.toml that a user wrote is neither replaced nor removed.
func TestStudyOfTheUserIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, specFile)
	if err := os.WriteFile(path, []byte(storedStudy), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := ClearFolder(dir); err != nil {
		t.Fatal(err)
	}
	err := stored(t, dir, storedStudy)
	spectest.MustBeInput(t, err)
	const want = "has a spec.toml that contend run has not written"
	if !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
	if text, _ := os.ReadFile(path); string(text) != storedStudy {
		t.Errorf("it has become %s", text)
	}
}
