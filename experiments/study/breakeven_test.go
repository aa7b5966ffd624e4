package study

import (
	"testing"

	"contend/experiments/config"
)

// evenAxes are those of a study that asks from which load on an allocator pays.
const evenAxes = `
[[axes]]
key = "allocator"
values = ["mbs", "random"]
[[axes]]
key = "workload.interarrival.mean"
values = [1.0, 2.0]
`

func TestBreakEvenOfAStudyIsChecked(t *testing.T) {
	const study = "[machine]\ntopology = \"mesh\"\n" + evenAxes + "[[break_even]]\nname = \"one\"\n"
	for _, c := range []struct{ text, want string }{
		{`metric = "wait_time"` + "\n" + `along = "workload.interarrival.mean"` + "\n" +
			`against = "mbs"`, ""},
		{`metric = "wait"` + "\n" + `along = "workload.interarrival.mean"`, "metric"},
		{`metric = "wait_time"` + "\n" + `along = "workload.lode"`, "unknown key workload.lode"},
		{`metric = "wait_time"` + "\n" + `along = "allocator"`, "whose values are not numbers"},
		{`metric = "wait_time"` + "\n" + `along = "workload.interarrival.mean"` + "\n" + `low = 3.0` +
			"\n" + `high = 2.0`, "give a value that is not below low"},
	} {
		_, err := Parse("x.toml", study+c.text, config.Builtin())
		checkError(t, err, c.text, c.want)
	}
}

// A rule about bounds may name a break-even in place of a metric; others may not.
func TestRuleOfABreakEven(t *testing.T) {
	const study = "[machine]\ntopology = \"mesh\"\n" + evenAxes + `
[[break_even]]
name = "it pays"
metric = "wait_time"
along = "workload.interarrival.mean"
against = "mbs"
[[tolerances]]
why = "a test"
metric = "it pays"
`
	for _, c := range []struct{ text, want string }{
		{"rule = \"bounds\"\nmax = 2", ""},
		{"rule = \"ranking\"\nranking = [\"mbs\", \"random\"]",
			`tolerances[0].metric is "it pays", a break_even`},
		{"rule = \"bounds\"\nmax = 2\namong = \"allocator\"\nrelative_to = \"mbs\"", "a break_even"},
	} {
		_, err := Parse("x.toml", study+c.text, config.Builtin())
		checkError(t, err, c.text, c.want)
	}
}
