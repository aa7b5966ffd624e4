package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// tests holds the packages of the module and their tests.
type tests struct {
	root     string
	packages []testPackage // packages with the fewest dependencies first
}

// testPackage is a package as the go command lists it.
type testPackage struct {
	ImportPath, Dir                    string
	Imports, TestImports, XTestImports []string

	names []string        // names of the tests
	needs map[string]bool // packages that the tests are built from
}

// all returns the imports of the package and of its tests.
func (p *testPackage) all() []string {
	return slices.Concat(p.Imports, p.TestImports, p.XTestImports)
}

// flags returns the flags that only the tests of this package know. Random tests draw
// the same random numbers each time and leave no files behind.
func (p *testPackage) flags() []string {
	if slices.Contains(p.all(), "pgregory.net/rapid") {
		return []string{"-rapid.seed=1", "-rapid.nofailfile"}
	}
	return nil
}

// listTests asks the go command for the packages and reads the names of their tests.
func listTests(root string) (*tests, error) {
	const fields = "-json=ImportPath,Dir,Imports,TestImports,XTestImports"
	list := exec.Command("go", "list", fields, "./...")
	list.Dir, list.Stderr = root, os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	t := &tests{root: root}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p testPackage
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if p.names, err = testNames(p.Dir); err != nil {
			return nil, err
		}
		t.packages = append(t.packages, p)
	}
	t.setNeeds()
	slices.SortStableFunc(t.packages, func(a, b testPackage) int {
		return len(a.needs) - len(b.needs)
	})
	return t, nil
}

// setNeeds finds the packages that each package's tests are built from.
func (t *tests) setNeeds() {
	imports := map[string][]string{}
	for _, p := range t.packages {
		imports[p.ImportPath] = p.Imports
	}
	for i := range t.packages {
		p := &t.packages[i]
		p.needs = map[string]bool{p.ImportPath: true}
		for queue := p.all(); len(queue) > 0; queue = queue[1:] {
			q := queue[0]
			if next, ours := imports[q]; ours && !p.needs[q] {
				p.needs[q] = true
				queue = append(queue, next...)
			}
		}
	}
}

var testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)\w*)\(`)

// testNames lists the tests in a folder.
func testNames(dir string) (names []string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, m := range testFunction.FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	return names, err
}

// missing returns the names that are not tests of any package.
func (t *tests) missing(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(t.packages, func(p testPackage) bool {
			return slices.Contains(p.names, name)
		})
	})
}

// stage is a set of tests of one package: the named ones, or all if there are no names.
type stage struct {
	p     *testPackage
	names []string
}

// stages lists the tests to try on a fault, in order.
func (t *tests) stages(f *fault) (named, whole []stage) {
	own := filepath.Join(t.root, filepath.FromSlash(filepath.Dir(f.path)))
	i := slices.IndexFunc(t.packages, func(p testPackage) bool { return p.Dir == own })
	if i < 0 {
		panic("mutants: a file without a package: " + f.path)
	}
	whole = append(whole, stage{p: &t.packages[i]})
	for k := range t.packages {
		if p := &t.packages[k]; k != i && p.needs[t.packages[i].ImportPath] && len(p.names) > 0 {
			whole = append(whole, stage{p: p})
		}
	}
	for _, s := range whole {
		s.names = slices.DeleteFunc(slices.Clone(f.tries), func(name string) bool {
			return !slices.Contains(s.p.names, name)
		})
		if len(s.names) > 0 {
			named = append(named, s)
		}
	}
	return named, whole
}
