package study

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/internal/input"
	"contend/internal/must"
)

// describeVariants is what the variants and the override decide.
func describeVariants(t *testing.T, st *Study) string {
	t.Helper()
	if err := st.Check(); err != nil {
		t.Fatal(err)
	}
	points := must.Have(st.Points())
	var b strings.Builder
	for _, p := range points {
		b.WriteString(strings.Join(p.Labels, "|") + "|")
		for line := range strings.Lines(p.Spec.Canonical()) {
			if !strings.HasPrefix(line, "allocator ") {
				b.WriteString(strings.TrimPrefix(strings.TrimSpace(line), "network.") + "; ")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestVariants(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Study) error
		want   string
	}{
		{"as it is", func(*Study) error { return nil }, `
plain|mbs|job.flits = 3; 
plain|first-fit|
deep, fast|mbs|buffer_flits = 8; routing_cycles = 1; 
deep, fast|first-fit|buffer_flits = 8; routing_cycles = 1; 
whole packets|mbs|buffer_flits = 8; switching = "store-and-forward"; job.flits = 3; 
whole packets|first-fit|buffer_flits = 8; switching = "store-and-forward"; 
`},
		{"quick", func(st *Study) error { return st.UseQuick() }, `
plain|mbs|job.flits = 5; 
plain|first-fit|job.flits = 5; 
`},
		{"an axis that chooses", func(st *Study) error {
			return st.SetAxis("variant", `whole packets,"deep, fast"`)
		}, `
whole packets|mbs|buffer_flits = 8; switching = "store-and-forward"; job.flits = 3; 
whole packets|first-fit|buffer_flits = 8; switching = "store-and-forward"; 
deep, fast|mbs|buffer_flits = 8; routing_cycles = 1; 
deep, fast|first-fit|buffer_flits = 8; routing_cycles = 1; 
`},
		{"a key set for all points wins over overrides", func(st *Study) error {
			st.SetAxis("allocator", "mbs")
			return st.Set("job.flits", "9")
		}, `
plain|mbs|job.flits = 9; 
deep, fast|mbs|buffer_flits = 8; routing_cycles = 1; job.flits = 9; 
whole packets|mbs|buffer_flits = 8; switching = "store-and-forward"; job.flits = 9; 
`},
		{"an axis wins over overrides", func(st *Study) error {
			st.SetAxis("allocator", "mbs")
			st.SetAxis("variant", "plain")
			st.SetAxis("network.buffer_flits", "4,9")
			return st.SetAxis("job.flits", "5")
		}, `
plain|mbs|4|5|buffer_flits = 4; job.flits = 5; 
plain|mbs|9|5|buffer_flits = 9; job.flits = 5; 
`},
	} {
		st := mustParse(t, configtest.VariantsStudy)
		if err := c.change(st); err != nil {
			t.Fatal(err)
		}
		st.SplitFigures()
		if diff := cmp.Diff(strings.TrimPrefix(c.want, "\n"), describeVariants(t, st)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		again := mustParse(t, st.TOML("test"))
		if diff := cmp.Diff(describeVariants(t, st), describeVariants(t, again)); diff != "" {
			t.Errorf("%s: after the round trip %s", c.name, diff)
		}
	}
}

func TestBadVariants(t *testing.T) {
	const two = "[[variants]]\nname = \"deep\"\nset = { \"network.buffer_flits\" = 8 " +
		"}\n[[variants]]\nname = \"plain\"\n"
	for _, c := range []struct{ name, text, want string }{
		{"override", two + "[[overrides]]\nwhen = { variant = \"deap\" }",
			`x.toml:7:10: variant is "deap": did you mean "deep"? (there are deep, plain)`},
		{"one of a list", two + "[[overrides]]\nwhen = { variant = [\"deep\", \"plane\"] }",
			`x.toml:7:10: variant is "plane": did you mean "plain"? (there are deep, plain)`},
		{"axis", two + "[[axes]]\nkey = \"variant\"\nvalues = [\"deep\", \"plian\"]",
			`x.toml:8:19: variant is "plian": did you mean "plain"? (there are deep, plain)`},
		{"small version", two + "[[quick.axes]]\nkey = \"variant\"\nvalues = [\"dep\"]",
			`x.toml:8:11: variant is "dep": did you mean "deep"? (there are deep, plain)`},
		{"figure", two + "[[figures]]\nname = \"a\"\nkind = \"bars\"\nmetric = " +
			"\"finish_time\"\nx = \"variant\"\nwhere = { variant = \"deap\" }",
			`x.toml:11:11: variant is "deap": did you mean "deep"? (there are deep, plain)`},
		{"no variants", "[[axes]]\nkey = \"variant\"\nvalues = [\"deep\"]",
			`x.toml:3:11: the study has no variants: name them in [[variants]]`},
		{"another name for the axis", two + "[[axes]]\nkey = \"variants\"\nvalues = [\"deep\"]",
			`x.toml:7:1: variants is no key of runs: it is a part of the file of a study`},
		{"a variant of a variant", "[[variants]]\nname = \"deep\"\nset = { variant = \"deep\" }",
			`x.toml:3:9: unknown key variant: contend list keys shows all`},
		{"without a name", "[[variants]]\nset = { \"network.buffer_flits\" = 8 }",
			`x.toml:1:1: variants[0] has no name: give a name for tables and figures`},
		{"name twice", two + "[[variants]]\nname = \"deep\"",
			`x.toml:7:1: two variants are called deep: give each name once`},
		{"no axis", two,
			`x.toml:2:1: the study has variants and no axis that chooses from them: add [[axes]] with ` +
				`key = "variant" and their names as values`},
		{"not a run", two + "[[variants]]\nname = \"more\"\nset = { \"network.switching\" = " +
			"\"store-and-forward\" }\n[[axes]]\nkey = \"variant\"\nvalues = [\"more\"]",
			`x.toml:1:1, at more: network.buffer_flits is 2 with store-and-forward switching ` +
				`and packets of 8 flits: a buffer must hold a whole packet`},
	} {
		_, err := Parse("x.toml", c.text, config.Builtin())
		var bad *input.Error
		if !errors.As(err, &bad) {
			t.Errorf("%s: %v is not an input.Error", c.name, err)
		} else if diff := cmp.Diff(c.want, err.Error()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	st := mustParse(t, configtest.VariantsStudy)
	for _, c := range []struct {
		err  error
		want string
	}{
		{st.SetAxis("variant", "plain,plaine"),
			`--axis variant=plain,plaine: variant is "plaine": did you mean "plain"? (there are plain, ` +
				`deep, fast, whole packets)`},
		{st.SetAxis("variant", "plain,plain"),
			`--axis variant=plain,plain: the axis variant has plain twice: give each value once`},
		{st.Set("network.buffer_flits", "9"),
			`--set network.buffer_flits=9: the variant deep, fast sets network.buffer_flits itself, so ` +
				`the name of its row would be false: choose variants with --axis variant=..., or write a ` +
				`study of your own`},
		{st.Set("variant", "plain"),
			`--set variant=plain: variant is a key of axes only: choose with --axis variant=plain`},
	} {
		if c.err == nil || c.err.Error() != c.want {
			t.Errorf("%v, want %s", c.err, c.want)
		}
	}
}
