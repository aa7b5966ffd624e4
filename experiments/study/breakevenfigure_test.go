package study

import (
	"testing"

	"contend/experiments/config"
)

func TestFigureOfBreakEvensIsChecked(t *testing.T) {
	const study = evenAxes + `
[[axes]]
key = "job.flits"
values = [4, 8]
[[axes]]
key = "network.buffer_flits"
values = [2, 4]
[[break_even]]
name = "twice"
metric = "wait_time"
along = "job.flits"
against = "mbs"
[[break_even]]
name = "twice"
metric = "wait_time"
along = "workload.interarrival.mean"
against = "mbs"
[[break_even]]
name = "wait"
metric = "wait_time"
along = "workload.interarrival.mean"
against = "mbs"
[[figures]]
name = "f"
kind = "break-even"
`
	one := "metric = \"wait\"\nx = \"job.flits\"\nseries = \"allocator\"\n"
	const fixed = "where = { \"network.buffer_flits\" = 2 }"
	for _, c := range []struct{ text, want string }{
		{one + fixed, ""},
		{one + `panels = ["network.buffer_flits"]`, ""},
		{one, "network.buffer_flits"},
		{`metric = "wait_time"` + "\nx = \"job.flits\"", "which is no break_even.name"},
		{`metric = "twice"` + "\nx = \"job.flits\"", "two break_even have that name"},
		{`metric = "wait"` + "\nx = \"workload.interarrival.mean\"", "its ordinate shows values of it"},
		{one + `where = { "workload.interarrival.mean" = 1.0 }`, "its ordinate shows values of it"},
		{one + fixed + "\nrelative_to = \"mbs\"", "relative_to has no effect"},
		{`metric = "wait"` + "\nx = \"network.routing\"\n" + fixed, "network.routing"},
	} {
		st, err := Parse("even.toml", study+c.text, config.Builtin())
		if err == nil {
			_, err = st.Points()
		}
		checkError(t, err, c.text, c.want)
	}
}
