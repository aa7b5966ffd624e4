package study

import (
	"testing"

	"contend/experiments/config"
	"contend/experiments/studies"
	"contend/internal/must"
)

func TestEveryBuiltinStudyParsesAndSurvivesTheRoundTrip(t *testing.T) {
	for _, name := range studies.Names() {
		st := must.Have(Load(name, config.Builtin()))
		if title, cites, err := Heading(name); err != nil || title != st.Title || cites != st.Cites {
			t.Errorf("the heading of %s: %q, %q, %v", name, title, cites, err)
		}
		text := st.TOML("test")
		again, err := Parse("spec.toml", text, config.Builtin())
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got := again.TOML("test"); got != text {
			t.Errorf("%s: spec.toml is not stable:\n%s\n%s", name, text, got)
		}
		a, _ := st.Points()
		b, _ := again.Points()
		if len(a) != len(b) {
			t.Fatalf("%s: %d points became %d", name, len(a), len(b))
		}
		for i := range a {
			if a[i].Hash != b[i].Hash {
				t.Errorf("%s: point %v has another hash after the round trip", name, a[i].Labels)
			}
		}
		if err := st.UseQuick(); err != nil {
			t.Error(err)
		}
		if err := st.Check(); err != nil {
			t.Error(err)
		}
		if _, err := Parse("spec.toml", st.TOML("test"), config.Builtin()); err != nil {
			t.Errorf("%s --quick: %v", name, err)
		}
	}
}
