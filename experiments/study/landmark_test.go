package study

import (
	"math"
	"strings"
	"testing"

	"contend/experiments/config"
)

func TestLandmarksThatAreRefused(t *testing.T) {
	const study = namesStudy + "[[axes]]\nkey = \"workload.jobs\"\nvalues = [5, 6]\n"
	const jobs, axis = `name = "a", metric = "jobs", `, `along = "workload.jobs"`
	for _, c := range []struct{ text, want string }{
		{`name = "A b", take = "max", metric = "jobs", ` + axis, "name of its own"},
		{jobs + `take = "least", ` + axis, `landmarks[0].take is "least"`},
		{jobs + `take = "at", ` + axis, "take is at, and at has 0"},
		{jobs + `take = "max", at = [2], ` + axis, "take is max, and at has 1"},
		{jobs + `take = "max", above = 2, ` + axis, "which has no above"},
		{jobs + `take = "max", within = 0.1, ` + axis, "take peak"},
		{jobs + `take = "max", along = "allocator"`, "an axis of numbers"},
		{jobs + `take = "max", along = "runs.seed"`, "an axis of numbers"},
		{jobs + `take = "max", relative_to = "mbs", ` + axis, "along an axis"},
		{`name = "a", take = "max", metric = "jobz", ` + axis, `landmarks[0].metric is "jobz"`},
		{`name = "a", take = "max", metric = "wait_time", along = "size"`, "landmarks[0].metric"},
		{`name = "a", take = "max", metric = "sum_pairwise_distance", along = "size"`,
			`relative_to ""`},
	} {
		_, err := Parse("a.toml", "landmarks = [{"+c.text+"}]\n"+study, config.Builtin())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestBoundsOfPrintedNumbers(t *testing.T) {
	for printed, want := range map[string][2]float64{"3.879": {3.8785, 3.8795},
		"9,371": {9370.5, 9371.5}, "-7": {-7.5, -6.5}} {
		rule := Tolerance{Printed: printed}
		low, high := rule.Bounds()
		if math.Abs(low-want[0]) > 1e-9 || math.Abs(high-want[1]) > 1e-9 {
			t.Errorf("%s: %v to %v, want %v", printed, low, high, want)
		}
	}
	for text, want := range map[string]string{
		"rule = \"bounds\"\nprinted = \"about 3\"\n":                             "give min, max or both",
		"rule = \"ranking\"\nranking = [\"mbs\", \"random\"]\nprinted = \"3\"\n": "has no printed",
	} {
		_, err := Parse("a.toml", namesStudy+"[[tolerances]]\nmetric = \"wait_time\"\n"+text,
			config.Builtin())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
