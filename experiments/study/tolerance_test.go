package study

import (
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/internal/must"
)

// A bound of 0 is a bound, also in the resolved study.
func TestBoundsOfZeroStay(t *testing.T) {
	names := config.Builtin()
	st, err := Parse("a.toml", namesStudy+"[[tolerances]]\nname = \"few-wait\"\nrule = \"bounds\"\n"+
		"metric = \"wait_time\"\nof = \"mbs\"\nmax = 0\n", names)
	if err != nil {
		t.Fatal(err)
	}
	text := st.TOML("test")
	again := must.Have(Parse("a.toml", text, names))
	rule := again.Tolerances[0]
	if rule.Max == nil || *rule.Max != 0 || rule.Min != nil || rule.Name != "few-wait" {
		t.Errorf("%+v of\n%s", rule, text[strings.Index(text, "[[tolerances]]"):])
	}
}
