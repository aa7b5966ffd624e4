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

// Another study of the same name does not replace the tables of a folder without a word.
func TestAnotherStudyOfTheSameNameIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := stored(t, dir, storedStudy); err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(storedStudy, "4, 4", "8, 8", 1)
	other = strings.Replace(other, "Sizes", "Larger", 1)
	before := spectest.ReadTree(t, dir)
	err := stored(t, dir, other)
	spectest.MustBeInput(t, err)
	for _, want := range []string{dir +
		" holds runs of another study kept (\"Sizes\", file ",
		"none of which is one of this study (\"Larger\", file ",
		"): choose another folder with -o, or start this one anew with --fresh"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	if after := spectest.ReadTree(t, dir); after["/spec.toml"] != before["/spec.toml"] {
		t.Error("the study of the folder has changed")
	}
	if err := ClearFolder(dir); err != nil {
		t.Fatal(err)
	}
	if err := stored(t, dir, other); err != nil {
		t.Errorf("started anew: %v", err)
	}
}

// A study stays the same one with other flags, as its own resolved text, and with values added.
func TestTheSameStudyIsNoOther(t *testing.T) {
	dir := t.TempDir()
	if err := stored(t, dir, storedStudy); err != nil {
		t.Fatal(err)
	}
	if err := stored(t, dir, storedStudy, "workload.jobs=11"); err != nil {
		t.Errorf("with flags: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, specFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := stored(t, dir, storedStudy); err != nil {
		t.Errorf("without them: %v", err)
	}
	if err := stored(t, dir, string(text), "workload.jobs=12"); err != nil {
		t.Errorf("as its resolved text: %v", err)
	}
	if err := stored(t, dir, strings.Replace(storedStudy, `"mbs", `, `"mbs", "mm", `, 1)); err != nil {
		t.Errorf("with values added: %v", err)
	}
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
