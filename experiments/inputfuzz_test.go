package experiments

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/experiments/studies"
)

// What is read is read or refused with an InputError; nothing panics, and what
// was read comes back the same.

func FuzzStudy(f *testing.F) {
	for _, name := range []string{"demo", "lo-table2", "paragon-contend", "johnson-fig8"} {
		text, _ := studies.TOML(name)
		f.Add(text)
	}
	f.Add("a = \"\x00\"\n")
	f.Add("x = [[[[[[[[[[[[[[[[[[[[")
	f.Add("a.b.c.d.e.f.g.h.i.j.k = 1")
	f.Fuzz(func(t *testing.T, text string) {
		st, err := ParseStudy("fuzz.toml", text, BuiltinNames())
		if err != nil {
			mustBeInput(t, err)
			return
		}
		resolved := st.TOML("x")
		again, err := ParseStudy("spec.toml", resolved, BuiltinNames())
		if err != nil {
			t.Fatalf("%v\n%s", err, resolved)
		}
		if got := again.TOML("x"); got != resolved {
			t.Fatalf("not the same again:\n%s\n%s", resolved, got)
		}
	})
}

func mustBeInput(t *testing.T, err error) {
	t.Helper()
	var input *InputError
	if !errors.As(err, &input) || err.Error() == "" || strings.ContainsAny(err.Error(),
		"\n\r\x1b\x00") {
		t.Fatalf("%T: %q", err, err)
	}
}

func FuzzValue(f *testing.F) {
	for _, s := range []string{"1", "[16, 16]", "{", "\x01", "\"a", "mbs", "1 # x", "'''", "nan",
		"= 1", "1979-05-27"} {
		f.Add("machine.dims", s)
		f.Add("workload.trace", s)
		f.Add("allocator", s)
	}
	f.Fuzz(func(t *testing.T, key, text string) {
		st := &Study{Name: "x", Base: DefaultSpec(), Runs: defaults().runs,
			Primary: []string{"finish_time"}}
		if err := st.Set(key, text, BuiltinNames()); err != nil {
			mustBeInput(t, err)
		}
		st.flagged = false
		if err := st.SetAxis(key, text, BuiltinNames()); err != nil {
			mustBeInput(t, err)
		}
	})
}

func FuzzMix(f *testing.F) {
	for _, s := range []string{"ring", "all-to-all:2+ring:1", "npb-ft:A", "npb-ft:A:3", "+", ":",
		"ring:nan", "ring:1e300"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		mix, err := ParseMix(text)
		if (mix == nil) != (err != nil) {
			t.Fatalf("%v, %v", mix, err)
		}
		for _, w := range mix {
			if !(w.Weight > 0) || w.Weight > 1e9 {
				t.Fatalf("%+v", w)
			}
		}
	})
}

func FuzzAllocatorShort(f *testing.F) {
	for _, s := range []string{"mbs", "paging:1,snake", "first-fit:rotate", "hilbert/best-fit-1d",
		"mc1x1-tie:2,13,20,6", "ptas:3", ":", "/", "a/b/c:,"} {
		f.Add(s)
	}
	names := BuiltinNames()
	f.Fuzz(func(t *testing.T, text string) {
		a, err := parseAllocator(text, names)
		if err != nil {
			mustBeInput(t, err)
			return
		}
		if again, err := parseAllocator(a.String(), names); err != nil || again.String() != a.String() {
			t.Fatalf("%q is %s and then %s, %v", text, a, again, err)
		}
	})
}

func FuzzMachineShort(f *testing.F) {
	for _, s := range []string{"mesh:16x16", "torus:8x8x4", "hypercube:6", "tree:4x4", "tree:4x4:2",
		"mesh:", "mesh:x", "tree:4x4:", "mesh:99999999x99999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		st := &Study{Base: DefaultSpec(), Runs: defaults().runs}
		if err := st.SetMachine(text, BuiltinNames()); err != nil {
			mustBeInput(t, err)
			return
		}
		if err := st.Base.Machine.check(); err != nil {
			mustBeInput(t, err)
		}
		if nodes, links := st.Base.Machine.count(); !(nodes >= 1) || !(links >= 0) {
			t.Fatalf("%q: %v nodes, %v links", text, nodes, links)
		}
	})
}

func FuzzPlacement(f *testing.F) {
	for _, s := range []string{"contiguous", "away:3", "away:", "away:-1", "dealt", "scattered:1",
		"random"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parsePlacement(text)
		if err != nil {
			mustBeInput(t, err)
			return
		}
		if !slices.Contains([]string{placeContiguous, placeAway, placeDealt, placeScattered,
			placeRandom}, p.kind) || (p.kind == placeAway) != (p.away > 0) {
			t.Fatalf("%q is %+v", text, p)
		}
	})
}

func FuzzRuns(f *testing.F) {
	f.Add([]byte(`{"hash":"a","replication":0,"version":"x","metrics":{"finish_time":1}}` + "\n"))
	f.Add([]byte("\x00\x00\x00"))
	f.Add([]byte("{}\n{\n"))
	f.Add([]byte(strings.Repeat("[", 20000) + "\n{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		folder := Folder{Dir: t.TempDir(), Version: "x", records: map[runKey]record{}}
		path := filepath.Join(folder.Dir, runsFile)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := folder.read(); err != nil {
			mustBeInput(t, err)
			return
		}
		left, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(text), string(left)) {
			t.Fatalf("%q became %q, %v", text, left, err)
		}
		again := Folder{Dir: folder.Dir, Version: "x", records: map[runKey]record{}}
		if err := again.read(); err != nil || len(again.records) != len(folder.records) {
			t.Fatalf("%d runs became %d, %v", len(folder.records), len(again.records), err)
		}
	})
}

func FuzzPublished(f *testing.F) {
	for _, name := range []string{"lo-table1.csv", "johnson-fig18.csv"} {
		text, _ := studies.CSV(name)
		f.Add(text)
	}
	f.Add("allocator,finish_time\n\"mbs\",x\n")
	f.Add("a\x00b\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := Published{CSV: text}
		if _, err := p.rows(); err != nil {
			mustBeInput(t, err)
		}
	})
}

func FuzzLoads(f *testing.F) {
	for _, s := range []string{"0.02:0.40:0.02", "0.1,0.2", "nan", "0.1:0.2:1e-300", "1:0:0.1",
		"0.1:1:0", ":", ","} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		loads, err := ParseLoads(text)
		if err != nil {
			mustBeInput(t, err)
			return
		}
		for i, x := range loads {
			if !(x > 0 && x <= 1) || i > 0 && x < loads[i-1] {
				t.Fatalf("%q is %v", text, loads)
			}
		}
	})
}

func FuzzBox(f *testing.F) {
	for _, s := range []string{"sr=1:5,af=0:5,wf=0:5,bf=0:5", "sr=1", "", "x=1", "sr=5:1", "sr=:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ParseBox(text, DefaultBox()); err != nil {
			mustBeInput(t, err)
		}
	})
}
