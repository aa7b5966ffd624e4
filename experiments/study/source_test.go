package study

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/internal/input"
)

// tomlOf writes a value as TOML.
func tomlOf(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case []any:
		var parts []string
		for _, x := range v {
			parts = append(parts, tomlOf(x))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprint(v)
}

// firstError returns what is wrong with a study, as contend run finds it before a run.
func firstError(text string) error {
	names := config.Builtin()
	st, err := Parse("x.toml", text, names)
	if err != nil {
		return err
	}
	points, err := st.Points()
	if err != nil {
		return st.Place(err, nil)
	}
	for i := range points {
		if _, err := points[i].Spec.Plan(); err != nil {
			return st.Place(err, points[i].Labels)
		}
	}
	return nil
}

// Keys that contradict each other have file, line and column, whether they stand in the base, in
// an axis or in an override.
func TestContradictionsHaveAPlace(t *testing.T) {
	const axis = "[[axes]]\nkey = \"allocator\"\nvalues = [\"mbs\", \"random\"]\n"
	for _, c := range []struct{ text, want string }{
		{"[workload]\njobs = 5\nside.min = 9\nside.max = 4\n",
			"x.toml:3:1: workload.side.min is 9 with workload.side.max 4"},
		{"[workload]\njobs = 5\nside.min = 9\nside.max = 4\n" + axis,
			"x.toml:3:1, at mbs: workload.side.min is 9"},
		{"[network]\nvirtual_channels = 1\nrouting = \"dateline\"\n[machine]\n" +
			"topology = \"torus\"\n" + axis,
			"x.toml:2:1, at mbs: network.virtual_channels is 1"},
		{"[job]\nquota.iterations = 0\n" + axis, "x.toml:2:1, at mbs: a job's quota is 0 messages"},
		{"[network]\nbuffer_flits = 4\n[[axes]]\nkey = \"network.switching\"\n" +
			"values = [\"wormhole\", \"store-and-forward\"]\n",
			"x.toml:2:1, at store-and-forward: network.buffer_flits is 4"},
		{"[[axes]]\nkey = \"network.buffer_flits\"\nvalues = [8, 4]\n[network]\n" +
			"switching = \"store-and-forward\"\n", "x.toml:1:1, at 4: network.buffer_flits is 4"},
		{axis + "[[overrides]]\nwhen = { allocator = \"mbs\" }\nset = { \"workload.side.max\" = 0, " +
			"\"workload.side.min\" = 99 }\n", "x.toml:6:34, at mbs: workload.side.min is 99"},
	} {
		checkError(t, firstError(c.text), c.text, c.want)
	}
}

// Whatever keys are drawn, what is wrong with them has file, line and column.
func TestDrawnErrorsHaveAPlace(t *testing.T) {
	rng, names := rand.New(rand.NewPCG(11, 12)), config.Builtin()
	base, keys, wrong := config.DefaultSpec(), config.Keys(), map[string]bool{}
	place := regexp.MustCompile(`^x\.toml:\d+:\d+`)
	for range 1500 {
		text := ""
		for _, n := range rng.Perm(len(keys))[:4] {
			if list := valuesFor(keys[n], names, &base); len(list) > 0 {
				text += keys[n].Path + " = " + tomlOf(list[rng.IntN(len(list))]) + "\n"
			}
		}
		err := firstError(text)
		var bad *input.Error
		switch {
		case err == nil:
			continue
		case !errors.As(err, &bad) || !place.MatchString(err.Error()):
			t.Errorf("%s%v", text, err)
		default:
			wrong[bad.Key+bad.Right] = true
		}
	}
	if len(wrong) < 60 {
		t.Errorf("only %d different errors were seen", len(wrong))
	}
}
