package scheduler

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// small is a log with a header, a comment among the jobs, an unknown estimate,
// and processors in field 8 only.
const small = "; Version: 2.2\r\n;MaxNodes: 50\n; MaxProcs: 100\n;  Note: a: b\n\n" +
	"  1  0 10 100.5 4 -1 -1 8 200 -1 1 1 1 -1 -1 -1 -1 -1\r\n" +
	"; half-way\n" +
	"2\t5 -1 20 -1 -1 -1 8 -1 -1 1 1 1 -1 -1 -1 -1 -1\n" +
	"3 5 -1 0 1 -1 -1 1 60 -1 5 1 1 -1 -1 -1 -1 -1"

func readString(text string) (*SWF, error) {
	return ReadSWF("log.swf", strings.NewReader(text))
}

func TestReadSWF(t *testing.T) {
	l, err := readString(small)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := ReadAll(l)
	if err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		if jobs[i].SWF != &l.Lines[i].Fields {
			t.Errorf("job %d does not point to its line", jobs[i].ID)
		}
		jobs[i].SWF = nil
	}
	want := []Job{
		{ID: 1, Line: 6, Submit: 0, RunTime: 100.5, Estimate: 200, Size: 4},
		{ID: 2, Line: 8, Submit: 5, RunTime: 20, Estimate: 20, Size: 8},
		{ID: 3, Line: 9, Submit: 5, RunTime: 0, Estimate: 60, Size: 1},
	}
	if d := cmp.Diff(want, jobs); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if d := cmp.Diff([]string{"; Version: 2.2", ";MaxNodes: 50", "; MaxProcs: 100", ";  Note: a: b", "; half-way"}, l.Comments); d != "" {
		t.Errorf("comments, -want +got:\n%s", d)
	}
	if n, ok := l.Processors(); n != 100 || !ok {
		t.Errorf("%d processors, %v", n, ok)
	}
	if note, ok := l.Field("NOTE"); note != "a: b" || !ok {
		t.Errorf("note %q, %v", note, ok)
	}
	if _, ok := l.Field("Computer"); ok {
		t.Error("a field that is not there was found")
	}
	if again, err := ReadAll(l.Copy()); len(again) != 3 || err != nil {
		t.Errorf("the copy has %d jobs, error %v", len(again), err)
	}
	if len(l.Warnings) != 0 {
		t.Errorf("warnings %q", l.Warnings)
	}
}

// line returns an SWF line with some fields, counted from 1, changed.
func line(change map[int]string) string {
	f := strings.Fields("1 0 10 100 4 -1 -1 4 200 -1 1 1 1 -1 -1 -1 -1 -1")
	for i, v := range change {
		f[i-1] = v
	}
	return strings.Join(f, " ") + "\n"
}

func TestSWFErrors(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"17 fields", ";x\n" + line(map[int]string{18: ""}),
			"log.swf:2: 17 fields: a line of an SWF log has 18"},
		{"19 fields", line(map[int]string{18: "-1 -1"}),
			"log.swf:1: 19 fields: a line of an SWF log has 18"},
		{"one field", "12\n",
			"log.swf:1: 1 field: a line of an SWF log has 18"},
		{"a line cut short", line(nil) + "2 10 10 100",
			"log.swf:2: 4 fields: a line of an SWF log has 18; the file ends in this line without a line end, so it may be cut short"},
		{"text", "\n" + line(map[int]string{4: "12x"}),
			`log.swf:2:4: field 4 (run time) is "12x": it should be a number, or -1 where unknown`},
		{"long text", line(map[int]string{14: strings.Repeat("ab", 50)}),
			`log.swf:1:14: field 14 (executable) is "abababababababababababababababababababab": it should be a number, or -1 where unknown`},
		{"NaN", line(map[int]string{2: "NaN"}),
			`log.swf:1:2: field 2 (submit time) is "NaN": it should be a number, or -1 where unknown`},
		{"infinity", line(map[int]string{9: "+Inf"}),
			`log.swf:1:9: field 9 (requested time) is "+Inf": it should be a number, or -1 where unknown`},
		{"too large for a float", line(map[int]string{4: "1e999"}),
			`log.swf:1:4: field 4 (run time) is "1e999": it should be a number, or -1 where unknown`},
		{"hexadecimal", line(map[int]string{4: "0x1p3"}),
			`log.swf:1:4: field 4 (run time) is "0x1p3": it should be a number, or -1 where unknown`},
		{"a lone sign", line(map[int]string{4: "-"}),
			`log.swf:1:4: field 4 (run time) is "-": it should be a number, or -1 where unknown`},
		{"fraction of a processor", line(map[int]string{5: "2.5"}),
			"log.swf:1:5: field 5 (allocated processors) is 2.5: it should be a whole number of processors, at most 2147483647"},
		{"too many processors", line(map[int]string{8: "3e9"}),
			"log.swf:1:8: field 8 (requested processors) is 3e+09: it should be a whole number of processors, at most 2147483647"},
		{"fraction of a job", line(map[int]string{1: "1.5"}),
			"log.swf:1:1: field 1 (job number) is 1.5: it should be a whole number"},
		{"negative submit time", line(map[int]string{2: "-7"}),
			"log.swf:1:2: field 2 (submit time) is -7: it should be the seconds since the start of the log, 0 or more, or -1 where unknown"},
		{"a time beyond all logs", line(map[int]string{4: "1e15"}),
			"log.swf:1:4: field 4 (run time) is 1e+15: it should be a time in seconds, at most 1e+12"},
		{"the same job twice", line(nil) + ";\n" + line(map[int]string{1: "2"}) + line(nil),
			"log.swf:4:1: field 1 (job number) is 1, the number of line 1 too: each job needs its own"},
		{"empty", "", "log.swf: there are no jobs in it; a log has one line of 18 numbers per job"},
		{"header only", "; Version: 2.2\n", "log.swf: there are no jobs in it; a log has one line of 18 numbers per job"},
		{"bzip2", "BZh91AY&SY", "log.swf: it is compressed by something other than gzip: unpack it first"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := readString(test.text)
			if err == nil || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
			if e := (*SWFError)(nil); !errors.As(err, &e) {
				t.Errorf("a %T", err)
			}
		})
	}
}

func packed(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSWFGzip cuts a compressed log at every byte, and changes each of its
// checksum's bytes.
func TestSWFGzip(t *testing.T) {
	data := packed(t, small)
	whole, err := ReadSWF("log.gz", bytes.NewReader(data))
	if err != nil || len(whole.Lines) != 3 {
		t.Fatalf("%v", err)
	}
	for n := 2; n < len(data); n++ {
		_, err := ReadSWF("log.gz", bytes.NewReader(data[:n]))
		if err == nil || !strings.HasSuffix(err.Error(), "the gzip data end here: the file is cut short") {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
	for i := len(data) - 8; i < len(data); i++ {
		bad := bytes.Clone(data)
		bad[i] ^= 1
		_, err := ReadSWF("log.gz", bytes.NewReader(bad))
		if err == nil || !strings.HasPrefix(err.Error(), "log.gz: the gzip data are damaged") {
			t.Errorf("byte %d changed: %v", i, err)
		}
	}
}

func TestOpenSWFErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenSWF(dir); err == nil || err.Error() != "trace "+dir+" is a directory: name one log in it, a .swf or .swf.gz file" {
		t.Errorf("directory: %v", err)
	}
	missing := filepath.Join(dir, "none.swf")
	if _, err := OpenSWF(missing); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), missing) {
		t.Errorf("missing: %v", err)
	}
}

func TestSWFWarnings(t *testing.T) {
	text := line(map[int]string{1: "1", 2: "9"}) +
		line(map[int]string{1: "2", 2: "5"}) +
		line(map[int]string{1: "3", 2: "9"}) +
		line(map[int]string{1: "4", 2: "5", 4: "-1"}) +
		line(map[int]string{1: "5", 2: "9", 5: "-1", 8: "-1"}) +
		line(map[int]string{1: "6", 2: "9", 5: "0", 8: "0"}) +
		line(map[int]string{1: "7", 2: "-1"}) +
		line(map[int]string{1: "8", 2: "9", 11: "3"}) + // a job of its own
		line(map[int]string{1: "3", 2: "9", 11: "2"}) +
		line(map[int]string{1: "3", 2: "9", 11: "3"})
	l, err := readString(text)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"log.swf: 2 submit times step back, the first in line 2: sorted by submit time",
		"log.swf: 1 job without submit time skipped",
		"log.swf: 3 jobs without run time or processors skipped",
		"log.swf: 2 lines of partial executions (status 2, 3 or 4) skipped",
	}
	if d := cmp.Diff(want, l.Warnings); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if l.Skipped != 6 {
		t.Errorf("%d skipped", l.Skipped)
	}
	jobs, err := ReadAll(l)
	var ids []JobID
	for _, j := range jobs {
		ids = append(ids, j.ID)
	}
	if d := cmp.Diff([]JobID{2, 1, 3, 8}, ids); d != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, d)
	}
}

// TestSWFRoundTrip writes and reads random logs, plain and compressed.
func TestSWFRoundTrip(t *testing.T) {
	dir := t.TempDir()
	number := rapid.OneOf(rapid.Just(-1.0), rapid.Map(rapid.IntRange(-1, 1e9), func(i int) float64 { return float64(i) }),
		rapid.Float64Range(0, 1e11), rapid.Float64Range(0, 1))
	rapid.Check(t, func(t *rapid.T) {
		comments := rapid.SliceOfN(rapid.StringMatching(`;[ -~]*`), 0, 4).Draw(t, "comments")
		lines := make([]SWFLine, rapid.IntRange(1, 8).Draw(t, "lines"))
		submit := 0.0
		for i := range lines {
			lines[i].Line = len(comments) + i + 1
			for k := range lines[i].Fields {
				lines[i].Fields[k] = number.Draw(t, "field")
			}
			submit += rapid.Float64Range(0, 1e9).Draw(t, "gap")
			lines[i].Fields[swfJob] = float64(i * 7)
			lines[i].Fields[swfSubmit] = submit
			lines[i].Fields[swfAllocated] = float64(rapid.IntRange(-1, 1000).Draw(t, "allocated"))
			lines[i].Fields[swfRequested] = float64(rapid.IntRange(-1, 1000).Draw(t, "requested"))
		}
		path := filepath.Join(dir, rapid.SampledFrom([]string{"a.swf", "a.swf.gz"}).Draw(t, "name"))
		if err := CreateSWF(path, comments, lines); err != nil {
			t.Fatal(err)
		}
		l, err := OpenSWF(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(lines, l.Lines, cmpopts.IgnoreUnexported(SWFLine{})); d != "" {
			t.Fatalf("-written +read:\n%s", d)
		}
		if strings.Join(comments, "\n") != strings.Join(l.Comments, "\n") {
			t.Fatalf("comments %q became %q", comments, l.Comments)
		}
	})
}

func TestWriteSWF(t *testing.T) {
	var b strings.Builder
	s := SWFLine{Fields: [18]float64{1, 0.5, -1, 1e6, 1e-7}}
	if err := WriteSWF(&b, []string{"Version: 2.2\nNote: two lines", ";x"}, []SWFLine{s}); err != nil {
		t.Fatal(err)
	}
	want := "; Version: 2.2\n; Note: two lines\n;x\n1 0.5 -1 1000000 0.0000001 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
	if b.String() != want {
		t.Errorf("got %q", b.String())
	}
	s.Fields[3] = math.NaN()
	if err := WriteSWF(io.Discard, nil, []SWFLine{s}); err == nil || !strings.HasPrefix(err.Error(), "job 1: field 4 (run time) is NaN") {
		t.Errorf("NaN: %v", err)
	}
	if err := CreateSWF(filepath.Join(t.TempDir(), "none", "a.swf"), nil, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

// TestSchedule writes what was simulated and reads it back as a log.
func TestSchedule(t *testing.T) {
	l, err := readString(small)
	if err != nil {
		t.Fatal(err)
	}
	clock := Clock{CyclesPerSecond: 10}
	schedule := Schedule{Clock: clock}
	sim := fixedSim(l, 8)
	sim.Clock, sim.Executor, sim.Record = clock, &Fixed{Clock: clock}, schedule.Add
	if _, err := sim.Run(); err != nil {
		t.Fatal(err)
	}
	made := Job{ID: 9, Submit: 5, RunTime: 2, Estimate: 3, Size: 2}
	schedule.Add(&Record{Job: &made, Submit: 50, Start: 70, End: 90})
	var b bytes.Buffer
	if err := WriteSWF(&b, nil, schedule.Lines()); err != nil {
		t.Fatal(err)
	}
	want := `1 0 0 100.5 4 -1 -1 8 200 -1 1 1 1 -1 -1 -1 -1 -1
2 5 95.5 20 8 -1 -1 8 20 -1 1 1 1 -1 -1 -1 -1 -1
3 5 115.5 0 1 -1 -1 1 60 -1 5 1 1 -1 -1 -1 -1 -1
9 5 2 2 2 -1 -1 2 3 -1 1 -1 -1 -1 -1 -1 -1 -1
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestParseNumber compares with the standard library on what both take.
func TestParseNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`-?[0-9]{0,18}(\.[0-9]{0,18})?`).Draw(t, "text")
		if text == "" {
			return
		}
		got, ok := parseNumber([]byte(text))
		want, wantOK := parseLong([]byte(text))
		if ok != wantOK || ok && got != want {
			t.Fatalf("%q is %v, %v; want %v, %v", text, got, ok, want, wantOK)
		}
	})
}

func FuzzSWF(f *testing.F) {
	f.Add([]byte(small))
	f.Add(packed(f, small))
	f.Add([]byte(line(map[int]string{2: "9"}) + line(map[int]string{1: "2", 2: "-1"}) + line(map[int]string{1: "3"})))
	f.Add([]byte(line(map[int]string{2: "9"}) + line(map[int]string{2: "5", 11: "2"}) + line(map[int]string{2: "3", 11: "4"})))
	f.Add([]byte("\ufeff;\r\r\n" + line(map[int]string{4: "+1e-3", 6: ".5", 7: "5."})))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := ReadSWF("fuzz", bytes.NewReader(data))
		if err != nil {
			return
		}
		for {
			j, err := l.Next()
			if err != nil {
				break
			}
			if j.Size < 1 || j.RunTime < 0 || j.Submit < 0 || j.Estimate < 0 {
				t.Fatalf("job %+v", j)
			}
		}
		var b bytes.Buffer
		if err := WriteSWF(&b, l.Comments, l.Lines); err != nil {
			t.Fatal(err)
		}
		again, err := ReadSWF("fuzz", &b)
		if err != nil {
			t.Fatalf("written, it does not read: %v", err)
		}
		if len(l.Comments)+len(again.Comments) > 0 && !cmp.Equal(l.Comments, again.Comments) {
			t.Fatalf("comments %q became %q", l.Comments, again.Comments)
		}
		for i := range l.Lines {
			if l.Lines[i].Fields != again.Lines[i].Fields {
				t.Fatalf("line %v became %v", l.Lines[i].Fields, again.Lines[i].Fields)
			}
		}
	})
}

// TestAllTraces reads whatever logs are there.
func TestAllTraces(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "shared", "traces", "*.swf*"))
	if err != nil || len(paths) == 0 {
		t.Skip("no logs beside the checkout")
	}
	for _, path := range paths {
		began := time.Now()
		l, err := OpenSWF(path)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		took := time.Since(began)
		jobs, err := ReadAll(l)
		if err != nil || len(jobs)+l.Skipped != len(l.Lines) || len(jobs) == 0 {
			t.Errorf("%s: %d jobs, %d skipped, %d lines, error %v", path, len(jobs), l.Skipped, len(l.Lines), err)
		}
		machine, ok := l.Processors()
		if !ok {
			t.Errorf("%s: no size of the machine", path)
		}
		load, _ := Load(jobs, machine)
		t.Logf("%s: %d jobs on %d processors in %v, load %.4f, warnings %q", filepath.Base(path), len(jobs), machine, took.Round(time.Millisecond), load, l.Warnings)
		checkConvert(t, l)
	}
}

// checkConvert writes a whole log and reads it again.
func checkConvert(t *testing.T, l *SWF) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.swf")
	if err := CreateSWF(path, l.Comments, l.Lines); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(path)
	again, err := OpenSWF(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Lines) != len(l.Lines) || !cmp.Equal(l.Comments, again.Comments) {
		t.Fatalf("%s: %d lines became %d", l.Name, len(l.Lines), len(again.Lines))
	}
	for i := range l.Lines {
		if l.Lines[i].Fields != again.Lines[i].Fields {
			t.Fatalf("%s:%d: %v became %v", l.Name, l.Lines[i].Line, l.Lines[i].Fields, again.Lines[i].Fields)
		}
	}
}
