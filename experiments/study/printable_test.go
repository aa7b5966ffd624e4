package study

import (
	"strings"
	"testing"

	"contend/experiments/spec"
)

// Control characters have no place in names, whichever way they come in; texts
// of several lines may have line breaks.
func TestNamesCanBePrinted(t *testing.T) {
	for text, want := range map[string]string{
		"title = \"a\\u001b\"": `x.toml:1:1: title is "a\x1b", ` +
			`with the control character U+001B`,
		"title = \"a\\nb\"":                               `x.toml:1:1: title is "a\nb"`,
		"doc = \"\"\"\na\nb\\u0007\"\"\"":                 `x.toml:1:1: doc is`,
		"notes = [\"a\", \"b\\u202e\"]":                   `x.toml:1:15: notes[1] is`,
		"[[variants]]\nname = \"a\\u2028\"":               `x.toml:2:1: variants[0].name is`,
		"[workload]\nsource = \"swf\"\ntrace = \"a\\tb\"": `x.toml:3:1: workload.trace is`,
		"title = \"a\x01\"":                               `x.toml:1:10: TOML files cannot contain control characters: '0x01'`,
		"title = \"a\xff\"":                               `x.toml:1:10: invalid UTF-8 byte: 0xff`,
		"# a\rb":                                          `x.toml:1:3: TOML files cannot contain control characters: '0x0d'`,
	} {
		if _, err := Parse("x.toml", text, spec.BuiltinNames()); err == nil ||
			!strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	mustParse(t, "doc = \"\"\"\na\n\tb\"\"\"\nnotes = [\"c\\nd\"]\nruns.seed = 1\r\n")
	st := mustParse(t, "runs.seed = 1")
	if err := st.SetBy("--trace", "workload.trace", "\"a\\u001b\"",
		spec.BuiltinNames()); err == nil ||
		!strings.Contains(err.Error(), "U+001B") {
		t.Error(err)
	}
}
