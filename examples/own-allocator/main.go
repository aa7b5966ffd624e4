// Command own-allocator is contend with one more allocator, nearest: a job gets
// the free nodes that are nearest to one of them.
package main

import (
	"fmt"
	"slices"

	"contend"
	"contend/allocation"
	"contend/router/topology"
)

func main() {
	r := contend.Builtin()
	r.Allocators = append(r.Allocators, contend.Allocator{
		Name: "nearest", Doc: "the free nodes with the fewest hops to one of them",
		Parameters: []contend.Parameter{{
			Name: "starts", Type: contend.Integer, Default: "4", Min: "1", Unit: "nodes",
			Doc: "free nodes to try as that one, spread over all",
		}},
		CountDecides: true,
		New: func(v contend.Values, s contend.AllocatorSite) (allocation.Allocator, error) {
			hops, ok := s.Machine.(topology.Metric)
			if !ok {
				return nil, fmt.Errorf("it needs a machine on which hops can be counted")
			}
			return &nearest{hops: hops, nodes: s.Machine.Nodes(), starts: v.Int("starts")}, nil
		},
	})
	contend.Main(r)
}

// nearest gives a job the free nodes with the smallest sum of distances to one of them.
type nearest struct {
	hops       topology.Metric
	nodes      int
	starts     int
	free, best []topology.Node // working memory
}

// Allocate implements allocation.Allocator. Of equal nodes the one of the least
// number comes first, so that the same free nodes give the same answer.
func (a *nearest) Allocate(
	dst []topology.Node, free *allocation.FreeSet, req allocation.Request,
) ([]topology.Node, bool) {
	if req.Size > free.Count() {
		return dst, false // the job has to wait
	}
	least, tries := -1, min(a.starts, free.Count())
	for i := range tries {
		nodes := free.AppendTo(a.free[:0])
		start := nodes[i*len(nodes)/tries]
		slices.SortStableFunc(nodes, func(x, y topology.Node) int {
			return a.hops.Distance(start, x) - a.hops.Distance(start, y)
		})
		sum := 0
		for _, n := range nodes[:req.Size] {
			sum += a.hops.Distance(start, n)
		}
		if least < 0 || sum < least {
			least, a.best = sum, append(a.best[:0], nodes[:req.Size]...)
		}
		a.free = nodes
	}
	return append(dst, a.best...), true
}

// Check implements allocation.Allocator.
func (a *nearest) Check(req allocation.Request) error {
	if req.Size > a.nodes {
		return fmt.Errorf("asks for %d processors; the machine has %d", req.Size, a.nodes)
	}
	return nil
}
