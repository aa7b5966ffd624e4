package config_test

import (
	"testing"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
)

func FuzzMix(f *testing.F) {
	for _, s := range []string{"ring", "all-to-all:2+ring:1", "npb-ft:A", "npb-ft:A:3", "+", ":",
		"ring:nan", "ring:1e300"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		mix, err := config.ParseMix(text)
		if (mix.Parts == nil) != (err != nil) {
			t.Fatalf("%v, %v", mix, err)
		}
		for _, w := range mix.Parts {
			if !(w.Weight > 0) || w.Weight > 1e9 {
				t.Fatalf("%+v", w)
			}
		}
	})
}

func FuzzAllocatorShort(f *testing.F) {
	for _, s := range []string{"mbs", "paging:1,snake", "first-fit:rotate", "best-fit-1d:hilbert/yx",
		"mc1x1-tie:2,13,20,6", "ptas:3", ":", "/", "a/b/c:,"} {
		f.Add(s)
	}
	r := config.Builtin()
	f.Fuzz(func(t *testing.T, text string) {
		a, err := r.CanonicalAllocator(text)
		if err != nil {
			configtest.MustBeInput(t, err)
			return
		}
		again, err := r.CanonicalAllocator(a)
		if err != nil || again != a {
			t.Fatalf("%q is %s and then %s, %v", text, a, again, err)
		}
	})
}
