package topology

import (
	"slices"
	"strconv"
	"strings"
)

type (
	fatTree   struct{}
	dragonfly struct{}
	hyperX    struct{}
)

func (fatTree) Name() string   { return "fat-tree" }
func (dragonfly) Name() string { return "dragonfly" }
func (hyperX) Name() string    { return "hyperx" }

func (fatTree) Routings() []string { return tree{}.Routings() }

func (dragonfly) Routings() []string {
	return []string{"minimal", "minimal-ascending", "valiant", "ugal-l", "ugal-g", "par"}
}

func (hyperX) Routings() []string {
	return []string{"dimension-order", "minimal-adaptive", "valiant", "ugal", "dal"}
}

func (fatTree) Example() (size, words string) {
	return "4x4x4:2x2:b2r2", "the subtrees below a router of each level, nodes first, and after " +
		"colons the routers above it and the links of a bundle and the rails of a node"
}

func (dragonfly) Example() (size, words string) {
	return "a4h2p2g9", "routers of a group, global links and nodes of a router, and groups, of " +
		"which only a and h are needed, and an arrangement after a colon"
}

func (hyperX) Example() (size, words string) {
	return "4x4:p4w1", "the routers along each dimension, and after a colon nodes of a router and " +
		"parallel links"
}

// Parse reads letters with numbers, and after a colon the arrangement.
func (k dragonfly) Parse(size string) (Topology, error) {
	c, ok := ParseDragonfly(size)
	if !ok {
		return nil, badSize(k, size)
	}
	return made(NewDragonfly(c))
}

// ParseDragonfly reads the size of a dragonfly, such as a4h2p2g9:relative.
func ParseDragonfly(size string) (c DragonflyConfig, ok bool) {
	shape, arrangement, named := strings.Cut(size, ":")
	if named {
		if c.Arrangement, ok = ArrangementNamed(arrangement); !ok {
			return c, false
		}
	}
	n, ok := lettered(shape, "ahpg")
	c.GroupRouters, c.GlobalLinks, c.Concentration, c.Groups = n['a'], n['h'], n['p'], n['g']
	return c, ok && n['a'] > 0 && n['h'] > 0
}

// Parse reads numbers with an x between, after a colon more of those, and after another one
// letters with numbers.
func (k fatTree) Parse(size string) (Topology, error) {
	c, ok := ParseFatTree(size)
	if !ok {
		return nil, badSize(k, size)
	}
	return made(NewFatTree(c))
}

// ParseFatTree reads the size of a fat tree, such as 4x4x4, 4x4x4:2 or 4x4x4:2x1:b2r2.
func ParseFatTree(size string) (c FatTreeConfig, ok bool) {
	parts := strings.Split(size, ":")
	var err error
	if c.Children, err = numbers(fatTree{}, parts[0]); err != nil || len(parts) > 3 {
		return c, false
	}
	more := parts[1:]
	if len(more) > 0 && more[0] != "" && more[0][0] >= '0' && more[0][0] <= '9' {
		if c.Parents, err = numbers(fatTree{}, more[0]); err != nil {
			return c, false
		}
		more = more[1:]
	}
	if len(more) == 0 {
		return c, true
	}
	n, ok := lettered(more[0], "br")
	if c.Rails = n['r']; n['b'] > 0 {
		c.Bundle = []int{n['b']}
	}
	return c, ok && len(more) == 1
}

// Parse reads numbers with an x between, and after a colon letters with numbers.
func (k hyperX) Parse(size string) (Topology, error) {
	c, ok := ParseHyperX(size)
	if !ok {
		return nil, badSize(k, size)
	}
	return made(NewHyperX(c))
}

// ParseHyperX reads the size of a HyperX, such as 4x4:p4w2.
func ParseHyperX(size string) (c HyperXConfig, ok bool) {
	dims, more, given := strings.Cut(size, ":")
	var err error
	if c.Dims, err = numbers(hyperX{}, dims); err != nil {
		return c, false
	}
	if !given {
		return c, true
	}
	n, ok := lettered(more, "pw")
	if c.Concentration = n['p']; n['w'] > 0 {
		c.Width = []int{n['w']}
	}
	return c, ok
}

// lettered reads numbers from 1, each behind another letter of those.
func lettered(text, letters string) (map[byte]int, bool) {
	list := map[byte]int{}
	for text != "" {
		letter := text[0]
		digits := len(text) - 1
		if i := strings.IndexFunc(text[1:], func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
			digits = i
		}
		n, err := strconv.Atoi(text[1 : 1+digits])
		if err != nil || n < 1 || list[letter] > 0 || !slices.Contains([]byte(letters), letter) {
			return nil, false
		}
		list[letter], text = n, text[1+digits:]
	}
	return list, len(list) > 0
}
