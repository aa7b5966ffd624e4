package study

import (
	"testing"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/studies"
)

// The networks of papers and of presets are not noted for their buffers.
func TestBuffersOfStudiesAndPresetsAreNotNoted(t *testing.T) {
	names := spec.BuiltinNames()
	check := func(what string, s *spec.Spec) {
		plan, err := s.Plan()
		if err != nil {
			return // a log that is not there
		}
		if note := cosim.LoopNote(plan); note != "" {
			t.Errorf("%s: %s", what, note)
		}
	}
	for _, name := range studies.Names() {
		st, err := Load(name, names)
		if err != nil {
			t.Fatal(err)
		}
		points, err := st.Points(names)
		if err != nil {
			t.Fatal(err)
		}
		for i := range points {
			check(name, &points[i].Spec)
		}
	}
	for _, p := range spec.Presets() {
		st := Study{Base: spec.DefaultSpec()}
		if err := st.Set("network.preset", p.Name, names); err != nil {
			t.Fatal(err)
		}
		if err := st.Base.Resolve(); err != nil {
			t.Fatal(err)
		}
		check(p.Name, &st.Base)
	}
}
