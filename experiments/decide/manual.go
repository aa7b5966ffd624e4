package decide

import (
	"contend/experiments/spec"
)

// RequestInfos lists the keys of a request to contend allocate.
func RequestInfos() []spec.Name {
	return []spec.Name{
		{Name: "free", Doc: "the free nodes, in any order; the decision is not kept"},
		{Name: "busy", Doc: "instead of free: the nodes that are not free"},
		{Name: "allocate", Doc: "instead of free: the name of a job, a string or a number. The " +
			"job keeps the nodes that it gets. The machine is empty at the beginning; every " +
			"allocator keeps its own record of jobs"},
		{Name: "release", Doc: "alone: the name of a job, which returns its nodes"},
		{Name: "size", Doc: "number of processors"},
		{Name: "shape", Doc: "instead of size or beside it: sides of the requested submesh, x " +
			"first, such as [2,2]"},
		{Name: "id", Doc: "any value; the answer repeats it"},
	}
}

// AnswerInfos lists the keys of an answer.
func AnswerInfos() []spec.Name {
	return []spec.Name{
		{Name: "id", Doc: "the id of the request"},
		{Name: "nodes", Doc: "the nodes that the job uses, in rank order"},
		{Name: "reserved", Doc: "further nodes that no other job can have (internal " +
			"fragmentation); left out if there are none"},
		{Name: "sum_pairwise_distance", Doc: "sum of the distances of all pairs of nodes, in " +
			"hops between routers", Source: "bender2005"},
		{Name: "mean_pairwise_distance", Doc: "mean of these distances; 0 for one node"},
		{Name: "components", Doc: "connected components of the nodes", Source: "leung2002 sec. 3"},
		{Name: "span_linear", Doc: "ranks from the first to the last node, reserved ones " +
			"included, in the order --order", Source: "leung2002 sec. 2.3"},
		{Name: "span_ring", Doc: "the same with the order closed to a ring",
			Source: "leung2002 sec. 2.3"},
		{Name: "sides", Doc: "mesh, torus or hypercube of up to three dimensions: sides of the " +
			"smallest box around all nodes, reserved ones included, in routers"},
		{Name: "side_sum", Doc: "mesh, torus or hypercube: sum of these sides over all " +
			"dimensions", Source: "leung2002 sec. 3"},
		{Name: "dispersal", Doc: "mesh, torus or hypercube: fraction of that box that the job " +
			"does not have", Source: "lo1994 Def. 2"},
		{Name: "weighted_dispersal", Doc: "dispersal times the number of the job's nodes",
			Source: "lo1994 Def. 2"},
		{Name: "bounding_cube_ratio", Doc: "mesh, torus or hypercube: the bounding cube over the " +
			"smallest cube that could hold the nodes", Source: "leung2002 sec. 3"},
		{Name: "tree_level", Doc: "tree, fat-tree: level of the smallest subtree that has all " +
			"nodes; the nodes of one router make a subtree of level 1", Source: "pascual2009 sec. 3"},
		{Name: "least_tree_level", Doc: "tree, fat-tree: level of the smallest subtree with room " +
			"for as many nodes",
			Source: "pascual2009 sec. 3"},
		{Name: "nodes_away", Doc: "tree, fat-tree: nodes outside of the subtree of " +
			"least_tree_level that has most of them", Source: "pascual2009 Eq. 1"},
		{Name: "groups_spanned", Doc: "machine with groups of routers: those that have nodes of " +
			"the job"},
		{Name: "explored", Doc: "allocator optimal: nodes of its search tree"},
		{Name: "proven", Doc: "allocator optimal: whether it searched the whole tree, so that no " +
			"placement is better"},
		{Name: "refused", Doc: "instead of nodes: why the job has to wait"},
		{Name: "free", Doc: "with refused: number of free nodes"},
		{Name: "released", Doc: "answer to release: the nodes that are now free"},
		{Name: "line", Doc: "with error: number of the line, from 1"},
		{Name: "error", Doc: "instead of all but id: what is wrong with the request, and what " +
			"would be right; also if an empty machine could not grant the request"},
		{Name: "allocators", Doc: "with several allocators: an object with the answer of each " +
			"under its name"},
	}
}
