package experiments

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config/configtest"
	"contend/internal/must"
	"contend/internal/table"
)

// partRows are the header and the rows of a part.
var partRows = [][]string{{"job", "nodes", "wait"}, {"1", "0,1", "12"}, {"2", `a "b"`, ""},
	{"3", "", "-7"}}

// readRows reads the text of a part.
func readRows(text []byte) ([][]string, error) {
	return csv.NewReader(NewPartReader("jobs.d/x.csv", bytes.NewReader(text))).ReadAll()
}

// A part is read as it was written. Whatever byte of it changes, the error names the line.
func TestPartsHaveChecksums(t *testing.T) {
	text := encodePart("jobs.d/x", partRows[0], table.TextRows(partRows[1:]))
	got, err := readRows(text)
	if d := cmp.Diff(partRows, got); d != "" || err != nil {
		t.Fatalf("%v\n-want +got:\n%s", err, d)
	}
	for i, c := range text {
		for _, other := range []byte{c ^ 1, '\n', ','} {
			if other == c {
				continue
			}
			changed := slices.Clone(text)
			changed[i] = other
			_, err := readRows(changed)
			line := 1 + bytes.Count(text[:i], []byte("\n"))
			configtest.MustBeInput(t, err)
			if err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("jobs.d/x.csv:%d: ", line)) &&
				c != '\n' && other != '\n' && line > 1 {
				t.Errorf("byte %d, %q for %q in line %d: %v", i, other, c, line, err)
			}
		}
	}
}

// Rows that are missing, twice, or in another order, and files that are cut off, are found.
func TestPartsAreWhole(t *testing.T) {
	text := encodePart("jobs.d/x", partRows[0], table.TextRows(partRows[1:]))
	lines := strings.SplitAfter(string(text), "\n")
	for _, c := range []struct {
		order []int
		want  string
	}{
		{[]int{0, 1, 2, 4}, "x.csv:4: the checksum of the line is"},
		{[]int{0, 1, 2, 3}, "x.csv:4: it has 2 of its 3 rows"},
		{[]int{0, 1, 2, 3, 3, 4}, "x.csv:5: the checksum"},
		{[]int{0, 1, 3, 2, 4}, "x.csv:3: the checksum"},
		{[]int{0}, "x.csv:1: it has 0 of its 3 rows"},
		{[]int{1, 2, 3, 4}, "x.csv:1: it does not begin with the number of its rows"},
		{nil, "x.csv:1: it does not begin"},
	} {
		part := ""
		for _, n := range c.order {
			part += lines[n]
		}
		if _, err := readRows([]byte(part)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("lines %v: %v, want %q", c.order, err, c.want)
		}
	}
	if _, err := readRows(text[:len(text)-1]); err == nil ||
		!strings.Contains(err.Error(), "x.csv:4: the last line has no end") {
		t.Errorf("cut off: %v", err)
	}
}

// A part of another run is refused, and one without a name, of an earlier program, is read.
func TestPartsNameTheirRun(t *testing.T) {
	text := encodePart("jobs.d/y", partRows[0], table.TextRows(partRows[1:]))
	if _, err := readRows(text); err == nil || !strings.Contains(err.Error(), "it is jobs.d/y") {
		t.Errorf("a part of another run: %v", err)
	}
	if _, err := readRows(bytes.Replace(text, []byte(" of jobs.d/y"), nil, 1)); err != nil {
		t.Errorf("a part without a name: %v", err)
	}
	f := &Folder{Dir: t.TempDir()}
	log := appendChecksum([]byte("; " + runNote("jobs.d/h-0001") + "\n1 0 5\n"))
	must.Have(0, os.MkdirAll(filepath.Join(f.Dir, "jobs.d"), 0o777))
	must.Have(0, os.WriteFile(f.LogPath(RunKey{"h", 0}), log, 0o600))
	if _, err := f.ReadLogPart(RunKey{"h", 0}); err == nil ||
		!strings.Contains(err.Error(), "it is of another run") {
		t.Errorf("a log of another run: %v", err)
	}
}

// A file that is no part is not replaced by one, and a part that a killed run has left is.
func TestPartsReplacePartsAlone(t *testing.T) {
	f, key := &Folder{Dir: t.TempDir()}, RunKey{"ab", 0}
	write := func() error {
		return f.WritePart("links", key, partRows[0], table.TextRows(partRows[1:]))
	}
	must.Have(0, write())
	must.Have(0, write())
	must.Have(0, os.WriteFile(f.PartPath("links", key), []byte("mine"), 0o600))
	configtest.MustBeInput(t, write())
	if text := must.Have(os.ReadFile(f.PartPath("links", key))); string(text) != "mine" {
		t.Errorf("the file is %q", text)
	}
}

// The log of a run ends with its checksum.
func TestLogPartsHaveChecksums(t *testing.T) {
	f, key := &Folder{Dir: t.TempDir()}, RunKey{"h", 0}
	must.Have(0, os.MkdirAll(filepath.Join(f.Dir, "jobs.d"), 0o777))
	whole := appendChecksum([]byte("; Version: 2.2\n; " + runNote("jobs.d/h-0000") + "\n1 0 5\n2 7 9\n"))
	for i := range len(whole) + 1 {
		text := slices.Clone(whole)
		if i < len(whole) {
			text[i] ^= 1
		}
		must.Have(0, os.WriteFile(f.LogPath(key), text, 0o600))
		if _, err := f.ReadLogPart(key); (err == nil) != (i == len(whole)) {
			t.Errorf("byte %d: %v", i, err)
		}
	}
}
