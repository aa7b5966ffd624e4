package topology

import (
	"slices"
	"strconv"
	"strings"
)

// ParseDragonfly reads the size of a dragonfly, such as a4h2p2g9:relative.
func ParseDragonfly(size string) (c DragonflyConfig, ok bool) {
	shape, arrangement, named := strings.Cut(size, ":")
	if named {
		if c.Arrangement, ok = ArrangementNamed(arrangement); !ok {
			return c, false
		}
	}
	n, ok := readLettered(shape, "ahpg")
	c.GroupRouters, c.GlobalLinks, c.Concentration, c.Groups = n['a'], n['h'], n['p'], n['g']
	return c, ok && n['a'] > 0 && n['h'] > 0
}

// ParseFatTree reads the size of a fat tree, such as 4x4x4, 4x4x4:2 or 4x4x4:2x1:b2r2.
func ParseFatTree(size string) (c FatTreeConfig, ok bool) {
	parts := strings.Split(size, ":")
	if c.Children, ok = ParseDims(parts[0]); !ok || len(parts) > 3 {
		return c, false
	}
	more := parts[1:]
	if len(more) > 0 && more[0] != "" && more[0][0] >= '0' && more[0][0] <= '9' {
		if c.Parents, ok = ParseDims(more[0]); !ok {
			return c, false
		}
		more = more[1:]
	}
	if len(more) == 0 {
		return c, true
	}
	n, ok := readLettered(more[0], "br")
	if c.Rails = n['r']; n['b'] > 0 {
		c.Bundle = []int{n['b']}
	}
	return c, ok && len(more) == 1
}

// ParseHyperX reads the size of a HyperX, such as 4x4:p4w2.
func ParseHyperX(size string) (c HyperXConfig, ok bool) {
	dims, more, given := strings.Cut(size, ":")
	if c.Dims, ok = ParseDims(dims); !ok || !given {
		return c, ok
	}
	n, ok := readLettered(more, "pw")
	if c.Concentration = n['p']; n['w'] > 0 {
		c.Width = []int{n['w']}
	}
	return c, ok
}

// ParseDims reads numbers from 1 with an x between, such as 16x16.
func ParseDims(text string) (list []int, ok bool) {
	for part := range strings.SplitSeq(text, "x") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return nil, false
		}
		list = append(list, n)
	}
	return list, true
}

// readLettered reads numbers from 1, each behind another one of some letters, such as a4h2.
func readLettered(text, letters string) (map[byte]int, bool) {
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
