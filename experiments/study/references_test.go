package study

import (
	"strings"
	"testing"

	"contend/experiments/config"
)

const namesStudy = `name = "names"
[workload]
jobs = 5
[[variants]]
name = "few"
set = { "workload.interarrival.mean" = 2.0 }
[[variants]]
name = "many"
[[axes]]
key = "variant"
values = ["few", "many"]
[[axes]]
key = "allocator"
values = ["mbs", "first-fit", "random"]
`

// Each name that meets nothing is refused with its place and the nearest name.
func TestNamesThatMeetNothing(t *testing.T) {
	figure := "[[figures]]\nname = \"f\"\nkind = \"lines\"\nmetric = \"finish_time\"\n"
	rule := "[[tolerances]]\nrule = \"ratio\"\nmetric = \"finish_time\"\n"
	bounds := "[[tolerances]]\nrule = \"bounds\"\nmetric = \"finish_time\"\n"
	even := "[[break_even]]\nname = \"b\"\nmetric = \"finish_time\"\n"
	for name, c := range map[string]struct{ text, want string }{
		"x": {figure + `x = "workload.jobs"`,
			`:19:1: figures[0].x is workload.jobs, which is no axis of the study: there are variant, ` +
				`allocator`},
		"series": {figure + "x = \"variant\"\nseries = \"job.pattern\"",
			`:20:1: figures[0].series is job.pattern, which is no axis`},
		"panels": {figure + "x = \"variant\"\nseries = \"allocator\"\npanels = " +
			"[\"job.run\"]", `figures[0].panels[0] is job.run, which is no axis`},
		"where's value": {figure + "x = \"variant\"\nseries = \"allocator\"\nwhere = { " +
			"allocator = \"paging\" }", `:21:11: figures[0].where.allocator is paging: no point has it: ` +
			`there are mbs, first-fit, random`},
		"one of where's": {figure + "x = \"variant\"\nwhere = { allocator = [\"mbs\", " +
			"\"best-fit\"] }", `figures[0].where.allocator is best-fit: no point has it: did you mean ` +
			`"first-fit"?`},
		"where's key": {figure + "x = \"variant\"\nseries = \"allocator\"\nwhere = { " +
			"\"workload.jobs\" = 7 }", `figures[0].where.workload.jobs is 7: no point has it: there are 5`},
		"relative_to": {figure + "x = \"variant\"\nseries = \"allocator\"\nrelative_to = " +
			"\"randm\"", `figures[0].relative_to is "randm": no point has it as allocator: did you mean ` +
			`"random"?`},
		"the table's": {"[table]\nrelative_to = \"firstfit\"",
			`table.relative_to is "firstfit": no axis has it: did you mean "first-fit"?`},
		"among": {rule + "among = \"job.pattern\"",
			`tolerances[0].among is job.pattern, which is no axis`},
		"within": {rule + "within = nan",
			`tolerances[0].within is NaN: give a number`},
		"a rule's base": {rule + "relative_to = \"few\"",
			`tolerances[0].relative_to is "few": no point has it as allocator`},
		"an agreement": {"[[tolerances]]\nrule = \"agreement\"\nmetric = " +
			"\"finish_time\"\nwithin = 0.1", `tolerances[0].rule is agreement`},
		"a rule's where": {rule + "where = { variant = \"few\", allocator = \"paging\" }",
			`tolerances[0].where.allocator is paging`},
		"a measured value": {bounds + "max = 1.0\nof = \"few\"",
			`tolerances[0].of is "few": no point has it as allocator`},
		"no bound": {bounds + "of = \"mbs\"", `tolerances[0].rule is bounds and has none`},
		"bounds the wrong way round": {bounds + "min = 1\nmax = 0.5",
			`tolerances[0].max is 0.5 and min is 1`},
		"a measured reference": {bounds + "max = 1\nof = \"mbs\"\nrelative_to = \"mbs\"",
			`tolerances[0] measures mbs relative to itself`},
		"bounds with a distance": {bounds + "max = 1\nwithin = 0.1",
			`tolerances[0].rule is bounds, which has no within`},
		"a bound of another rule": {rule + "max = 1", `tolerances[0].rule is ratio, which has no max`},
		"when it was set":         {rule + "set = \"now\"", `tolerances[0].set is "now"`},
		"a name":                  {rule + "name = \"MBS first\"", `tolerances[0].name is "MBS first"`},
		"a name twice": {rule + "name = \"first\"\n" + rule + "name = \"first\"",
			`tolerances[0] and tolerances[1] are both called first`},
		"a ranking": {"[[tolerances]]\nrule = \"ranking\"\nmetric = " +
			"\"finish_time\"\nranking = [\"mbs\", \"frst-fit\"]", `tolerances[0].ranking[1] is "frst-fit"`},
		"an override's key": {"[[overrides]]\nwhen = { \"workload.jobs\" = 6 }\nset = { " +
			"\"workload.jobs\" = 7 }", `overrides[0].when.workload.jobs is 6: no point has it`},
		"an override's value": {"[[overrides]]\nwhen = { allocator = \"mc\" }\nset = { " +
			"\"workload.jobs\" = 7 }", `overrides[0].when.allocator is mc: no point has it`},
		"values apart": {figure + "x = \"variant\"\nwhere = { variant = \"few\", " +
			"\"workload.interarrival.mean\" = 10.0 }", `figures[0].where`},
		"along": {even + "along = \"workload.interarrival.mean\"\namong = " +
			"\"variant\"\nagainst = \"fw\"", `break_even[0].against is "fw": no point has it as variant: ` +
			`did you mean "few"?`},
		"a figure twice": {figure + "x = \"variant\"\n" + figure + "x = \"allocator\"",
			`figures[1].name: figures names f twice`},
		"a metric twice": {"[table]\nmetrics = [\"finish_time\", \"utilization\", " +
			"\"finish_time\"]", `table.metrics[2]: table.metrics names finish_time twice`},
		"an axis twice": {"[[axes]]\nkey = \"allocator\"\nvalues = [\"mc\"]",
			`axes names allocator twice: give each once`},
	} {
		_, err := Parse("x.toml", namesStudy+c.text, config.Builtin())
		want := strings.ReplaceAll(strings.ReplaceAll(c.want, "figures[1].name: ", ""),
			"table.metrics[2]: ", "")
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "x.toml:") {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if _, err := Parse("x.toml", "primary = [\"finish_time\", \"finish_time\"]\n"+namesStudy,
		config.Builtin()); err == nil ||
		!strings.HasPrefix(err.Error(), "x.toml:1:27: primary names finish_time twice") {
		t.Error(err)
	}
}

// Flags may take away what a study names; so may --quick. The study that is left
// behind is read again.
func TestFlagsMayTakeNamesAway(t *testing.T) {
	names := config.Builtin()
	text := namesStudy + "[[overrides]]\nwhen = { allocator = \"mbs\" }\nset = { " +
		"\"workload.jobs\" = 7 }\n[[figures]]\nname = \"f\"\nkind = \"lines\"\n" +
		"x = \"variant\"\nseries = \"allocator\"\nrelative_to = \"first-fit\"\nmetric = " +
		"\"finish_time\"\n"
	st := mustParse(t, text)
	narrowed := func() bool { return len(st.Changed)+len(st.Selected) > 0 }
	if narrowed() {
		t.Error("narrowed without a flag")
	}
	if err := st.SetAxis("allocator", "random"); err != nil {
		t.Fatal(err)
	}
	if err := st.Check(); err != nil {
		t.Fatal(err)
	}
	if _, err := Parse("spec.toml", st.TOML("x"), names); err != nil || !narrowed() {
		t.Errorf("narrowed %v, %v", narrowed(), err)
	}
}

// A flag takes the label of a value, or the value as the study has it, with signs = or without.
func TestNamesToPrintOfAFlag(t *testing.T) {
	st, err := Parse("s.toml", "name = \"s\"\n[workload]\nsource = \"traffic\"\ntraffic_load = 0.1\n"+
		"[[axes]]\nkey = \"workload.traffic\"\nvalues = [\"uniform\", \"hotspot:nodes=0,share=0.2\"]\n",
		config.Builtin())
	if err != nil {
		t.Fatal(err)
	}
	points, err := st.Points()
	if err != nil {
		t.Fatal(err)
	}
	label := st.LabelAt(&points[1], "workload.traffic")
	for _, value := range []string{label, "hotspot:share=0.2,nodes=0"} {
		got, err := st.PrintLabels("--label", []string{value + "=Hot = 20%", "uniform=U"})
		if err != nil || len(got) != 2 || got[label] != "Hot = 20%" || got["uniform"] != "U" {
			t.Errorf("%s: %v, %v", value, got, err)
		}
	}
	for text, want := range map[string]string{"uniform": "give VALUE=NAME",
		"uniform=": "give VALUE=NAME",
		"unifrm=U": `--label: the flag names "unifrm", which is no value of an axis`} {
		if _, err := st.PrintLabels("--label", []string{text}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
