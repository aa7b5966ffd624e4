package cosim

import (
	"slices"
	"strconv"
	"strings"

	"contend/netsim/topology"
)

// nodeInterval is the nodes from first to last, both included.
type nodeInterval struct{ first, last topology.Node }

// intervals returns a set of nodes as intervals in order of number.
func intervals(nodes []topology.Node) (list []nodeInterval) {
	sorted := slices.Clone(nodes)
	slices.Sort(sorted)
	for _, n := range sorted {
		if k := len(list); k > 0 && list[k-1].last == n-1 {
			list[k-1].last = n
		} else {
			list = append(list, nodeInterval{n, n})
		}
	}
	return list
}

// nodesText writes a set of nodes in order of number as intervals: 0-15,32,40-47.
func nodesText(nodes []topology.Node) string {
	var parts []string
	for _, i := range intervals(nodes) {
		text := strconv.Itoa(int(i.first))
		if i.last > i.first {
			text += "-" + strconv.Itoa(int(i.last))
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ",")
}
