// Package housestyle holds the code of the module to the rules of its style that a
// program can check: length of lines and functions, package documentation, examples, and
// comments of exported fields.
//
// What breaks a rule today is listed in exceptions.txt with a count. No count may grow,
// and a count that falls has to be lowered there, so the list only shrinks.
package housestyle

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "lower the counts in exceptions.txt to those of the code")

const exceptionsFile = "exceptions.txt"

// breach is a rule that a file or package breaks.
type breach struct{ rule, path string }

// breaches holds what breaks rules, as messages with positions.
type breaches map[breach][]string

func (b breaches) add(rule, path, format string, args ...any) {
	k := breach{rule, path}
	b[k] = append(b[k], fmt.Sprintf(format, args...))
}

func TestHouseStyle(t *testing.T) {
	found, err := check(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(exceptionsFile)
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := parseExceptions(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(exceptionsFile, []byte(lowered(allowed, found)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, problem := range compare(allowed, found, *update) {
		t.Error(problem)
	}
}

// compare returns what the list of exceptions does not allow, and the counts that are too
// high unless they have just been lowered.
func compare(allowed map[breach]int, found breaches, update bool) (problems []string) {
	for _, k := range sortedKeys(found) {
		if n := len(found[k]); n > allowed[k] {
			problems = append(problems, fmt.Sprintf("%s: %s: %d, and %s allows %d:\n\t%s", k.path, k.rule,
				n, exceptionsFile, allowed[k], strings.Join(found[k], "\n\t")))
		}
	}
	for _, k := range sortedKeys(allowed) {
		if n := len(found[k]); n < allowed[k] && !update {
			problems = append(problems, fmt.Sprintf("%s: %s: %d, and %s allows %d: run "+
				"go test ./internal/housestyle -update", k.path, k.rule, n, exceptionsFile, allowed[k]))
		}
	}
	return problems
}

// parseExceptions parses lines of a rule, a count and a path. A line that begins with # is
// a comment.
func parseExceptions(text string) (map[breach]int, error) {
	allowed := map[breach]int{}
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var k breach
		var n int
		if _, err := fmt.Sscanf(line, "%s %d %s", &k.rule, &n, &k.path); err != nil || n < 1 {
			return nil, fmt.Errorf("%s:%d: %q is not a rule, a count of at least 1 and a path",
				exceptionsFile, i+1, line)
		}
		allowed[k] = n
	}
	return allowed, nil
}

// lowered returns the text of the list of exceptions with no count above that of the code.
func lowered(allowed map[breach]int, found breaches) string {
	var b strings.Builder
	b.WriteString("# What breaks a rule of style: the rule, how often, the file or package.\n" +
		"# No count may grow. To lower counts: go test ./internal/housestyle -update\n")
	for _, k := range sortedKeys(allowed) {
		if n := min(allowed[k], len(found[k])); n > 0 {
			fmt.Fprintf(&b, "%s %d %s\n", k.rule, n, k.path)
		}
	}
	return b.String()
}

func sortedKeys[V any](m map[breach]V) []breach {
	return slices.SortedFunc(maps.Keys(m), func(a, b breach) int {
		return strings.Compare(a.rule+" "+a.path, b.rule+" "+b.path)
	})
}

// check returns all breaches of a tree. Modules of their own below its root are no part of
// it, nor are folders that the go command ignores.
func check(root fs.FS) (breaches, error) {
	found := breaches{}
	packages := map[string]*pkg{}
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != "." && ignored(root, path, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		return found.checkFile(packages, path, text)
	})
	for dir, p := range packages {
		found.checkPackage(dir, p)
	}
	return found, err
}

func ignored(root fs.FS, path, name string) bool {
	_, err := fs.Stat(root, path+"/go.mod")
	return err == nil || name == "testdata" || strings.HasPrefix(name, ".") ||
		strings.HasPrefix(name, "_")
}
