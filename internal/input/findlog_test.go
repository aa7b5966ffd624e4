package input

import (
	"os"
	"path/filepath"
	"testing"
)

// A log is found with or without its suffixes; of other versions of a log that
// is not there the newest is taken, cleaned for cleaned.
func TestFindTrace(t *testing.T) {
	old, fresh := t.TempDir(), t.TempDir()
	for dir, names := range map[string][]string{
		old: {"A-B-1996-2.1-cln.swf", "A-B-1996-9-cln.swf.gz", "plain.swf", "C-2000-1.swf.gz",
			"C-2000-1.swf"},
		fresh: {"A-B-1996-10.1-cln.swf.gz", "A-B-1996-11.swf", "A-B-1997-12-cln.swf",
			"A-B-1996-12-cln.txt", "packed.swf.gz"},
	} {
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Mkdir(filepath.Join(old, "packed"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"plain": "plain.swf", "plain.swf": "plain.swf", "plain.swf.gz": "plain.swf",
		"packed": "packed.swf.gz", "packed.swf": "packed.swf.gz", "else/packed.swf.gz": "packed.swf.gz",
		"A-B-1996-2.1-cln": "A-B-1996-2.1-cln.swf", // which is there
		"A-B-1996-3-cln":   "A-B-1996-10.1-cln.swf.gz", "A-B-1996-99-cln.swf": "A-B-1996-10.1-cln.swf.gz",
		"A-B-1996-3.swf": "A-B-1996-11.swf", "C-2000-1.1": "C-2000-1.swf",
		"A-B-1998-3.swf": "", "B-1996-2.1-cln.swf": "", "none": "", "": "",
	} {
		path, err := FindTrace(name, []string{old, fresh})
		if got := BaseName(path); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %s, %v; want %s", name, path, err, want)
		}
	}
}
