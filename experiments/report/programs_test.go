package report

import (
	"os"
	"strings"
	"testing"

	"contend/experiments/service/external"
	"contend/internal/must"

	"github.com/google/go-cmp/cmp"
)

// A page has the files of a command, if they are those with which it was given.
func TestProgramsOfUsers(t *testing.T) {
	t.Chdir(t.TempDir())
	long := strings.Repeat("#", maxProgramBytes)
	for name, text := range map[string]string{"a.py": "print(1)\n", "long.py": long,
		"longer.py": long + "#", "binary": "\xff"} {
		must.Do(os.WriteFile(name, []byte(text), 0o666))
	}
	names := func(command string) (list []string) {
		p := userProgramOf(must.Have(external.Canonical(command)))
		for _, f := range p.Files {
			list = append(list, f.Path)
			if f.Text != "" && f.Text != string(must.Have(os.ReadFile(f.Path))) {
				t.Errorf("%s has the text %.20q", f.Path, f.Text)
			}
			if (f.Text == "") != (f.Path == "longer.py" || f.Path == "./binary") {
				t.Errorf("the text of %s is there or missing", f.Path)
			}
			if len(f.SHA256) != 64 || f.Bytes == 0 {
				t.Errorf("%+v", f)
			}
		}
		return append(list, p.Missing)
	}
	for command, want := range map[string][]string{
		"python3 a.py long.py":     {"a.py", "long.py", ""},
		"./binary longer.py --a=b": {"./binary", "longer.py", ""},
		"python3 -c pass":          {""},
	} {
		if d := cmp.Diff(want, names(command)); d != "" {
			t.Errorf("%s: %s", command, d)
		}
	}
	given := must.Have(external.Canonical("python3 a.py"))
	must.Do(os.WriteFile("a.py", []byte("print(2)\n"), 0o666))
	if p := userProgramOf(given); len(p.Files) > 0 ||
		!strings.Contains(p.Missing, "find those files") {
		t.Errorf("of changed files the page says %+v", p)
	}
	must.Do(os.Remove("a.py"))
	if p := userProgramOf(given); !strings.Contains(p.Missing, "find those files") {
		t.Errorf("of missing files the page says %+v", p)
	}
}
