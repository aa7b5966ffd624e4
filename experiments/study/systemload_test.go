package study

import (
	"testing"

	"contend/experiments/config"
	"contend/internal/must"
)

// Machines and networks have the same jobs at a load: they are submitted as the mean time alone on
// the first says, and each on its own with calibrate_on = each. Machines with other sides draw
// other jobs, if these depend on the sides, and then have a time of their own.
func TestLoadsOfMachines(t *testing.T) {
	const base = "job.pattern = \"ring\"\n[workload]\njobs = 20\nsystem_load = 0.5\n"
	for _, c := range []struct {
		name, keys, axis, values string
		same                     bool
	}{
		{"machines of one size", "", "machine.topology", `["mesh:8x8", "torus:8x8", "tree:8x2"]`, true},
		{"each on its own", "job.calibrate_on = \"each\"\n", "machine.topology",
			`["mesh:8x8", "torus:8x8"]`, false},
		{"networks", "", "network.routing_cycles", `[1, 9]`, true},
		{"sides that fit both", "workload.side.max = 4\n", "machine.dims", `[[8, 8], [12, 12]]`, true},
		{"sizes without sides", "workload.processors = 4\n", "machine.topology",
			`["mesh:8x8", "mesh:4x4x2", "tree:4x2"]`, true},
		{"sides of the machine", "", "machine.dims", `[[4, 4], [12, 12]]`, false},
		{"loads", "", "workload.system_load", `[0.5, 2.0]`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "network.virtual_channels = 2\nallocator = \"random\"\n" + c.keys + base +
				"[[axes]]\nkey = \"" + c.axis + "\"\nvalues = " + c.values + "\n"
			points := must.Have(must.Have(Parse("x.toml", text, config.Builtin())).Points())
			want := jobsOf(t, &points[0].Spec, 1, true)
			for _, p := range points[1:] {
				if got := jobsOf(t, &p.Spec, 1, true); (got == want) != c.same || len(got) < 100 {
					t.Errorf("%v: jobs are the same: %v, want %v\n%s\n%s", p.Labels, got == want, c.same,
						want, got)
				}
				if own := p.Spec.Job.CalibrateOn == ""; own == c.same {
					t.Errorf("%v: calibrated on %q", p.Labels, p.Spec.Job.CalibrateOn)
				}
			}
		})
	}
}
