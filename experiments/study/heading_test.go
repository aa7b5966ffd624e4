package study

import (
	"testing"

	"contend/experiments/config"
	"contend/experiments/studies"
	"contend/internal/must"
)

// The heading of a built-in study is that of the study as a whole.
func TestHeading(t *testing.T) {
	for _, name := range studies.Names() {
		st := must.Have(Load(name, config.BuiltinNames()))
		title, cites, err := Heading(name)
		if err != nil || title != st.Title || cites != st.Cites {
			t.Errorf("%s: %q, %q, %v, want %q, %q", name, title, cites, err, st.Title, st.Cites)
		}
	}
}
