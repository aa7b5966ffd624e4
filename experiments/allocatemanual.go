package experiments

import (
	"fmt"
	"strings"
)

// requestInfos are the keys of a request to contend allocate.
func requestInfos() []Name {
	return []Name{
		{"free", "the nodes that are free, in any order; the decision is not kept", ""},
		{"busy", "instead of free: the nodes that are not", ""},
		{"allocate", "instead of free: the name of a job, a string or a number, that keeps the nodes it gets. These are taken from a machine that was empty at the beginning; every allocator has books of its own", ""},
		{"release", "alone: the name of a job, which gives its nodes back", ""},
		{"size", "number of processors", ""},
		{"shape", "instead of size or beside it: sides of the submesh asked for, x first, such as [2,2]", ""},
		{"id", "any value, which the answer repeats", ""},
	}
}

// answerInfos are the keys of an answer.
func answerInfos() []Name {
	return []Name{
		{"id", "that of the request", ""},
		{"nodes", "the nodes for use, in rank order", ""},
		{"reserved", "nodes nobody else can have either (internal fragmentation); left out where there are none", ""},
		{"sum_pairwise_distance", "sum of the distances of all pairs of nodes, in hops between routers", "bender2005"},
		{"mean_pairwise_distance", "their mean; 0 for one node", ""},
		{"components", "connected components of the nodes", "leung2002 sec. 3"},
		{"span_linear", "ranks from the first to the last node, reserved ones included, in the order --order", "leung2002 sec. 2.3"},
		{"span_ring", "the same with the order closed to a ring", "leung2002 sec. 2.3"},
		{"sides", "mesh, torus or hypercube of up to three dimensions: sides of the smallest box around all nodes, reserved ones included, in routers", ""},
		{"side_sum", "mesh, torus or hypercube: their sum over all dimensions", "leung2002 sec. 3"},
		{"dispersal", "mesh, torus or hypercube: part of that box that is not the job's", "lo1994 Def. 2"},
		{"weighted_dispersal", "the same times the job's nodes", "lo1994 Def. 2"},
		{"bounding_cube_ratio", "mesh, torus or hypercube: the bounding cube over the smallest cube that could hold the nodes", "leung2002 sec. 3"},
		{"tree_level", "tree: level of the smallest subtree that has all nodes; those of one router are in one of level 1", "pascual2009 sec. 3"},
		{"least_tree_level", "tree: the level so many nodes need", "pascual2009 sec. 3"},
		{"nodes_away", "tree: nodes outside of the subtree of that level that has most of them", "pascual2009 Eq. 1"},
		{"explored", "allocator optimal: nodes of its search tree", ""},
		{"proven", "allocator optimal: whether it saw them all, so that no placement is better", ""},
		{"refused", "instead of nodes: why the job has to wait", ""},
		{"free", "with refused: how many nodes are free", ""},
		{"released", "answer to release: the nodes that are free now", ""},
		{"line", "with error: the number of the line, from 1", ""},
		{"error", "instead of all but id: what is wrong with the request, and what would be right; also where it could not be granted on an empty machine", ""},
		{"allocators", "of several allocators: an object with the answer of each under its name", ""},
	}
}

// decisionTables documents the lines of contend allocate.
func decisionTables(b *strings.Builder) {
	b.WriteString("\n## Lines of contend allocate\n\nA request is a JSON object on a line of standard input, and so is its answer on standard output.\n")
	for _, table := range []struct {
		title string
		keys  []Name
	}{{"request", requestInfos()}, {"answer", answerInfos()}} {
		fmt.Fprintf(b, "\n| %s | meaning |\n| --- | --- |\n", table.title)
		for _, k := range table.keys {
			doc := k.Doc
			if k.Source != "" {
				doc += " (" + k.Source + ")"
			}
			fmt.Fprintf(b, "| `%s` | %s |\n", k.Name, doc)
		}
	}
}
