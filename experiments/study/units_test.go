package study

import (
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/internal/must"
)

// unitsStudy parses a small study and returns its points.
func unitsStudy(t *testing.T, text string) (*Study, []Point) {
	t.Helper()
	st := must.Have(Parse("x.toml", text, config.Builtin()))
	return st, must.Have(st.Points())
}

// Overrides see what a point is, whether it was given in numbers or in units, and quantities
// are resolved with what overrides, variants and axes say.
func TestUnitsOfPoints(t *testing.T) {
	st, points := unitsStudy(t, `
[network]
routing_cycles = "20 ns"
link_cycles = "40 ns"
cycle = "2 ns"
[job]
flits = "64 B"
[[variants]]
name = "plain"
set = { "network.flit_bytes" = 8 }
[[variants]]
name = "long"
set = { "network.flit_bytes" = 16, "network.link_cycles" = "100 ns" }
[[axes]]
key = "variant"
values = ["plain", "long"]
[[axes]]
key = "network.cycle"
values = ["2 ns", "4 ns"]
[[axes]]
key = "network.routing_cycles"
values = ["20 ns", "40 ns"]
[[overrides]]
when = { "network.routing_cycles" = 10, "job.order" = "same" }
set = { "network.credit_cycles" = "8 ns" }
`)
	var got []string
	for _, p := range points {
		n := &p.Spec.Network
		got = append(got, strings.Join(p.Labels, " ")+": "+strings.Trim(strings.Join([]string{
			key("network.routing_cycles").Format(&p.Spec), key("network.link_cycles").Format(&p.Spec),
			key("network.credit_cycles").Format(&p.Spec), key("job.flits").Format(&p.Spec)}, " "), " "))
		if n.Cycle != p.Labels[1] {
			t.Errorf("%v has a cycle of %s", p.Labels, n.Cycle)
		}
	}
	want := `plain 2 ns 20 ns: 10 20 4 8
plain 2 ns 40 ns: 20 20 1 8
plain 4 ns 20 ns: 5 10 1 8
plain 4 ns 40 ns: 10 10 2 8
long 2 ns 20 ns: 10 50 4 4
long 2 ns 40 ns: 20 50 1 4
long 4 ns 20 ns: 5 25 1 4
long 4 ns 40 ns: 10 25 2 4`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("points are\n%s\nwant\n%s", text, want)
	}
	again, _ := unitsStudy(t, st.TOML("v"))
	repeated := must.Have(again.Points())
	for i := range points {
		if points[i].Hash != repeated[i].Hash {
			t.Errorf("the resolved study has another run at %v", points[i].Labels)
		}
	}
}

// Axes of keys that exclude others take units too, and overrides match them.
func TestUnitsOnAnExclusiveAxis(t *testing.T) {
	_, points := unitsStudy(t, `
network = { cycle = "1 ns" }
[[axes]]
key = "workload.interarrival.mean"
values = ["1 us", 250, "2 us"]
[[overrides]]
when = { "workload.interarrival.mean" = 2000 }
set = { "job.flits" = "24 B" }
`)
	for i, want := range []string{"1 us 1000 8", "250 250 8", "2 us 2000 3"} {
		s := &points[i].Spec
		got := points[i].Labels[0] + " " + key("workload.interarrival.mean").Format(s) + " " +
			key("job.flits").Format(s)
		if got != want {
			t.Errorf("point %d is %q, want %q", i, got, want)
		}
	}
}

func key(path string) *config.Key {
	k, _ := config.FindKey(path)
	return &k
}

// An error about a quantity stands where the quantity is given.
func TestUnitErrorsArePlaced(t *testing.T) {
	const base = "network = { cycle = \"3 ns\" }\n"
	for _, c := range []struct{ text, want string }{
		{base + "[[variants]]\nname = \"a\"\nset = { \"network.link_cycles\" = \"10 ns\" }\n" +
			"[[axes]]\nkey = \"variant\"\nvalues = [\"a\"]\n", "x.toml:4:9, at a: network.link_cycles is"},
		{base + "[[axes]]\nkey = \"network.link_cycles\"\nvalues = [\"3 ns\", \"10 ns\"]\n",
			"x.toml:4:19, at 10 ns: network.link_cycles is"},
		{base + "[[overrides]]\nwhen = { \"job.order\" = \"same\" }\n" +
			"set = { \"network.link_cycles\" = \"10 ns\" }\n", "x.toml:4:9: network.link_cycles is"},
		{"[network]\npreset = \"ndr\"\ncycle = \"3 ns\"\n", "x.toml:2:1: network.routing_cycles is"},
		{"[job]\nflits = \"12 B\"\n", "x.toml:2:1: job.flits is \"12 B\", which is 1.5 flits: give"},
		{base + "workload = { source = \"swf\", trace = \"x\" }\njob.quota.per_second = \"auto\"\n" +
			"break_even = [{ metric = \"latency\", along = \"network.link_cycles\", " +
			"among = \"job.order\", against = \"same\" }]\n" +
			"[[axes]]\nkey = \"network.link_cycles\"\nvalues = [\"3 ns\"]\n",
			"x.toml:4:37: break_even[0].along is network.link_cycles"},
	} {
		_, err := Parse("x.toml", c.text, config.Builtin())
		checkError(t, err, c.text, c.want)
	}
}
