package scheduler

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"contend/internal/input"
	"contend/internal/must"
	"contend/internal/papertest"
)

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
