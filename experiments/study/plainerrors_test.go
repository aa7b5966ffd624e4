package study

import (
	"strings"
	"testing"

	"contend/experiments/config"
)

// What a user writes wrong is said in plain words, in at most 400 characters, before a run.
func TestPlainErrors(t *testing.T) {
	long := strings.Repeat("a", 3000)
	for _, c := range []struct{ text, want string }{
		{"[workload]\njobs = 99999999999999999999\n",
			"x.toml:2:8: 99999999999999999999 is too large: give an integer from -2^63 to 2^63-1"},
		{"[network]\nclass_flit_cycles = 1e999\n", "1e999 is too large: give a number of at most"},
		{"allocator = \"" + long + "\"\n", `allocator is "` + long[:60] + `...": there are paging, `},
		{"machine.topology = \"" + long + "\"\n", long[:60] + `...": there are mesh, `},
		{"labels = { mbs = \"a\\u001bb\" }\nworkload.jobs = 4\n",
			`x.toml:1:12: labels.mbs is "a\x1bb", with the control character U+001B`},
		{"workload.jobs = 4\n[[axes]]\nkey = \"allocator\"\nvalues = [\"mbs\"]\n[[figures]]\n" +
			"name = \"captions\"\nkind = \"bars\"\nx = \"allocator\"\nmetric = \"finish_time\"\n",
			`x.toml:6:1: figures[0].name is "captions", which is that of the captions of all figures`},
	} {
		_, err := Parse("x.toml", c.text, config.Builtin())
		if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 400 {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
}
