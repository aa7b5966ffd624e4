package metrics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/router/topology"
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

// ParseNodes reads nodes as nodesText writes them, and returns them in order of number.
func ParseNodes(text string) (nodes []int, err error) {
	if text == "" {
		return nil, nil
	}
	for _, part := range strings.Split(text, ",") {
		from, to, isRange := strings.Cut(part, "-")
		first, err := strconv.Atoi(from)
		last := first
		if err == nil && isRange {
			last, err = strconv.Atoi(to)
		}
		if err != nil || first < 0 || last < first || last-first > maxNodes {
			return nil, fmt.Errorf("%q is no node or interval of nodes", part)
		}
		for n := first; n <= last; n++ {
			nodes = append(nodes, n)
		}
	}
	return nodes, nil
}

// maxNodes limits the nodes of an interval that is read.
const maxNodes = 1 << 24
