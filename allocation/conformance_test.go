package allocation_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/allocation"
	"contend/allocation/allocationtest"
	"contend/allocation/center"
	"contend/allocation/exact"
	"contend/allocation/manager"
	"contend/allocation/order"
	"contend/allocation/submesh"
	"contend/allocation/tree"
	"contend/internal/call"
	"contend/internal/input"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// entries are those of all families.
func entries() []allocation.Entry {
	return slices.Concat(submesh.Allocators(), center.Allocators(), exact.Allocators(),
		order.Allocators(), tree.Allocators(), manager.Allocators())
}

// made makes an allocator of a call, with a stream.
func made(text string, machine topology.Topology) (allocation.Allocator, error) {
	site := allocation.Site{Machine: machine, Stream: rand.New(rand.NewPCG(1, 2))}
	return allocation.Named(entries(), text, site)
}

// forms are calls beside the bare names, by the names of their allocators.
var forms = map[string][]string{"first-fit": {"first-fit:wrap=true"},
	"best-fit":      {"best-fit:boundary", "best-fit:wrap=true", "best-fit:boundary,wrap=true"},
	"frame-sliding": {"frame-sliding:rotate", "frame-sliding:free", "frame-sliding:wrap=true"},
	"sdsc":          {"sdsc:3"}, "mc": {"mc:greedy"},
	"paging": {"paging:1", "paging:2,page_ranks=reversed", "paging:0,snake"},
	"mc1x1":  {"mc1x1:l1"}, "mc1x1-tie": {"mc1x1-tie:2,13,20,6,twice"}, "gen-alg": {"gen-alg:greedy"},
	"mm": {"mm:node-order"}, "optimal": {"optimal:10"}, "best-fit-1d": {"best-fit-1d:hilbert"},
	"quasi-contiguous": {"quasi-contiguous:30"}, "slurm-block": {"slurm-block:0,2"}}

// Every entry keeps the contract on each machine that it takes, and takes one at least.
func TestAllocatorsConform(t *testing.T) {
	machines := []string{"mesh:8x8", "mesh:7x3", "mesh:1x9", "mesh:3x3", "mesh:4x4x3",
		"torus:4x4x4", "torus:3x5", "torus:3x2x4x3", "hypercube:5", "tree:4x3", "tree:2x4",
		"fat-tree:8x6:4", "dragonfly:a4h2p2g9", "hyperx:4x4:p2"}
	for _, e := range entries() {
		conformed := 0
		for _, text := range append(forms[e.Name], e.Name) {
			for _, short := range machines {
				machine := topologytest.Machine(t, short)
				a, err := made(text, machine)
				if err != nil || text == "optimal" {
					continue // of another kind of machine, or slow
				}
				conformed++
				t.Run(fmt.Sprint(text, " on ", short), func(t *testing.T) {
					allocationtest.Conform(t, e, text, machine)
					// Those that count hops make lists of a center in more than three dimensions and on other
					// machines, and balanced placement makes tables.
					cube, is := machine.(*topology.Cube)
					lattice := is && len(cube.Dims()) <= 3
					if (lattice || !e.ByHops) && e.Name != "kueue-balanced" {
						allocationtest.CheckMemory(t, text, a, machine.Nodes())
					}
				})
			}
		}
		if conformed == 0 || !strings.Contains(e.Doc, "19") && !strings.Contains(e.Doc, "20") {
			t.Errorf("%s (%s) takes no machine or cites nothing", e.Name, e.Doc)
		}
	}
}

// Calls are read, and written with bare values in the order in which parameters are declared.
func TestCallsOfAllocators(t *testing.T) {
	for text, want := range map[string]string{"random": "random", "paging": "paging:0",
		"paging:2,row-major": "paging:2", "paging:03": "paging:3", "paging:snake": "paging:0,snake",
		"paging:order=snake,page=1": "paging:1,snake", "first-fit:rotate": "first-fit:rotate",
		"first-fit:rotate=false": "first-fit", "best-fit:rotate,boundary": "best-fit:rotate,boundary",
		"frame-sliding:free": "frame-sliding:free", "mc:previous": "mc", "mc1x1:greedy": "mc1x1:greedy",
		"mc1x1-tie":                 "mc1x1-tie:2,13,20,6",
		"mc1x1-tie:greedy":          "mc1x1-tie:2,13,20,6,greedy",
		"mc1x1-tie:2,13,20,6,twice": "mc1x1-tie:2,13,20,6,twice",
		"mc1x1-tie:wall=0":          "mc1x1-tie:2,13,0,6", "optimal:1000000": "optimal",
		"optimal:500": "optimal:limit=500", "ptas:m=3": "ptas", "quasi-contiguous": "quasi-contiguous:0",
		"sum-of-squares:linear,hilbert": "sum-of-squares:hilbert,linear",
		"free-list:snake/x-y":           "free-list:snake/x-y", "free-list:row-major": "free-list",
		"slurm-tree:22.05": "slurm-tree:22.05", "slurm-block:16,4": "slurm-block:16,4"} {
		v, err := parsed(text)
		if err != nil || v.String() != want {
			t.Errorf("%q is %q, %v; want %q", text, v, err, want)
		}
		if again, err := parsed(v.String()); err != nil || again.String() != want {
			t.Errorf("%q is read as %q, %v", v, again, err)
		}
	}
}

// parsed reads a call.
func parsed(text string) (call.Values, *input.Error) {
	table := entries()
	i := slices.IndexFunc(table, func(e allocation.Entry) bool { return e.Name == call.Name(text) })
	return call.Parse(text, table[i].Parameters)
}
