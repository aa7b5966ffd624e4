package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"contend/internal/must"
)

// Each kind of place has its faults; guards, texts of errors and capacities have none.
func TestFaultsOfAFile(t *testing.T) {
	const text = `package p

const c = 7

func (x *T[V]) f(a, b int) (int, error) {
	if a < 0 {
		panic(a + 1)
	}
	s := make([]int, b, b+1)
	if a == b || !x.ok {
		return 0, fmt.Errorf("%d", a-b)
	}
outer:
	for range s {
		x.n += g(func() bool { return a > 2.5 })
		continue outer
	}
	x.reset()
	return a % b, nil
}
`
	var got []string
	for _, place := range must.Have(faultsOf("m/p", "p/p.go", "p.go", text)) {
		for _, f := range place {
			got = append(got, f.function+": "+f.before+" -> "+f.after)
		}
	}
	want := []string{
		": const c = 7 -> const c = 8", ": const c = 7 -> const c = 6",
		"T.f: if a == b || !x.ok { -> if !(a == b || !x.ok) {",
		"T.f: if a == b || !x.ok { -> if a == b && !x.ok {",
		"T.f: if a == b || !x.ok { -> if a != b || !x.ok {",
		"T.f: if a == b || !x.ok { -> if a == b || x.ok {",
		`T.f: return 0, fmt.Errorf("%d", a-b) -> return *new(int), *new(error)`,
		`T.f: return 0, fmt.Errorf("%d", a-b) -> return 1, fmt.Errorf("%d", a-b)`,
		`T.f: return 0, fmt.Errorf("%d", a-b) -> return -1, fmt.Errorf("%d", a-b)`,
		"T.f: x.n += g(func() bool { return a > 2.5 }) -> x.n -= g(func() bool { return a > 2.5 })",
		"T.f: x.n += g(func() bool { return a > 2.5 }) -> (removed)",
		"T.f: x.n += g(func() bool { return a > 2.5 }) -> x.n += g(func() bool { return *new(bool) })",
		"T.f: x.n += g(func() bool { return a > 2.5 }) -> x.n += g(func() bool { return a >= 2.5 })",
		"T.f: x.n += g(func() bool { return a > 2.5 }) -> x.n += g(func() bool { return a <= 2.5 })",
		"T.f: x.n += g(func() bool { return a > 2.5 }) -> " +
			"x.n += g(func() bool { return a > (2.5+1) })",
		"T.f: x.n += g(func() bool { return a > 2.5 }) -> " +
			"x.n += g(func() bool { return a > (2.5-1) })",
		"T.f: continue outer -> (removed)",
		"T.f: x.reset() -> (removed)",
		"T.f: return a % b, nil -> return *new(int), *new(error)",
		"T.f: return a % b, nil -> return a * b, nil",
	}
	for _, s := range want {
		if !slices.Contains(got, s) {
			t.Errorf("lacks %s", s)
		}
	}
	for _, s := range got {
		if !slices.Contains(want, s) {
			t.Errorf("has %s", s)
		}
	}
}

// files writes a module and goes there.
func files(t *testing.T, text map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, s := range text {
		must.Do(os.MkdirAll(filepath.Dir(name), 0o777))
		must.Do(os.WriteFile(name, []byte(s), 0o666))
	}
}

// The test of p sees faults of Max and of c, that of q, which imports p, those of Wait, which then
// has no end. Nobody looks at Idle. Of the copies of a function each has a label of its own.
func TestRun(t *testing.T) {
	longer = time.Second
	module := map[string]string{
		"go.mod": "module m\n\ngo 1.26\n",
		"p/p.go": `package p

const c = 7

func Max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

func Wait(n int) {
rounds:
	for n > 0 {
		n--
		continue rounds
	}
}

func Idle() int { return 3 }
`,
		"p/p_test.go": `package p

import "testing"

func TestMax(t *testing.T) {
	if Max(2, 1) != 2 || Max(1, 2) != 2 || c != 7 {
		t.Fatal()
	}
}
`,
		"q/q.go":      "package q\n\nimport \"m/p\"\n\nfunc Wait() { p.Wait(3) }\n",
		"q/q_test.go": "package q\n\nimport \"testing\"\n\nfunc TestWait(*testing.T) { Wait() }\n",
		equivalentsFile: "p/p.go Max\nif a > b {\nif a >= b {\nthe same of equal numbers\n\n" +
			"p/p.go Wait\nfor n > 0 {\nfor n > 1 {\na round less\n\n" +
			"p/p.go Wait\nn--\nn++\nwaits until numbers end\n",
		"page.md": "# Page\n\n<!-- faults -->\nold\n<!-- end of faults -->\nend\n",
	}
	files(t, module)
	var out strings.Builder
	must.Do(run(&out, []string{"-seed", "2", "-page", "page.md", "p"}))
	for _, want := range []string{
		"p/p.go:3 \n    - const c = 7\n    + const c = 6\n    caught by p TestMax\n",
		"p/p.go:9 Max\n    - return b\n    + return *new(int)\n    caught by p TestMax\n",
		"p/p.go:15 Wait\n    - n--\n    + (removed)\n    caught by q time limit\n",
		"p/p.go:6 Max\n    - if a > b {\n    + if a >= b {\n    equivalent: the same of equal numbers\n",
		"    + func Idle() int { return 2 }\n    SURVIVES\n",
		"Seed 2 drew 10 faults in p: 4 caught, 3 equivalent, 3 not seen. Of those that are " +
			"not equivalent 57% are caught.\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("lacks %q\n%s", want, out.String())
		}
	}
	page := string(must.Have(os.ReadFile("page.md")))
	if !strings.HasPrefix(page, "# Page\n\n<!-- faults -->\nSeed 2 drew 10 faults in p: ") ||
		!strings.HasSuffix(page, "```\n<!-- end of faults -->\nend\n") ||
		!strings.Contains(page, "p/p.go Idle\n- func Idle() int { return 3 }\n+ func Idle() ") {
		t.Errorf("the page is\n%s", page)
	}
	if got := must.Have(os.ReadFile("p/p.go")); string(got) != module["p/p.go"] {
		t.Errorf("the file has changed:\n%s", got)
	}
	var again strings.Builder
	err := run(&again, []string{"-seed", "2", "-min", "100", "p"})
	if again.String() != out.String() {
		t.Errorf("the seed draws other faults:\n%s", again.String())
	}
	if err == nil || !strings.HasSuffix(err.Error(), "fewer than 100%") {
		t.Errorf("survivors are no error: %v", err)
	}
}

// The faults that are judged equivalent can still be planted.
func TestEquivalentsExist(t *testing.T) {
	t.Chdir("../..")
	r := must.Have(loadRepository())
	byPackage := map[string]map[string]bool{}
	for name := range must.Have(readEquivalents(equivalentsFile)) {
		file, _, _ := strings.Cut(name, " ")
		p := filepath.ToSlash(filepath.Dir(file))
		if byPackage[p] == nil {
			byPackage[p] = map[string]bool{}
			for _, place := range must.Have(r.faults(p)) {
				for i := range place {
					byPackage[p][place[i].name()] = true
				}
			}
		}
		if !byPackage[p][name] {
			t.Errorf("%s: there is no fault\n%s", equivalentsFile, name)
		}
	}
}
