package exact

import (
	"strconv"

	"contend/allocation"
	"contend/internal/call"
)

// Allocators lists the entries of the optimum and of an approximation scheme.
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
		{Name: "ptas", Display: "PTAS", CountDecides: true,
			Doc: "approximation scheme with m slices across each axis, ptas:5, for meshes of a few " +
				"processors (Bender et al. 2005, secs. 3 and 4.2)",
			Parameters: []call.Parameter{{Name: "m", Type: call.Integer, Min: "2", Max: "32",
				Default: strconv.Itoa(DefaultSlices), Doc: "slices across each axis",
				Source: "bender2005 sec. 3"}},
			New: func(v call.Values, s allocation.Site) (allocation.Allocator, error) {
				return NewPTAS(s.Machine, v.Int("m"))
			}},
	}
}
