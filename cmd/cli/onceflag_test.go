package cli

import (
	"bytes"
	"strings"
	"testing"

	"contend/experiments/config"
)

// A flag that takes one value is refused where it is given twice, with what to do, by every
// command; flags that may be repeated are not.
func TestFlagsGivenTwice(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"net --topology mesh:4x4 --topology torus:4x4", "contend: --topology torus:4x4: --topology " +
			"mesh:4x4 is given too: give the flag once, and run the command once for each value\n"},
		{"net --loads 0.1 --loads 0.2", "contend: --loads 0.2: --loads 0.1 is given too: give the " +
			"flag once, and separate its values by commas\n"},
		{"run demo -o a --out b", "contend: --out b: --out a is given too: "},
		{"run demo --workers 1 --workers 1", "contend: --workers 1: --workers 1 is given too: "},
		{"compare out --by allocator --by variant", "--by allocator is given too"},
		{"run demo --seed x", "contend: --seed: the value is \"x\": give a whole number\n"},
		{"run nowhere --set runs.seed=1 --set network.vcs=2", "nowhere"},
	} {
		var out, errs bytes.Buffer
		status := run(strings.Fields(c.args), &out, &errs, config.Builtin())
		if !strings.Contains(errs.String(), c.want) || status != exitInput {
			t.Errorf("contend %s: status %d, %swant %s", c.args, status, errs.String(), c.want)
		}
	}
}
