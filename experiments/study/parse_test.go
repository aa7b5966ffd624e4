package study

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/internal/input"
)

// Every class of bad input, with the whole message.
func TestBadInput(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"syntax", "[machine\ndims = [1]",
			`x.toml:1:9: expected '.' or ']' to end table name, but got '\n' instead`},
		{"unknown key", "[network]\nbufer_flits = 3",
			`x.toml:2:1: unknown key network.bufer_flits: did you mean network.buffer_flits?`},
		{"unknown dotted key", "network.x.y = 3",
			`x.toml:1:1: unknown key network.x: contend list keys shows all`},
		{"unknown section", "[netwrk]\nbuffer_flits = 3",
			`x.toml:1:1: unknown key netwrk: did you mean "network"? (there are machine, network, ` +
				`workload, job, scheduler, allocator, runs, name, title, labels, cites, doc, primary, ` +
				`variants, axes, overrides, quick, table, figures, break_even, landmarks, differences, ` +
				`published, tolerances, misses, notes, inputs, changed, selected)`},
		{"wrong type", "[network]\n  buffer_flits = \"two\"",
			`x.toml:2:3: network.buffer_flits is the string "two": give an integer from 1 to 32767, ` +
				`or a size such as "64 B"`},
		{"float for integer", "[network]\nbuffer_flits = 2.5",
			`x.toml:2:1: network.buffer_flits is 2.5: give an integer from 1 to 32767`},
		{"not a number", "[workload]\nload_scale = nan",
			`x.toml:2:1: workload.load_scale is NaN: give a number above 0`},
		{"choice", "[network]\nswitching = \"wormhoel\"",
			`x.toml:2:1: network.switching is "wormhoel": did you mean "wormhole"? (there are wormhole, ` +
				`virtual-cut-through, store-and-forward)`},
		{"name", "[job]\npattern = \"all-to-al\"",
			`x.toml:2:1: job.pattern is "all-to-al": did you mean "all-to-all"? (there are `},
		{"mix", "[job]\npattern = \"ring:0+fft\"",
			`x.toml:2:1: job.pattern is "ring:0+fft", where the weight "0" of ring is not a number above ` +
				`0: give a name, or names with weights such as all-to-all:2+ring:1`},
		{"inline", "[workload]\nside = { min = 2, maxx = 3 }",
			`x.toml:2:19: unknown key workload.side.maxx: did you mean workload.side.max?`},
		{"list", "[machine]\ndims = [16, 0]",
			`x.toml:2:13: machine.dims[1] is 0: give an integer at least 1`},
		{"table for a value", "[network.buffer_flits]\na = 1",
			`x.toml:1:1: network.buffer_flits is a table: give an integer from 1 to 32767`},
		{"value for a table", "network = 3",
			`x.toml:1:1: network is a table, not 3: it holds keys, see contend list keys`},
		{"exclusive", "[workload]\nsystem_load = 2\n[workload.interarrival]\nmean = 1",
			`x.toml:4:1: workload.system_load and workload.interarrival.mean exclude each other: give one ` +
				`of them`},
		{"load of messages", "[workload]\nsource = \"cplant-stream\"\nsystem_load = 0.3",
			`x.toml:3:1: workload.system_load has no effect: it acts with job.run = fixed, ` +
				`job.quota.per_second or workload.source = synthetic, and job.run is messages: the ` +
				`network decides how long jobs run, and workload.interarrival.mean or, of synthetic ` +
				`jobs, workload.system_load says how fast they arrive: leave it out`},
		{"service of messages", "[workload]\nsystem_load = 0.3\nservice.mean = 2",
			`x.toml:3:1: workload.service.mean has no effect: it acts with job.run = fixed or ` +
				`job.quota.per_second, and job.run is messages: the network decides how long jobs run, ` +
				`and workload.interarrival.mean or, of synthetic jobs, workload.system_load says how ` +
				`fast they arrive: leave it out`},
		{"quota", "[job.quota]\niterations = 0",
			`x.toml:2:1: a job's quota is 0 messages: give one of job.quota.iterations, ` +
				`.benchmarks, .mean_iterations, .messages and .per_second above 0`},
		{"part of an iteration", "[job.quota]\niterations = 2.5",
			`x.toml:2:1: job.quota.iterations is 2.5, and jobs do whole iterations: give a whole ` +
				`number, or job.quota.messages for a part of an iteration`},
		{"cut of whole iterations", "[job]\ncut = \"process\"\nquota.iterations = 2",
			`x.toml:2:1: job.cut has no effect: it acts with job.quota.messages, ` +
				`job.quota.mean_iterations or job.quota.per_second: leave it out`},
		{"sides", "[workload]\nside.min = 9\nside.max = 3",
			`x.toml:2:1: workload.side.min is 9 with workload.side.max 3: it must not be above ` +
				`workload.side.max`},
		{"wrap", "[machine]\nwrap = [true]",
			`x.toml:2:1: machine.wrap has 1 entries for 2 dimensions: give 2`},
		{"store and forward", "[network]\nswitching = \"store-and-forward\"",
			`x.toml:1:1: network.buffer_flits is 2 with store-and-forward switching ` +
				`and packets of 8 flits: a buffer must hold a whole packet`},
		{"short form", "allocator = \"pagin:2\"",
			`x.toml:1:1: allocator is "pagin": did you mean "paging"? (there are `},
		{"short form's order", "allocator = \"paging:2,snak\"",
			`x.toml:1:1: paging has no parameter "snak": there are page (from 0 to 12), ` +
				`order (row-major, shuffled-row-major, snake, shuffled-snake, middle-out), ` +
				`page_ranks (row-major, mirrored, reversed)`},
		{"axis key", "[[axes]]\nkey = \"job.pattrn\"\nvalues = [1]",
			`x.toml:2:1: unknown key job.pattrn: did you mean job.pattern?`},
		{"axis value", "[[axes]]\nkey = \"job.pattern\"\nvalues = [\"fft\", \"ffft\"]",
			`x.toml:3:18: job.pattern is "ffft": did you mean "fft"? (there are `},
		{"second axis", "[[axes]]\nkey = \"job.flits\"\nvalues = [1]\n[[axes]]\nkey = " +
			"\"job.grid\"\nvalue = [1]", `x.toml:6:1: unknown key axes[1].value: did you mean "values"? ` +
			`(there are key, values, until)`},
		{"end of another axis", "[[axes]]\nkey = \"job.flits\"\nvalues = [1]\nuntil = \"saturated\"",
			`x.toml:4:1: the axis job.flits does not end: until acts on workload.traffic_load: ` +
				`leave it out`},
		{"unknown end", "[workload]\nsource = \"traffic\"\n[[axes]]\nkey = \"workload.traffic_load\"\n" +
			"values = [0.1]\nuntil = \"late\"", `x.toml:6:1: axes[0].until is "late": there are saturated`},
		{"axis without values", "[[axes]]\nkey = \"job.flits\"",
			`x.toml:1:1: the axis job.flits has no values: give a list of values`},
		{"axis twice the same", "[[axes]]\nkey = \"job.flits\"\nvalues = [1, 1]",
			`x.toml:3:14: the axis job.flits has 1 twice: give each value once`},
		{"axis over runs", "[[axes]]\nkey = \"runs.replications\"\nvalues = [1]",
			`x.toml:2:1: runs.replications cannot be an axis: it applies to the whole study`},
		{"override", "[[overrides]]\nset = { \"job.flit\" = 2 }",
			`x.toml:2:9: unknown key job.flit: did you mean job.flits?`},
		{"bad point", "[[axes]]\nkey = \"workload.side.max\"\nvalues = [3, " +
			"1]\n[workload.side]\nmin = 2",
			`x.toml:5:1, at 1: workload.side.min is 2 with workload.side.max 1: ` +
				`it must not be above workload.side.max`},
		{"figure", "[[figures]]\nname = \"a\"\nkind = \"pie\"",
			`x.toml:3:1: figures[0].kind is "pie": there are bars, lines, difference, table, scatter, ` +
				`sizes, break-even, map, gantt, channel-load, interference, interference-pairs, ` +
				`slowdowns, interference-channels, series, ecdf, box, coverage`},
		{"metric", "primary = [\"finish\"]",
			`x.toml:1:12: primary[0] is "finish": did you mean "finish_time"? (there are finish_time, ` +
				`makespan, utilization, service_load, submitted_load, offered_load, jobs, ` +
				`jobs_killed, response_time, wait_time and `},
		{"relative to nothing", "[table]\nrelative_to = \"mbs\"",
			`x.toml:2:1: table.relative_to is "mbs", and the study has no axes: leave it out, or give ` +
				`the study an axis`},
		{"published without a value", "[published]\ncsv = \"allocator,finish_time\\nmbs,nan\"",
			`x.toml:1:1: row 1 of the published figures has the finish_time "nan": give a number`},
		{"published", "[published]\ncsv = \"allocator,speed\\nmbs,1\"",
			`x.toml:1:1: the published figures have a column "speed" that is neither a key nor a metric: ` +
				`there are `},
		{"published without a row", "[published]\ncsv = \"allocator,speed\"",
			`x.toml:1:1: the published figures have a column "speed" that is neither a key nor a metric: ` +
				`there are `},
	} {
		_, err := Parse("x.toml", c.text, config.Builtin())
		var bad *input.Error
		if !errors.As(err, &bad) {
			t.Errorf("%s: %v is not an input.Error", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, beginning(err, c.want)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// beginning returns the text of an error, cut where a wanted text ends in a space: a list of names
// follows.
func beginning(err error, want string) string {
	got := err.Error()
	if n := len(want); want[n-1] == ' ' && len(got) > n {
		return got[:n]
	}
	return got
}

func TestBadFlags(t *testing.T) {
	set := func(key, value string) func(*Study) error {
		return func(st *Study) error { return st.Set(key, value) }
	}
	axis := func(key, values string) func(*Study) error {
		return func(st *Study) error { return st.SetAxis(key, values) }
	}
	for _, c := range []struct {
		do   func(*Study) error
		want string
	}{
		{set("network.buffer_flits", "-4"),
			`--set network.buffer_flits=-4: network.buffer_flits is -4: give an integer from 1 to 32767`},
		{set("network.buffer_flit", "4"),
			`--set network.buffer_flit=4: unknown key network.buffer_flit: did you mean ` +
				`network.buffer_flits?`},
		{set("allocator.rotate", "true"),
			`--set allocator.rotate=true: the axis allocator sets allocator.rotate at every point: give ` +
				`values with their parameters, such as --axis allocator=first-fit:rotate,mbs`},
		{axis("job.flits", "1,x"),
			`--axis job.flits=1,x: job.flits is the string "x": give an integer from 1 to 2147483647, ` +
				`or a size such as "64 B"`},
		{axis("allocator", "mbz"),
			`--axis allocator=mbz: allocator is "mbz": did you mean "mbs"? (there are `},
	} {
		st := &Study{Base: config.DefaultSpec(),
			Axes: []Axis{{Key: "allocator", Values: []any{"mbs"}}}}
		err := c.do(st)
		if err == nil {
			t.Errorf("no error, want %s", c.want)
			continue
		}
		if diff := cmp.Diff(c.want, beginning(err, c.want)); diff != "" {
			t.Error(diff)
		}
	}
}

// The time for keys grows with their number, not with its square.
func TestParseManyUnknownKeys(t *testing.T) {
	var b strings.Builder
	b.WriteString("[job]\n")
	for i := range 50000 {
		fmt.Fprintf(&b, "k%d = 1\n", i)
	}
	began := time.Now()
	_, err := Parse("x.toml", b.String(), config.Builtin())
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("50000 keys take %v", took)
	}
	if err == nil || !strings.Contains(err.Error(), "x.toml:2:1: unknown key job.k0") {
		t.Error(err)
	}
}
