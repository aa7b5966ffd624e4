package router_test

import (
	"cmp"
	"fmt"
	"slices"

	"contend/internal/must"
	"contend/router"
	"contend/router/routes"
	"contend/router/topology"
)

// flitLog keeps a line for each flit that is sent.
type flitLog struct {
	w     *router.Wiring
	lines []sentFlit
}

// sentFlit is a flit on a channel.
type sentFlit struct {
	cycle int64
	text  string
}

// Sent implements router.Tracer.
func (k *flitLog) Sent(cycle int64, c router.Channel, _ int64, index int32, ready int64) {
	text := fmt.Sprintf("flit %d on %s", index, k.w.Describe(c))
	if index == 0 && k.w.Kind(k.w.LinkOf(c)) != router.Injection {
		text += fmt.Sprintf(", requested in %d", ready)
	}
	k.lines = append(k.lines, sentFlit{cycle, text})
}

// The timeline of the package documentation: a packet of three flits over two routers.
func ExampleRouters() {
	line := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{2}}))
	w := router.NewWiring(line, 1, 1)
	x := must.Have(routes.NewDimensionOrder(w, false))
	timing := router.Timing{Routing: 2, Link: 1, Flit: 1, Credit: 1, Buffer: 2}
	b := router.New(w, x, timing, 3, router.CycleDriven)
	log := flitLog{w: w}
	b.Trace(&log)
	b.Offer(router.Offer{From: 0, To: 1, Flits: 3})
	arrived := must.Have(b.Advance(100))
	slices.SortStableFunc(log.lines, func(a, b sentFlit) int { return cmp.Compare(a.cycle, b.cycle) })
	for _, k := range log.lines {
		fmt.Printf("%d: %s\n", k.cycle, k.text)
	}
	fmt.Printf("%d: the tail is at node %d\n", arrived[0].Delivered, arrived[0].To)
	// Output:
	// 0: flit 0 on node 0->router 0
	// 1: flit 1 on node 0->router 0
	// 3: flit 0 on router 0->1, requested in 3
	// 4: flit 2 on node 0->router 0
	// 4: flit 1 on router 0->1
	// 6: flit 0 on router 1->node 1, requested in 6
	// 7: flit 2 on router 0->1
	// 7: flit 1 on router 1->node 1
	// 8: flit 2 on router 1->node 1
	// 9: the tail is at node 1
}
