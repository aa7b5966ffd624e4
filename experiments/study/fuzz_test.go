package study

import (
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/studies"
)

// What is read is read or refused with an input.Error; nothing panics, and what
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
		st, err := Parse("fuzz.toml", text, config.Builtin())
		if err != nil {
			configtest.MustBeInput(t, err)
			return
		}
		resolved := st.TOML("x")
		again, err := Parse("spec.toml", resolved, config.Builtin())
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
		st := &Study{Name: "x", Base: config.DefaultSpec(), Runs: config.Defaults().Runs,
			Primary: []string{"finish_time"}}
		if err := st.Set(key, text); err != nil {
			configtest.MustBeInput(t, err)
		}
		st.flagged = false
		if err := st.SetAxis(key, text); err != nil {
			configtest.MustBeInput(t, err)
		}
	})
}

func FuzzMachineShort(f *testing.F) {
	for _, s := range []string{"mesh:16x16", "torus:8x8x4", "hypercube:6", "tree:4x4", "tree:4x4:2",
		"mesh:", "mesh:x", "tree:4x4:", "mesh:99999999x99999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		st := &Study{Base: config.DefaultSpec(), Runs: config.Defaults().Runs}
		if err := st.SetBy("--machine", "machine.topology", text); err != nil {
			configtest.MustBeInput(t, err)
			return
		}
		if err := st.Base.CheckMachine(); err != nil {
			configtest.MustBeInput(t, err)
		} else if st.Base.Memory() < 1 {
			t.Fatalf("%q takes no memory", text)
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
		if _, err := parsePublished(text, nil); err != nil {
			configtest.MustBeInput(t, err)
		}
	})
}
