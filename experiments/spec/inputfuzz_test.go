package spec_test

import (
	"testing"

	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

func FuzzMix(f *testing.F) {
	for _, s := range []string{"ring", "all-to-all:2+ring:1", "npb-ft:A", "npb-ft:A:3", "+", ":",
		"ring:nan", "ring:1e300"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		mix, err := spec.ParseMix(text)
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
	names := spec.BuiltinNames()
	f.Fuzz(func(t *testing.T, text string) {
		a, err := spec.ParseAllocator(text, names)
		if err != nil {
			spectest.MustBeInput(t, err)
			return
		}
		again, err := spec.ParseAllocator(a.String(), names)
		if err != nil || again.String() != a.String() {
			t.Fatalf("%q is %s and then %s, %v", text, a, again, err)
		}
	})
}
