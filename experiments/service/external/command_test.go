package external

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/internal/must"
)

// A command keeps its words, and names the files that it depends on.
func TestCanonical(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.py": "print(1)", "b c.json": "{}", "python3": ""} {
		write(t, name, text)
	}
	for text, want := range map[string]string{
		"python3  a.py":          "sha256=D python3 a.py",
		"./python3 --x=a.py":     "sha256=D ./python3 --x=a.py",
		"python3 --x":            "python3 --x",
		"deadline=10.0 p":        "p",
		"deadline=0.5 p a=b":     "deadline=0.5 p a=b",
		"start=60 p":             "p",
		"start=5 deadline=2 p":   "deadline=2 start=5 p",
		`p 'b c.json' ""`:        `sha256=D p "b c.json" ""`,
		`p it"'"s '"x"' a"'"'"'`: `p "it's" '"x"' 'a'"'"'"'`,
		"sha256=0123456789abcdef deadline=60 python3 a.py": "deadline=60 sha256=0123456789abcdef " +
			"python3 a.py",
	} {
		got := must.Have(Canonical(text))
		plain := got
		if i := strings.Index(got, "sha256="); strings.Contains(want, "D") {
			plain = got[:i+7] + "D" + got[i+7+digestDigits:]
		}
		if plain != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
		if again := must.Have(Canonical(got)); again != got {
			t.Errorf("%s becomes %s", got, again)
		}
	}
	before := must.Have(Canonical("python3 a.py"))
	if swapped := must.Have(Canonical("python3 -u a.py")); swapped[:23] == before[:23] {
		t.Error("the place of a file is not in the digest")
	}
	write(t, "a.py", "print(2)")
	if after := must.Have(Canonical("python3 a.py")); after == before {
		t.Error("another program has the same digest")
	}
	site, _ := siteOf(t)
	t.Setenv("PATH", must.Have(os.Getwd())+string(filepath.ListSeparator)+os.Getenv("PATH"))
	if _, err := NewPolicy(before, site); err == nil ||
		!strings.Contains(err.Error(), "the command was given with "+before[7:23]) {
		t.Errorf("the other program is taken: %v", err)
	}
	for text, want := range map[string]string{
		"":               "the command has no program: give a program",
		"deadline=5":     "the command has no program",
		"deadline=0 p":   `deadline is "0": give seconds above 0 and at most 86400`,
		"deadline=inf p": `deadline is "inf"`,
		"start=-1 p":     `start is "-1": give seconds above 0`,
		"sha256=12 p":    `sha256 is "12": give 16 hexadecimal digits`,
		"p 'x":           "a quote ' is left open",
	} {
		if got, err := Canonical(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v, want %s", text, got, err, want)
		}
	}
	if _, err := NewAllocator("no-such-program x", site); err == nil ||
		!strings.Contains(err.Error(), "no-such-program x: exec: ") {
		t.Error(err)
	}
}

// write writes an executable file.
func write(t *testing.T, name, text string) {
	t.Helper()
	must.Have(0, os.WriteFile(name, []byte(text), 0o755))
}
