package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An overlay is a copy of the module's files with faults, for the flag -overlay of go. It has all
// faults in functions at once: each such function begins with a copy of itself for each fault, and
// the environment says which fault acts. So the tests of a package are compiled once. A fault
// outside of functions has an overlay of its own and acts always.
type overlay struct {
	*repository
	folder string // of the changed files and of the programs that run tests
	suites map[string]*suite
}

// Names of the environment.
const (
	active = "CONTEND_FAULT" // the number of the fault that acts, or recording
	seen   = "CONTEND_FAULTS_SEEN"
	// recording lets no fault act: functions with faults write their numbers into the file seen.
	recording = "-1"
)

// switchFile goes into each package with faults in functions.
const switchFile = `package %s

import (
	"os"
	"strconv"
	"sync/atomic"
)

var faultActive, _ = strconv.Atoi(os.Getenv("` + active + `"))

var faultSeen [%d]atomic.Bool

func faultSee(function int) {
	if faultSeen[function].Swap(true) {
		return
	}
	f, err := os.OpenFile(os.Getenv("` + seen + `"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o666)
	if err == nil {
		_, _ = f.WriteString(strconv.Itoa(function) + "\n")
		_ = f.Close()
	}
}
`

// newOverlay writes the changed files of faults in functions, by their numbers.
func (r *repository) newOverlay(folder string, faults map[int]*fault) (*overlay, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	o := &overlay{r, folder, map[string]*suite{}}
	bySource := map[*source]map[int]*fault{}
	for number, f := range faults {
		if bySource[f.source] == nil {
			bySource[f.source] = map[int]*fault{}
		}
		bySource[f.source][number] = f
	}
	files, functions := map[string]string{}, 0
	for _, f := range faults {
		functions = max(functions, f.body.number+1)
	}
	for s, of := range bySource {
		files[s.path] = withFaults(s, of)
		files[filepath.Join(filepath.Dir(s.path), "faults_of_mutate.go")] =
			fmt.Sprintf(switchFile, s.pkg, functions)
	}
	return o, o.write(files)
}

// aloneOverlay writes the file of one fault.
func (r *repository) aloneOverlay(folder string, f *fault) (*overlay, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	o := &overlay{r, folder, map[string]*suite{}}
	return o, o.write(map[string]string{f.source.path: f.changed()})
}

func (o *overlay) flag() string { return "-overlay=" + filepath.Join(o.folder, "overlay.json") }

func (o *overlay) write(files map[string]string) error {
	replace := map[string]string{}
	for path, text := range files {
		name, err := filepath.Rel(o.root, path)
		if err != nil {
			return err
		}
		replace[path] = filepath.Join(o.folder, strings.ReplaceAll(filepath.ToSlash(name), "/", "+"))
		if err := os.WriteFile(replace[path], []byte(text), 0o666); err != nil {
			return err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	return errors.Join(err, os.WriteFile(filepath.Join(o.folder, "overlay.json"), text, 0o666))
}

// withFaults returns the text of a file with faults in its functions.
func withFaults(s *source, faults map[int]*fault) string {
	byBody := map[*body][]int{}
	for number, f := range faults {
		byBody[f.body] = append(byBody[f.body], number)
	}
	bodies := make([]*body, 0, len(byBody))
	for b := range byBody {
		bodies = append(bodies, b)
	}
	slices.SortFunc(bodies, func(a, b *body) int { return a.at - b.at })
	var out bytes.Buffer
	from := 0
	for _, b := range bodies {
		out.WriteString(s.text[from:b.at])
		from = b.at
		fmt.Fprintf(&out, "if faultActive != 0 { if faultActive < 0 { faultSee(%d) }\n", b.number)
		out.WriteString("switch faultActive {")
		slices.Sort(byBody[b])
		for _, number := range byBody[b] {
			// Errors of the compiler then name the fault.
			fmt.Fprintf(&out, "\ncase %d: {/*line fault%d.go:1:1*/%s", number, number,
				copyOf(faults[number], number))
			if !b.returns {
				out.WriteString("\nreturn")
			}
			out.WriteString("\n}")
		}
		fmt.Fprintf(&out, "\n}}\n/*line %s:%d:%d*/", s.path, b.line, b.column)
	}
	out.WriteString(s.text[from:])
	return out.String()
}

// copyOf returns the body of a fault's function with the fault, and with labels of its own.
func copyOf(f *fault, number int) string {
	type edit struct {
		at, end int
		text    string
	}
	edits := []edit{{f.at, f.end, f.instead}}
	for _, at := range f.body.labels {
		if at <= f.at || at >= f.end {
			edits = append(edits, edit{at, at, strconv.Itoa(number)})
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.at - b.at })
	text, from := "", f.body.at
	for _, e := range edits {
		text += f.source.text[from:e.at] + e.text
		from = e.end
	}
	return text + f.source.text[from:f.body.end]
}

var inFault = regexp.MustCompile(`(?m)^fault(\d+)\.go:|[/\s]fault(\d+)\.go:`)

// compiles returns those of the faults that compile.
func (r *repository) compiles(folder string, faults map[int]*fault) (*overlay, error) {
	for {
		o, err := r.newOverlay(folder, faults)
		if err != nil {
			return nil, err
		}
		var packages []string
		for _, f := range faults {
			packages = append(packages, f.pkg)
		}
		slices.Sort(packages)
		out := o.command(compiling, nil, append([]string{"go", "build"},
			slices.Compact(packages)...)...)
		if !out.failed {
			return o, nil
		}
		before := len(faults)
		for _, m := range inFault.FindAllStringSubmatch(out.text, -1) {
			number, _ := strconv.Atoi(m[1] + m[2])
			delete(faults, number)
		}
		if len(faults) == before {
			return nil, fmt.Errorf("go build with the flag %s:\n%s", o.flag(), out.text)
		}
	}
}
