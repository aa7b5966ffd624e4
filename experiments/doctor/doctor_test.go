package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"contend/allocation"
	"contend/allocation/byname"
	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/netsim"
	"contend/netsim/reference"
	"contend/netsim/topology"
	"contend/scheduler"
)

// lastTwice grants the last node a second time.
type lastTwice struct{ allocation.Allocator }

func (a lastTwice) Allocate(dst []topology.Node, free *allocation.FreeSet,
	req allocation.Request) ([]topology.Node, bool) {
	got, ok := a.Allocator.Allocate(dst, free, req)
	if ok && len(got) > 1 {
		got[0] = got[len(got)-1]
	}
	return got, ok
}

// broken are parts with one fault each, and the check that has to notice.
func broken() map[string]Parts {
	m := map[string]Parts{}
	add := func(check string, change func(p *Parts)) {
		p := Sound()
		change(&p)
		m[check] = p
	}
	add("zero-load latency", func(p *Parts) {
		p.ZeroLoad = func(c netsim.Config, hops, flits int) netsim.Cycle {
			// of the farthest pairs only
			return c.ZeroLoadLatency(hops, flits) + netsim.Cycle(hops/5)
		}
	})
	add("engines", func(p *Parts) {
		n := 0
		p.Plainly = func(s reference.Scenario) (reference.Run, error) {
			r, err := s.Plainly()
			if n++; n == networks { // the last network alone
				r.Packets[len(r.Packets)-1].Blocked++
			}
			return r, err
		}
	})
	add("conservation", func(p *Parts) {
		p.PacketCycles = func(times int64) int64 { return times + 1 }
	})
	add("queueing", func(p *Parts) { // M/M/1
		p.Wait = func(load float64, flits, _ int) float64 {
			return load * float64(flits) / (1 - load)
		}
	})
	add("allocators", func(p *Parts) {
		p.Allocator = func(c byname.Config, s allocation.Site) (allocation.Allocator, error) {
			a, err := byname.NewAt(c, s)
			if err == nil && c.Name == "mbs" {
				a = lastTwice{a}
			}
			return a, err
		}
	})
	add("least distances", func(p *Parts) {
		p.LeastSum = func(d [][]int, size int) int { return leastSum(d, size) - size/5 }
	})
	breakStudies(add)
	return m
}

// breakStudies adds the faults of the checks that simulate a queue or whole studies.
func breakStudies(add func(check string, change func(p *Parts))) {
	add("queue", func(p *Parts) { // no nodes are extra
		p.EASY = func(now float64, waiting []scheduler.Job, running []PlainRun, free int) int {
			i := plainEASY(now, waiting, running, free)
			if i > 0 && waiting[i].Estimate > 50 {
				return -1
			}
			return i
		}
	})
	add("Bender et al. 2005", func(p *Parts) {
		p.Printed = func(x float64) float64 {
			if x == 25 {
				return 26
			}
			return x
		}
	})
	add("Lo et al. 1994", func(p *Parts) { p.Printed = func(x float64) float64 { return 1.1 * x } })
	add("workers", func(p *Parts) {
		var runs atomic.Int64
		p.Simulator = func() experiments.RunFunc {
			sim := &cosim.Simulator{}
			return func(ctx context.Context, plan *spec.Plan, rep int, x *cosim.Extra) (
				cosim.Result, error) {
				r, err := sim.Run(ctx, plan, rep, x)
				if runs.Add(1) == 24 && err == nil { // the last run of the second time
					r.Metrics[0].Value++
				}
				return r, err
			}
		}
	})
}

// Every check passes as things are, and fails where one thing is wrong.
func TestEveryCheckCanFail(t *testing.T) {
	faults := broken()
	for _, c := range Sound().Checks() {
		p, ok := faults[c.Name]
		if !ok {
			t.Errorf("%s: no fault is known that makes it fail", c.Name)
			continue
		}
		for _, b := range p.Checks() {
			if b.Name != c.Name {
				continue
			}
			if o := b.make(t.Context()); o.OK() ||
				!strings.HasPrefix(o.String(), "FAILED  "+c.Name) {
				t.Errorf("%s does not notice a fault:\n%s", c.Name, o)
			}
		}
	}
}

func TestSoundChecksPassAndRepeat(t *testing.T) {
	var texts [2]string
	for i := range texts {
		failed, err := Examine(t.Context(), Sound().Checks(), i+1, func(o Outcome) {
			o.Seconds = 0
			texts[i] += o.String()
		})
		if failed > 0 || err != nil {
			t.Fatalf("%d failed, %v\n%s", failed, err, texts[i])
		}
		if testing.Short() {
			return
		}
	}
	if texts[0] != texts[1] {
		t.Errorf("first\n%s\nthen\n%s", texts[0], texts[1])
	}
}

func TestWhatEndsACheckFailsIt(t *testing.T) {
	checks := []Check{
		{"fine", func(context.Context) (Finding, error) { return Finding{Cases: 1}, nil }},
		{"error", func(context.Context) (Finding, error) {
			return Finding{Cases: 1}, errors.New("no")
		}},
		{"panic", func(context.Context) (Finding, error) { panic("oh") }},
		{"empty", func(context.Context) (Finding, error) { return Finding{}, nil }},
	}
	var text string
	failed, err := Examine(t.Context(), checks, 2, func(o Outcome) { text += fmt.Sprint(o) })
	if failed != 3 || err != nil {
		t.Errorf("%d failed, %v", failed, err)
	}
	for _, want := range []string{"ok      fine", "FAILED  error", "        no\n",
		"panic: oh", "nothing was compared"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	told := func(Outcome) { t.Error("told of a check after the end") }
	if _, err := Examine(ctx, checks, 2, told); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
}

func TestMachineText(t *testing.T) {
	m := Machine{Program: "p", Go: "go1", System: "x/y", Cores: 3, Folder: "a\x1bb", Space: 5e8,
		Unwritable: os.ErrPermission}
	text := m.String()
	for _, want := range []string{"unknown processor, 3 cores, unknown memory",
		"WARNING: not writable (perm",
		"0.5 GB free, WARNING: little"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "\x1b") {
		t.Errorf("an escape sequence in %q", text)
	}
	dir := t.TempDir()
	if err := writable(dir); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := writable(dir + "/none"); err == nil {
		t.Error("a folder that is not there is writable")
	}
}

// The times shown for comparison are those of docs/BENCHMARKS.md.
func TestNotedSpeedsAreThoseOfTheBenchmarks(t *testing.T) {
	text, err := os.ReadFile("../../docs/BENCHMARKS.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), " of "+NotedOn+" ") {
		t.Errorf("docs/BENCHMARKS.md was not measured on %s", NotedOn)
	}
	for engine, ns := range noted {
		row := regexp.MustCompile(`(?m)^\| mesh +\| 16x16 +\| ` + engine +
			` +\| +8 \| +2 \| +0\.5 \| +[0-9.]+ \| +([0-9.]+) \|`).FindStringSubmatch(string(text))
		if row == nil || row[1] != fmt.Sprint(ns) {
			t.Errorf("%s: docs/BENCHMARKS.md has %v, doctor %v", engine, row, ns)
		}
	}
}
