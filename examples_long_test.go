//go:build long

package contend_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// example is one module of the folder examples, built and its study run.
type example struct {
	program, folder, text string
}

var (
	examplesMutex sync.Mutex
	examplesBuilt = map[string]func() (example, error){}
	examplesDir   string
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "contend-examples")
	if err != nil {
		panic(err)
	}
	examplesDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// exampleOf builds an example and runs its study, once for all tests.
func exampleOf(t *testing.T, name string) example {
	t.Helper()
	examplesMutex.Lock()
	make, ok := examplesBuilt[name]
	if !ok {
		make = sync.OnceValues(func() (example, error) { return buildExample(name) })
		examplesBuilt[name] = make
	}
	examplesMutex.Unlock()
	e, err := make()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func buildExample(name string) (example, error) {
	source := filepath.Join("examples", name)
	e := example{program: filepath.Join(examplesDir, name),
		folder: filepath.Join(examplesDir, "out-"+name)}
	build := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", e.program, ".")
	build.Dir, build.Env = source, append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly",
		"GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return e, &runError{"go build", string(out), err}
	}
	var err error
	e.text, err = output(e.program, "", "run", filepath.Join(source, "study.toml"), "-o", e.folder,
		"--no-progress")
	return e, err
}

type runError struct {
	what, out string
	err       error
}

func (e *runError) Error() string { return e.what + ": " + e.err.Error() + "\n" + e.out }

// output returns what a program writes to standard output.
func output(program, input string, args ...string) (string, error) {
	var out, errs bytes.Buffer
	c := exec.Command(program, args...)
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(input), &out, &errs
	if err := c.Run(); err != nil {
		return "", &runError{program + " " + strings.Join(args, " "), errs.String(), err}
	}
	return out.String(), nil
}

// row returns the cells of a row of a table in Markdown, by its first cell.
func row(t *testing.T, table, first string) []string {
	t.Helper()
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) > 2 && strings.TrimSpace(cells[1]) == first {
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			return cells[2:]
		}
	}
	t.Fatalf("there is no row %s in\n%s", first, table)
	return nil
}

// expect runs an example with arguments and looks for a text.
func expect(t *testing.T, e example, input, want string, args ...string) {
	t.Helper()
	got, err := output(e.program, input, args...)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got, want) {
		t.Errorf("%s says\n%s\nwithout %q", strings.Join(args, " "), got, want)
	}
}

func TestLongOwnAllocator(t *testing.T) {
	t.Parallel()
	e := exampleOf(t, "own-allocator")
	few, many := row(t, e.text, "nearest"), row(t, e.text, "nearest:starts=64")
	if strings.Join(few, " ") == strings.Join(many, " ") {
		t.Errorf("the parameter changes nothing:\n%s", e.text)
	}
	expect(t, e, "", "nearest:starts=4 (integer, at least 1, nodes)", "list", "allocators")
	expect(t, e, `{"free":[0,5,6,15],"size":3}`, `"nodes":[5,6,0]`,
		"network", "--machine", "mesh:4x4", "--allocator", "nearest:starts=64")
	if _, err := output(e.program, "", "network", "--allocator", "nearest:start=3"); err == nil ||
		!strings.Contains(err.Error(),
			`nearest has no parameter "start": there are starts (at least 1)`) {
		t.Errorf("a wrong parameter: %v", err)
	}
	again := filepath.Join(t.TempDir(), "again")
	if _, err := output(e.program, "", "run", filepath.Join(e.folder, "spec.toml"), "-o", again,
		"--no-progress"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"runs.csv", "summary.csv"} {
		if a, b := read(t, e.folder, name), read(t, again, name); a != b {
			t.Errorf("%s of the resolved study differs:\n%s\n%s", name, a, b)
		}
	}
}

func read(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLongOwnPattern(t *testing.T) {
	t.Parallel()
	e := exampleOf(t, "own-pattern")
	// Phases of a stride are those of a ring, there and back.
	if a, b := row(t, e.text, "stride"), row(t, e.text, "ring"); a[0] == b[0] {
		t.Errorf("stride takes as long as ring:\n%s", e.text)
	}
	row(t, e.text, "stride:by=4+all-to-all:0.5")
	expect(t, e, "", "stride:by=3  8          16", "pattern", "stride:by=3", "--processes", "8")
}

// With no limit the policy of the example is the built-in one.
func TestLongOwnPolicy(t *testing.T) {
	t.Parallel()
	e := exampleOf(t, "own-policy")
	all, easy := row(t, e.text, "easy-depth:depth=0"), row(t, e.text, "easy")
	if strings.Join(all, " ") != strings.Join(easy, " ") {
		t.Errorf("easy-depth:depth=0 has %v, easy %v", all, easy)
	}
	if two := row(t, e.text, "easy-depth:depth=2"); two[0] == easy[0] {
		t.Errorf("the depth changes nothing:\n%s", e.text)
	}
}

func TestLongOwnMetric(t *testing.T) {
	t.Parallel()
	e := exampleOf(t, "own-metric")
	if !strings.Contains(e.text, "| longest_wait (cycles) | packets_per_message (packets) |") {
		t.Errorf("the table has no columns of the metrics:\n%s", e.text)
	}
	for _, name := range []string{"summary.csv", "runs.csv", "runs.jsonl"} {
		if !strings.Contains(read(t, e.folder, name), "longest_wait") {
			t.Errorf("%s lacks the metric", name)
		}
	}
	drawn := read(t, filepath.Join(e.folder, "figures"), "longest-wait.csv")
	if !strings.Contains(drawn, "mbs,") {
		t.Errorf("the figure shows\n%s", drawn)
	}
	if cells := row(t, e.text, "mbs"); cells[2] != "3" { // 20 flits in packets of 8
		t.Errorf("packets_per_message is %s", cells[2])
	}
}

// Jobs and bare networks run on the topology of the example.
func TestLongOwnTopology(t *testing.T) {
	t.Parallel()
	e := exampleOf(t, "own-topology")
	if mesh, rings := row(t, e.text, "mesh"), row(t, e.text, "ring-of-rings"); mesh[1] == rings[1] {
		t.Errorf("the machine changes nothing:\n%s", e.text)
	}
	expect(t, e, "", "ring-of-rings:rings=4 (integer, at least 3)", "list", "topologies")
	expect(t, e, "", "ring-dateline", "list", "routings")
	expect(t, e, "", "| uniform | 0.02 ", "net", "--no-progress",
		"--set", "machine.topology=ring-of-rings:size=8,rings=4", "--traffic", "uniform",
		"--loads", "0.02", "-o", t.TempDir())
	expect(t, e, `{"free":[0,5,7,15],"size":3}`, `"nodes":[0,5,7],"measures":{"components":2,`,
		"network", "--machine", "ring-of-rings:size=8", "--allocator", "free-list")
	for _, allocator := range []string{"gen-alg", "mm", "mm-inc", "optimal"} {
		expect(t, e, `{"free":[0,4,5,6,15],"size":3}`, `"nodes":[4,5,6],"measures":{"components":1,`,
			"network", "--machine", "ring-of-rings:size=8", "--allocator", allocator)
	}
	for want, args := range map[string][]string{
		"machine.dims has no effect":             {"--set", "machine.dims=[8,8]"},
		"the routing ring-dateline needs 2":      {"--set", "network.virtual_channels=1"},
		"on a ring of rings there are auto":      {"--set", "network.routing=dimension-order"},
		"allocator mbs needs a mesh, a torus or": {"--set", "allocator=mbs"},
		"allocator mc counts along coordinates":  {"--set", "allocator=mc"},
		"size is 2: give an integer at least 3":  {"--set", "machine.topology=ring-of-rings:size=2"},
	} {
		args = append([]string{"run", filepath.Join("testdata", "rings.toml"), "--no-progress",
			"-o", filepath.Join(t.TempDir(), "out")}, args...)
		if _, err := output(e.program, "", args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", strings.Join(args, " "), err, want)
		}
	}
}

// Jobs and bare networks take the routing of the example.
func TestLongOwnRouting(t *testing.T) {
	t.Parallel()
	e := exampleOf(t, "own-routing")
	credits := row(t, e.text, "any-shortest-way")
	for _, other := range []string{"dimension-order", "any-shortest-way:first=least-dimension"} {
		if cells := row(t, e.text, other); cells[0] == credits[0] {
			t.Errorf("%s takes as long:\n%s", other, e.text)
		}
	}
	net := func(more ...string) (string, error) {
		args := append([]string{"net", "--no-progress", "--traffic", "transpose", "--loads", "0.02",
			"-o", t.TempDir()}, more...)
		return output(e.program, "", args...)
	}
	mesh, adaptive := "machine.dims=[8,8]", "network.routing=any-shortest-way"
	took, err := net("--set", mesh, "--set", adaptive)
	if err != nil || !strings.Contains(took, "| transpose | 0.02 ") {
		t.Errorf("contend net: %v\n%s", err, took)
	}
	for want, set := range map[string]string{
		"the routing any-shortest-way needs 2": "network.virtual_channels=1",
		"on a torus there are auto, dimension": "machine.topology=torus",
		"network.engine is worm, which is exa": "network.engine=worm",
	} {
		if _, err := net("--set", mesh, "--set", adaptive, "--set", set); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", set, err, want)
		}
	}
}
