package exact

import (
	"strconv"

	"contend/allocation"
	"contend/internal/call"
)

// Allocators lists the entry of the optimum.
func Allocators() []allocation.Entry {
	return []allocation.Entry{
		{Name: "optimal", CountDecides: true, ByHops: true,
			Doc: "the processors with the least sum of pairwise distances on any machine, by " +
				"branch and bound; optimal:1000 stops after 1000 nodes of the search (Bender et al. " +
				"2005, sec. 6)",
			Parameters: []call.Parameter{{Name: "limit", Type: call.Integer, Min: "1",
				Default: strconv.Itoa(DefaultLimit),
				Doc: "nodes of the search tree after which the search ends with the best set found " +
					"so far"}},
			New: func(v call.Values, s allocation.Site) (allocation.Allocator, error) {
				return NewOptimal(s, v.Int("limit"))
			}},
	}
}
