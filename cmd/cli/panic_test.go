package cli

import (
	"bytes"
	"contend/internal/call"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/internal/must"
	"contend/router"
	"contend/router/routes"
	"contend/router/topology"
)

// late is dimension order that panics once packets are on their way.
type late struct{ *routes.DimensionOrder }

func (late) Route([]router.Channel, topology.Router, router.Channel, *router.Header,
	router.View) []router.Channel {
	panic("oh no")
}

// early panics when the program looks for deadlocks.
type early struct{ *routes.DimensionOrder }

func (early) Possible([]router.Channel, topology.Router, router.Channel,
	*router.Header) []router.Channel {
	panic("oh no")
}

// panicking is a registry with entries that panic.
func panicking() *config.Registry {
	r := metrics.Builtin()
	routing := func(name string, make func(x *routes.DimensionOrder) router.Routing) {
		r.Routings = append(r.Routings, config.Routing{Name: name, Doc: "panics",
			New: func(_ call.Values, w *router.Wiring, _ topology.Topology,
				_ uint64) (router.Routing, error) {
				x, err := routes.NewDimensionOrder(w, false)
				return make(x), err
			}})
	}
	routing("late", func(x *routes.DimensionOrder) router.Routing { return late{x} })
	routing("early", func(x *routes.DimensionOrder) router.Routing { return early{x} })
	routing("at-once", func(*routes.DimensionOrder) router.Routing { panic("oh no") })
	r.Topologies = append(r.Topologies, config.Topology{Name: "nowhere", Doc: "panics",
		Routings: []string{"dimension-order"},
		New:      func(call.Values) (topology.Topology, error) { panic("oh no") }})
	return r
}

// What panics in code from outside ends every command with one line that names it, and
// with status 1.
func TestPanicsFromOutside(t *testing.T) {
	study := filepath.Join(t.TempDir(), "study.toml")
	text := "name = \"x\"\ntitle = \"x\"\n[machine]\ndims = [4, 4]\n[workload]\njobs = 3\n" +
		"[allocator]\nname = \"random\"\n"
	must.Do(os.WriteFile(study, []byte(text), 0o666))
	for what, sets := range map[string][]string{
		"cli.late.Route (panic_test.go:":      {"--set", "network.routing=late"},
		"cli.early.Possible (panic_test.go:":  {"--set", "network.routing=early"},
		"cli.panicking.func4 (panic_test.go:": {"--set", "network.routing=at-once"},
		"cli.panicking.func5 (panic_test.go:": {"--set", "machine.topology=nowhere"},
	} {
		size := []string{"--set", "machine.dims=[4,4]"}
		if strings.Contains(sets[1], "topology") {
			size = nil
		}
		for _, args := range [][]string{
			append([]string{"net", "-o", t.TempDir(), "--workers", "4", "--loads", "0.1"}, size...),
			{"run", study, "-o", t.TempDir()},
		} {
			args = append(args, sets...)
			if args[0] == "run" && size == nil {
				args = append(args, "--set", "machine.dims=[]")
			}
			checkPanic(t, args, what)
		}
	}
}

// checkPanic runs a command with and without the stack.
func checkPanic(t *testing.T, args []string, what string) {
	t.Helper()
	var out, errs bytes.Buffer
	status := Run(append(args, "--no-progress"), &out, &errs, panicking())
	said := errs.String()
	i := strings.LastIndex(said, "panic in ") // behind the log of each run
	line, _, _ := strings.Cut(said[max(0, i):], "\n")
	if i < 0 || status != exitFailed || !strings.Contains(line, what) ||
		!strings.HasSuffix(line, "): oh no") ||
		!strings.Contains(said, "--verbose prints the stack") || strings.Contains(said, "goroutine") {
		t.Errorf("%q: status %d\n%s", args, status, said)
	}
	errs.Reset()
	Run(append(args, "--no-progress", "--verbose"), &out, &errs, panicking())
	if said := errs.String(); !strings.Contains(said, "goroutine") {
		t.Errorf("%q --verbose prints no stack:\n%s", args, said)
	}
}
