package study

import (
	"math"
	"strings"
	"testing"

	"contend/experiments/config"
)

func TestLandmarksThatAreRefused(t *testing.T) {
	const axis, size = "along = \"workload.jobs\"\n", "along = \"size\"\n"
	for text, want := range map[string]string{
		"name = \"A b\"\ntake = \"max\"\nmetric = \"jobs\"\n" + axis:                      "name of its own",
		"name = \"a\"\ntake = \"least\"\nmetric = \"jobs\"\n" + axis:                      "landmarks[0].take is \"least\"",
		"name = \"a\"\ntake = \"at\"\nmetric = \"jobs\"\n" + axis:                         "take is at, and at has 0",
		"name = \"a\"\ntake = \"max\"\nat = [2]\nmetric = \"jobs\"\n" + axis:              "take is max, and at has 1",
		"name = \"a\"\ntake = \"max\"\nabove = 2\nmetric = \"jobs\"\n" + axis:             "which has no above",
		"name = \"a\"\ntake = \"max\"\nwithin = 0.1\nmetric = \"jobs\"\n" + axis:          "take peak",
		"name = \"a\"\ntake = \"max\"\nmetric = \"jobz\"\n" + axis:                        "landmarks[0].metric is \"jobz\"",
		"name = \"a\"\ntake = \"max\"\nmetric = \"jobs\"\nalong = \"allocator\"\n":        "an axis of numbers",
		"name = \"a\"\ntake = \"max\"\nmetric = \"jobs\"\nalong = \"runs.seed\"\n":        "an axis of numbers",
		"name = \"a\"\ntake = \"max\"\nmetric = \"wait_time\"\n" + size:                   "landmarks[0].metric",
		"name = \"a\"\ntake = \"max\"\nmetric = \"sum_pairwise_distance\"\n" + size:       "relative_to \"\"",
		"name = \"a\"\ntake = \"max\"\nmetric = \"jobs\"\nrelative_to = \"mbs\"\n" + axis: "along an axis",
	} {
		_, err := Parse("a.toml", namesStudy+"[[axes]]\nkey = \"workload.jobs\"\nvalues = [5, 6]\n[[landmarks]]\n"+text, config.Builtin())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
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
