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
