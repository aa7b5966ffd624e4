package cli

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/internal/must"
)

// block is a fenced block of a document.
type block struct {
	line     int
	language string
	words    []string
	text     string
}

func (b block) has(word string) bool { return slices.Contains(b.words, word) }

// value is what stands behind name= among the words of a block.
func (b block) value(name string) string {
	for _, w := range b.words {
		if v, ok := strings.CutPrefix(w, name+"="); ok {
			return v
		}
	}
	return ""
}

// blocksOf cuts the fenced blocks out of a document.
func blocksOf(t *testing.T, path string) (blocks []block) {
	t.Helper()
	open := false
	for i, line := range readLines(t, path) {
		fence, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && !open:
			words := append(strings.Fields(fence), "")
			blocks = append(blocks, block{line: i + 1, language: words[0], words: words[1:]})
			open = true
		case isFence:
			open = false
		case open:
			blocks[len(blocks)-1].text += line + "\n"
		}
	}
	return blocks
}

func runBlocks(t *testing.T, path string, blocks []block) {
	dir, last, skipped := t.TempDir(), "", false
	writeLog(t, filepath.Join(dir, "mylog.swf"))
	for _, b := range blocks {
		at := fmt.Sprintf("%s:%d", path, b.line)
		if name := b.value("file"); name != "" {
			must.Do(os.WriteFile(filepath.Join(dir, name), []byte(b.text), 0o600))
		}
		if b.has("run") {
			if last, skipped = runBlock(t, at, dir, b); t.Failed() {
				return
			}
		}
		if drawn, shown, is := strings.Cut(b.value("draws"), ":"); is {
			committed := filepath.Join(filepath.Dir(path), "..", "figures", shown)
			svg := must.Have(os.ReadFile(filepath.Join(dir, drawn)))
			if string(svg) != string(must.Have(os.ReadFile(committed))) {
				t.Errorf("%s: %s is not what docs/figures/%s shows", at, drawn, shown)
			}
		}
		if b.has("output") && !skipped && !shows(b.text, last) {
			t.Errorf("%s: the output differs\n%s", at, cmp.Diff(b.text, last))
		}
	}
}

// runBlock returns the standard output of a block, and whether the block was
// left out for want of something that is not the program's.
func runBlock(t *testing.T, at, dir string, b block) (output string, skipped bool) {
	t.Helper()
	args := map[string][]string{"sh": {"sh", "-e", "-c"}, "python": {"", "-c"}}[b.language]
	if args == nil {
		t.Fatalf("%s: nothing runs %q", at, b.language)
	}
	if module := b.value("needs"); b.language == "python" || module != "" {
		if module == "" {
			module = "sys" // which every one has
		}
		found := python(module)
		if b.language == "python" {
			args[0] = found
		}
		if found == "" {
			t.Run(fmt.Sprintf("line %d", b.line), func(t *testing.T) {
				t.Skipf("%s is not run: there is no python3 with the module %s", at, module)
			})
			return "", true
		}
	}
	command := exec.Command(args[0], append(args[1:], b.text)...)
	command.Dir = dir
	command.Env = withModule()
	var errs strings.Builder
	command.Stderr = &errs
	out, err := command.Output()
	if err != nil {
		t.Errorf("%s: %v\n%s%s", at, err, out, errs.String())
	}
	return string(out), false
}

// withModule returns an environment in which Python finds the module contend, and the module the
// program under test.
func withModule() []string {
	modules := must.Have(filepath.Abs(filepath.Join("..", "..", "python")))
	return append(os.Environ(), "CONTEND_TRACES=", "CONTEND=contend", "PYTHONPATH="+modules,
		"PYTHONDONTWRITEBYTECODE=1")
}

// python returns the first python3 that has a module, "" if there is none. One for
// developers often stands before the system's in the path, without the system's modules.
func python(module string) string {
	for _, program := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(program, "-c", "import "+module).Run() == nil {
			return program
		}
	}
	return ""
}

// shows says whether an output is as a document has it.
func shows(documented, output string) bool {
	pattern := regexp.QuoteMeta(documented)
	pattern = regexp.MustCompile(`(?m)^\\\.\\\.\\\.\n`).ReplaceAllString(pattern, "(?:.*\n)*?")
	return regexp.MustCompile("^(?:" + pattern + ")$").MatchString(output)
}

// writeLog writes a log of 60 jobs for 16 processors.
func writeLog(t *testing.T, path string) {
	t.Helper()
	log := "; MaxProcs: 16\n"
	for i := range 60 {
		size, seconds := 1<<(i*7%4), 20+i*37%90
		log += fmt.Sprintf("%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 1 1 1 -1 -1\n",
			i+1, i*15, seconds, size, size, seconds)
	}
	must.Do(os.WriteFile(path, []byte(log), 0o600))
}

// documents are the Markdown files of the repository.
func documents(t *testing.T) (paths []string) {
	t.Helper()
	root := filepath.Join("..", "..")
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "examples/*.md",
		"examples/*/*.md"} {
		found := must.Have(filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern))))
		paths = append(paths, found...)
	}
	if len(paths) < 10 {
		t.Fatalf("%d documents", len(paths))
	}
	return paths
}

func readLines(t *testing.T, path string) []string {
	t.Helper()
	text := must.Have(os.ReadFile(path))
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// prose calls f for the lines outside of fenced blocks.
func prose(t *testing.T, path string, f func(number int, line string)) {
	t.Helper()
	open := false
	for i, line := range readLines(t, path) {
		if strings.HasPrefix(line, "```") {
			open = !open
		} else if !open {
			f(i+1, line)
		}
	}
}

var link = regexp.MustCompile(`\]\(([^()\s]+)\)`)

// Every link from a document to a file of the repository, and to a heading in
// it, leads somewhere.
func TestLinksLeadSomewhere(t *testing.T) {
	followed := 0
	for _, path := range documents(t) {
		prose(t, path, func(number int, line string) {
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
					continue
				}
				followed++
				if why := broken(t, path, m[1]); why != "" {
					t.Errorf("%s:%d: %s: %s", path, number, m[1], why)
				}
			}
		})
	}
	if followed < 50 {
		t.Errorf("only %d links were followed", followed)
	}
}

// The page of how-tos has a link to each of them.
func TestAllHowTosAreListed(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "howto")
	list := string(must.Have(os.ReadFile(filepath.Join(dir, "README.md"))))
	for _, f := range must.Have(os.ReadDir(dir)) {
		if name := f.Name(); name != "README.md" && !strings.Contains(list, "]("+name+")") {
			t.Errorf("docs/howto/README.md has no link to %s", name)
		}
	}
}

// broken says why a link from a document leads nowhere, "" if it leads somewhere.
func broken(t *testing.T, from, target string) string {
	name, heading, _ := strings.Cut(target, "#")
	path := from
	if name != "" {
		path = filepath.Join(filepath.Dir(from), filepath.FromSlash(name))
	}
	if _, err := os.Stat(path); err != nil {
		return "no such file"
	}
	if heading != "" && !slices.Contains(headings(t, path), heading) {
		return "no such heading"
	}
	return ""
}

// headings are the anchors of a document, as code hosts make them.
func headings(t *testing.T, path string) (anchors []string) {
	drop := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	prose(t, path, func(_ int, line string) {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok &&
			strings.HasPrefix(line, "#") {
			title = drop.ReplaceAllString(strings.ToLower(title), "")
			anchors = append(anchors, strings.ReplaceAll(title, " ", "-"))
		}
	})
	return anchors
}

// The rules of docs/model.md have the numbers and names of netsim's package
// documentation, in the same order.
func TestModelHasTheRulesOfNetsim(t *testing.T) {
	rules := func(path, pattern string) (list []string) {
		text := must.Have(os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path))))
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1) {
			list = append(list, m[1]+" "+m[2])
		}
		return list
	}
	contract := rules("netsim/doc.go",
		`(?m)^//\s+\(?(\d+[bc]?)[.)] ([A-Z][A-Za-z ]+\w)(?: \([A-Z]+\))?:`)
	model := rules("docs/model.md", `(?m)^(?:### |\*\*)(\d+[bc]?)\. ([A-Z][A-Za-z ]+\w)`)
	if diff := cmp.Diff(contract, model); diff != "" || len(model) < 8 {
		t.Errorf("netsim/doc.go and docs/model.md differ\n%s", diff)
	}
}

// The files that ARCHITECTURE.md names exist.
func TestNamesInDocumentsExist(t *testing.T) {
	root := filepath.Join("..", "..")
	var files []string
	must.Do(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == "out" || strings.HasPrefix(name, ".") && path != root):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go"):
			files = append(files, "/"+filepath.ToSlash(must.Have(filepath.Rel(root, path))))
		}
		return nil
	}))
	text := strings.Join(readLines(t, filepath.Join(root, "ARCHITECTURE.md")), "\n")
	for _, m := range regexp.MustCompile("`([\\w/]+\\.go)`").FindAllStringSubmatch(text, -1) {
		if !slices.ContainsFunc(files, func(f string) bool { return strings.HasSuffix(f, "/"+m[1]) }) {
			t.Errorf("ARCHITECTURE.md: there is no file %s", m[1])
		}
	}
}
