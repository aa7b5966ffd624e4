package study

import (
	"testing"

	"contend/experiments/spec"
	"contend/experiments/studies"
)

func TestEveryBuiltinStudyParsesAndSurvivesTheRoundTrip(t *testing.T) {
	for _, name := range studies.Names() {
		st, err := Load(name, spec.BuiltinNames())
		if err != nil {
			t.Fatal(err)
		}
		text := st.TOML("test")
		again, err := Parse("spec.toml", text, spec.BuiltinNames())
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got := again.TOML("test"); got != text {
			t.Errorf("%s: spec.toml is not stable:\n%s\n%s", name, text, got)
		}
		a, _ := st.Points(spec.BuiltinNames())
		b, _ := again.Points(spec.BuiltinNames())
		if len(a) != len(b) {
			t.Fatalf("%s: %d points became %d", name, len(a), len(b))
		}
		for i := range a {
			if a[i].Hash != b[i].Hash {
				t.Errorf("%s: point %v has another hash after the round trip", name, a[i].Labels)
			}
		}
		if err := st.UseQuick(spec.BuiltinNames()); err != nil {
			t.Error(err)
		}
		if err := st.Check(spec.BuiltinNames()); err != nil {
			t.Error(err)
		}
		if _, err := Parse("spec.toml", st.TOML("test"), spec.BuiltinNames()); err != nil {
			t.Errorf("%s --quick: %v", name, err)
		}
	}
}
