package scheduler

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"contend/internal/input"
	"contend/internal/must"
	"contend/internal/papertest"
	"contend/internal/story"
)

// small is a log with a header, a comment among the jobs, an unknown estimate,
// and processors in field 8 only.
const small = "; Version: 2.2\r\n;MaxNodes: 50\n; MaxProcs: 100\n;  Note: a: b\n\n" +
	"  1  0 10 100.5 4 -1 -1 8 200 -1 1 1 1 -1 -1 -1 -1 -1\r\n" +
	"; half-way\n" +
	"2\t5 -1 20 -1 -1 -1 8 -1 -1 1 1 1 -1 -1 -1 -1 -1\n" +
	"3 5 -1 0 1 -1 -1 1 60 -1 5 1 1 -1 -1 -1 -1 -1"

// readString reads a log from a text.
func readString(text string) (*SWF, error) {
	return ReadSWF("log.swf", strings.NewReader(text))
}

// line returns an SWF line with some fields, counted from 1, changed.
func line(change map[int]string) string {
	f := strings.Fields("1 0 10 100 4 -1 -1 4 200 -1 1 1 1 -1 -1 -1 -1 -1")
	for i, v := range change {
		f[i-1] = v
	}
	return strings.Join(f, " ") + "\n"
}

// packed compresses a text with gzip.
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

// TestSWFGzip cuts a compressed log at every byte and changes each byte of its
// checksum.
func TestSWFGzip(t *testing.T) {
	data := packed(t, small)
	whole, err := ReadSWF("log.gz", bytes.NewReader(data))
	if err != nil || len(whole.Lines) != 3 {
		t.Fatalf("%v", err)
	}
	for n := 2; n < len(data); n++ {
		_, err := ReadSWF("log.gz", bytes.NewReader(data[:n]))
		if err == nil || !strings.HasSuffix(err.Error(),
			"the gzip data end here: the file is cut short") {
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
	if _, err := OpenSWF(dir); err == nil || err.Error() != "trace "+dir+
		" is a directory: name one log in it, a .swf or .swf.gz file" {
		t.Errorf("directory: %v", err)
	}
	missing := filepath.Join(dir, "none.swf")
	if _, err := OpenSWF(missing); !errors.Is(err, fs.ErrNotExist) ||
		!strings.Contains(err.Error(), missing) {
		t.Errorf("missing: %v", err)
	}
}

func TestWriteSWF(t *testing.T) {
	var b strings.Builder
	s := SWFLine{Fields: [18]float64{1, 0.5, -1, 1e6, 1e-7}}
	if err := WriteSWF(&b, []string{"Version: 2.2\nNote: two lines", ";x"}, []SWFLine{s}); err != nil {
		t.Fatal(err)
	}
	want := "; Version: 2.2\n; Note: two lines\n;x\n1 0.5 -1 1000000 0.0000001 0 0 0 0 0 0 0 0 0 0 " +
		"0 0 0\n"
	if b.String() != want {
		t.Errorf("got %q", b.String())
	}
	s.Fields[3] = math.NaN()
	if err := WriteSWF(io.Discard, nil, []SWFLine{s}); err == nil ||
		!strings.HasPrefix(err.Error(), "job 1: field 4 (run time) is NaN") {
		t.Errorf("NaN: %v", err)
	}
	if err := CreateSWF(filepath.Join(t.TempDir(), "none", "a.swf"), nil, nil); !errors.Is(err,
		fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

// TestSchedule writes the jobs of a simulation and reads them back as a log.
func TestSchedule(t *testing.T) {
	l := must.Have(readString(small))
	clock := Clock{CyclesPerSecond: 10}
	schedule := Schedule{Clock: clock}
	sim := fixedSim(l, 8)
	sim.Clock, sim.Executor, sim.Record = clock, &Fixed{Clock: clock}, schedule.Add
	if _, err := sim.Run(); err != nil {
		t.Fatal(err)
	}
	made := Job{ID: 9, Submit: 5, RunTime: 2, Estimate: 3, Size: 2}
	schedule.Add(&Record{Job: &made, Submit: 50, Start: 70, End: 90})
	killed := Job{ID: 10, Submit: 6, RunTime: 9, Estimate: 3, Size: 2, NoEstimate: true}
	schedule.Add(&Record{Job: &killed, Submit: 60, Start: 60, End: 90, Killed: true})
	var b bytes.Buffer
	if err := WriteSWF(&b, nil, schedule.Lines()); err != nil {
		t.Fatal(err)
	}
	want := `1 0 0 100.5 4 -1 -1 8 200 -1 1 1 1 -1 -1 -1 -1 -1
2 5 95.5 20 8 -1 -1 8 -1 -1 1 1 1 -1 -1 -1 -1 -1
3 5 115.5 0 1 -1 -1 1 60 -1 5 1 1 -1 -1 -1 -1 -1
9 5 2 2 2 -1 -1 2 3 -1 1 -1 -1 -1 -1 -1 -1 -1
10 6 0 3 2 -1 -1 2 -1 -1 5 -1 -1 -1 -1 -1 -1 -1
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestParseNumber compares with the standard library on the numbers that both accept.
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

func FuzzReadSWF(f *testing.F) {
	f.Add([]byte(small))
	f.Add(packed(f, small))
	f.Add([]byte(line(map[int]string{2: "9"}) + line(map[int]string{1: "2", 2: "-1"}) +
		line(map[int]string{1: "3"})))
	f.Add([]byte(line(map[int]string{2: "9"}) + line(map[int]string{2: "5", 11: "2"}) +
		line(map[int]string{2: "3", 11: "4"})))
	f.Add([]byte(line(map[int]string{18: "-1 x 7 y"})))
	f.Add([]byte("\ufeff;\r\r\n" + line(map[int]string{4: "+1e-3", 6: ".5", 7: "5."})))
	f.Fuzz(func(t *testing.T, data []byte) {
		more, err := SWFFormat{NodesField: 20}.Read("fuzz", bytes.NewReader(data))
		if bad := (*input.Error)(nil); err != nil && !errors.As(err, &bad) {
			t.Fatalf("%T: %v", err, err)
		}
		for err == nil {
			var j Job
			if j, err = more.Next(); err == nil && j.Size < 1 {
				t.Fatalf("job %+v", j)
			}
		}
		l, err := ReadSWF("fuzz", bytes.NewReader(data))
		if err != nil {
			if bad := (*input.Error)(nil); !errors.As(err, &bad) {
				t.Fatalf("%T: %v", err, err)
			}
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

// TestAllTraces reads all available logs.
func TestAllTraces(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "shared", "traces", "*.swf*"))
	if err != nil || len(paths) == 0 {
		papertest.NoLog(t, "none in ../shared/traces")
	}
	for _, path := range paths {
		l, err := OpenSWF(path)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		jobs := must.Have(ReadAll(l))
		if n, ok := l.Processors(); !ok || len(jobs)+l.Skipped != len(l.Lines) || len(jobs) == 0 {
			t.Errorf("%s: %d processors, %d jobs, %d skipped, %d lines", path, n, len(jobs), l.Skipped,
				len(l.Lines))
		}
	}
}

// TestLogs reads the logs of testdata/swf. A first line "nodes in field N" has
// SWFFormat.NodesField; a last line "(cut)" takes the end of the line before away.
func TestLogs(t *testing.T) {
	story.Run(t, "testdata/swf/*.txt", func(t *testing.T, given []string) string {
		var format SWFFormat
		if n, ok := strings.CutPrefix(given[0], "nodes in field "); ok {
			format.NodesField, _ = strconv.Atoi(n)
			given = given[1:]
		}
		text := strings.TrimSuffix(strings.Join(given, "\n")+"\n", "\n(cut)\n")
		l, err := format.Read("log.swf", strings.NewReader(text))
		if bad := (*input.Error)(nil); err != nil && errors.As(err, &bad) {
			return err.Error()
		} else if err != nil {
			return fmt.Sprintf("not an input.Error: %v", err)
		}
		var b strings.Builder
		n, field := l.MachineSize()
		fmt.Fprintf(&b, "machine of %d (%s), %d comments, %d skipped\n", n, field, len(l.Comments),
			l.Skipped)
		for _, w := range l.Warnings {
			fmt.Fprintln(&b, w)
		}
		for _, j := range jobsOf(t, l.Copy(), nil) {
			fmt.Fprintf(&b, "line %d: job %d at %g: %d nodes for %g, estimate %g", j.Line, j.ID, j.Submit,
				j.Size, j.RunTime, j.Estimate)
			if j.NoEstimate {
				b.WriteString(" assumed")
			}
			b.WriteByte('\n')
		}
		return b.String()
	})
}
