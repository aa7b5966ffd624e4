package decide

import (
	"contend/experiments/spec"
)

// RequestInfos are the keys of a request to contend allocate.
func RequestInfos() []spec.Name {
	return []spec.Name{
		{Name: "free", Doc: "the nodes that are free, in any order; the decision is not kept",
			Source: ""},
		{Name: "busy", Doc: "instead of free: the nodes that are not", Source: ""},
		{Name: "allocate", Doc: "instead of free: the name of a job, a string or a number, that " +
			"keeps the nodes it gets. These are taken from a machine that was empty at the " +
			"beginning; every allocator has books of its own", Source: ""},
		{Name: "release", Doc: "alone: the name of a job, which gives its nodes back", Source: ""},
		{Name: "size", Doc: "number of processors", Source: ""},
		{Name: "shape", Doc: "instead of size or beside it: sides of the submesh asked for, x " +
			"first, such as [2,2]", Source: ""},
		{Name: "id", Doc: "any value, which the answer repeats", Source: ""},
	}
}

// AnswerInfos are the keys of an answer.
func AnswerInfos() []spec.Name {
	return []spec.Name{
		{Name: "id", Doc: "that of the request", Source: ""},
		{Name: "nodes", Doc: "the nodes for use, in rank order", Source: ""},
		{Name: "reserved", Doc: "nodes nobody else can have either (internal fragmentation); " +
			"left out where there are none", Source: ""},
		{Name: "sum_pairwise_distance", Doc: "sum of the distances of all pairs of nodes, in " +
			"hops between routers", Source: "bender2005"},
		{Name: "mean_pairwise_distance", Doc: "their mean; 0 for one node", Source: ""},
		{Name: "components", Doc: "connected components of the nodes", Source: "leung2002 sec. 3"},
		{Name: "span_linear", Doc: "ranks from the first to the last node, reserved ones " +
			"included, in the order --order", Source: "leung2002 sec. 2.3"},
		{Name: "span_ring", Doc: "the same with the order closed to a ring",
			Source: "leung2002 sec. 2.3"},
		{Name: "sides", Doc: "mesh, torus or hypercube of up to three dimensions: sides of the " +
			"smallest box around all nodes, reserved ones included, in routers", Source: ""},
		{Name: "side_sum", Doc: "mesh, torus or hypercube: their sum over all dimensions",
			Source: "leung2002 sec. 3"},
		{Name: "dispersal", Doc: "mesh, torus or hypercube: part of that box that is not the job's",
			Source: "lo1994 Def. 2"},
		{Name: "weighted_dispersal", Doc: "the same times the job's nodes",
			Source: "lo1994 Def. 2"},
		{Name: "bounding_cube_ratio", Doc: "mesh, torus or hypercube: the bounding cube over the " +
			"smallest cube that could hold the nodes", Source: "leung2002 sec. 3"},
		{Name: "tree_level", Doc: "tree: level of the smallest subtree that has all nodes; those " +
			"of one router are in one of level 1", Source: "pascual2009 sec. 3"},
		{Name: "least_tree_level", Doc: "tree: the level so many nodes need",
			Source: "pascual2009 sec. 3"},
		{Name: "nodes_away", Doc: "tree: nodes outside of the subtree of that level that has " +
			"most of them", Source: "pascual2009 Eq. 1"},
		{Name: "explored", Doc: "allocator optimal: nodes of its search tree", Source: ""},
		{Name: "proven", Doc: "allocator optimal: whether it saw them all, so that no placement " +
			"is better", Source: ""},
		{Name: "refused", Doc: "instead of nodes: why the job has to wait", Source: ""},
		{Name: "free", Doc: "with refused: how many nodes are free", Source: ""},
		{Name: "released", Doc: "answer to release: the nodes that are free now", Source: ""},
		{Name: "line", Doc: "with error: the number of the line, from 1", Source: ""},
		{Name: "error", Doc: "instead of all but id: what is wrong with the request, and what " +
			"would be right; also where it could not be granted on an empty machine", Source: ""},
		{Name: "allocators", Doc: "of several allocators: an object with the answer of each " +
			"under its name", Source: ""},
	}
}
