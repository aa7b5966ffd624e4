package experiments

import (
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
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
		st, err := ParseStudy("fuzz.toml", text, spec.BuiltinNames())
		if err != nil {
			spectest.MustBeInput(t, err)
			return
		}
		resolved := st.TOML("x")
		again, err := ParseStudy("spec.toml", resolved, spec.BuiltinNames())
		if err != nil {
			t.Fatalf("%v\n%s", err, resolved)
		}
		if got := again.TOML("x"); got != resolved {
			t.Fatalf("not the same again:\n%s\n%s", resolved, got)
		}
	})
}

func FuzzValue(f *testing.F) {
	for _, s := range []string{"1", "[16, 16]", "{", "\x01", "\"a", "mbs", "1 # x", "'''", "nan",
		"= 1", "1979-05-27"} {
		f.Add("machine.dims", s)
		f.Add("workload.trace", s)
		f.Add("allocator", s)
	}
	f.Fuzz(func(t *testing.T, key, text string) {
		st := &Study{Name: "x", Base: spec.DefaultSpec(), Runs: spec.Defaults().Runs,
			Primary: []string{"finish_time"}}
		if err := st.Set(key, text, spec.BuiltinNames()); err != nil {
			spectest.MustBeInput(t, err)
		}
		st.flagged = false
		if err := st.SetAxis(key, text, spec.BuiltinNames()); err != nil {
			spectest.MustBeInput(t, err)
		}
	})
}

func FuzzMachineShort(f *testing.F) {
	for _, s := range []string{"mesh:16x16", "torus:8x8x4", "hypercube:6", "tree:4x4", "tree:4x4:2",
		"mesh:", "mesh:x", "tree:4x4:", "mesh:99999999x99999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		st := &Study{Base: spec.DefaultSpec(), Runs: spec.Defaults().Runs}
		if err := st.SetMachine(text, spec.BuiltinNames()); err != nil {
			spectest.MustBeInput(t, err)
			return
		}
		if err := st.Base.Machine.Check(); err != nil {
			spectest.MustBeInput(t, err)
		}
		if nodes, links := st.Base.Machine.Count(); !(nodes >= 1) || !(links >= 0) {
			t.Fatalf("%q: %v nodes, %v links", text, nodes, links)
		}
	})
}

func FuzzRuns(f *testing.F) {
	line := []byte(`{"hash":"a","replication":0,"version":"x","metrics":{"finish_time":1}`)
	f.Add(appendSum(line, crc32.Checksum(line, castagnoli)))
	f.Add([]byte(`{"hash":"a","replication":0,"version":"x","metrics":{"finish_time":1}}` + "\n"))
	f.Add([]byte("\x00\x00\x00"))
	f.Add([]byte("{}\n{\n"))
	f.Add([]byte(strings.Repeat("[", 20000) + "\n{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		folder := Folder{Dir: t.TempDir(), Records: map[RunKey]Record{}}
		path := filepath.Join(folder.Dir, RunsFile)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		whole, err := folder.read("", "")
		if err != nil {
			spectest.MustBeInput(t, err)
			return
		}
		if err := os.Truncate(path, whole); err != nil {
			t.Fatal(err)
		}
		again := Folder{Dir: folder.Dir, Records: map[RunKey]Record{}}
		if _, err := again.read("", ""); err != nil || len(again.Records) != len(folder.Records) {
			t.Fatalf("%d runs became %d, %v", len(folder.Records), len(again.Records), err)
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
			spectest.MustBeInput(t, err)
		}
	})
}
