package experiments

import (
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"mbs":               "mbs",
		"a\x1b[31mb":        `a\x1b[31mb`,
		"a\nb\tc":           "a\nb\tc",
		"\xff\u202e\u0085é": `\xff\u202e\x85é`,
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
	if got := (&InputError{Problem: "a\nb\x00"}).Error(); got != `a\nb\x00` {
		t.Error(got)
	}
}

// Control characters have no place in names, whichever way they come in; texts
// of several lines may have line breaks.
func TestNamesCanBePrinted(t *testing.T) {
	for text, want := range map[string]string{
		"title = \"a\\u001b\"":                            `x.toml:1:1: title is "a\x1b", with the control character U+001B`,
		"title = \"a\\nb\"":                               `x.toml:1:1: title is "a\nb"`,
		"doc = \"\"\"\na\nb\\u0007\"\"\"":                 `x.toml:1:1: doc is`,
		"notes = [\"a\", \"b\\u202e\"]":                   `x.toml:1:15: notes[1] is`,
		"[[variants]]\nname = \"a\\u2028\"":               `x.toml:2:1: variants[0].name is`,
		"[workload]\nsource = \"swf\"\ntrace = \"a\\tb\"": `x.toml:3:1: workload.trace is`,
		"title = \"a\x01\"":                               `x.toml:1:11: there is the control character 0x01`,
		"title = \"a\xff\"":                               `x.toml:1:11: the byte 0xff is not UTF-8`,
		"# a\rb":                                          `x.toml:1:4: there is a carriage return without a line feed`,
	} {
		if _, err := ParseStudy("x.toml", text, BuiltinNames()); err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	mustParse(t, "doc = \"\"\"\na\n\tb\"\"\"\nnotes = [\"c\\nd\"]\nruns.seed = 1\r\n")
	st := mustParse(t, "runs.seed = 1")
	if err := st.SetBy("--trace", "workload.trace", "\"a\\u001b\"", BuiltinNames()); err == nil ||
		!strings.Contains(err.Error(), "U+001B") {
		t.Error(err)
	}
}

func TestCellsMeanWhatTheySay(t *testing.T) {
	for in, want := range map[string][2]string{
		`a|b`:     {`a\|b`, `a$|$b`},
		`<i>&`:    {`\<i>\&`, `$<$i$>$\&`},
		`$5`:      {`\$5`, `\$5`},
		"[a](b)":  {`[a]\(b)`, `[a](b)`},
		"\\*`":    {"\\\\\\*\\`", "\\textbackslash{}*`"},
		"x_mean":  {`x_mean`, `x\_mean`},
		"12 ± 3%": {`12 ± 3%`, `12 $\pm$ 3\%`},
	} {
		if got := markdownCell(in); got != want[0] {
			t.Errorf("Markdown of %q is %q, want %q", in, got, want[0])
		}
		if got := texCell(in); got != want[1] {
			t.Errorf("LaTeX of %q is %q, want %q", in, got, want[1])
		}
	}
	if got := texFirst("[16, 16]") + texFirst("mbs"); got != "{}[16, 16]mbs" {
		t.Error(got)
	}
}
