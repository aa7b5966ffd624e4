package center

import (
	"cmp"
	"math"
	"slices"

	"contend/netsim/topology"
)

// tiles divide the places of a lattice into tiles, and those into smaller ones, so that one
// look bounds what all centers of a tile can give. Places near to each other in L1 share a
// tile: in a plane a tile is a square turned by 45 degrees, which holds twice as many places
// as an upright one of the same radius.
type tiles struct {
	order  []topology.Node // all places, those of a tile side by side
	levels [][]tile        // from the largest tiles to the smallest
	radius []int           // the greatest radius of the tiles of a level
}

// tile is a set of places.
type tile struct {
	middle      [3]int // a place of the tile
	radius      int    // the greatest L1 distance of a place of the tile from it
	first, end  int32  // its places in the order
	part, parts int32  // its parts on the next level, from the first to before the last
}

// tileSides are the sides of tiles in turned coordinates.
var tileSides = [...]int{16, 8, 4}

func newTiles(l *Lattice) tiles {
	t := tiles{order: make([]topology.Node, l.Nodes())}
	keys := make([]uint64, l.Nodes())
	for n := range t.order {
		t.order[n], keys[n] = topology.Node(n), tileKey(l, topology.Node(n))
	}
	slices.SortFunc(t.order, func(a, b topology.Node) int {
		return cmp.Or(cmp.Compare(keys[a], keys[b]), cmp.Compare(a, b))
	})
	for level := range tileSides {
		shift := uint(2 * (len(tileSides) - 1 - level) * 4)
		t.addLevel(l, func(n topology.Node) uint64 { return keys[n] >> shift })
	}
	return t
}

// tileKey returns a number that orders places by their tiles, those of the largest side in the
// high bits. Each smaller level adds 8 bits.
func tileKey(l *Lattice, n topology.Node) uint64 {
	p := l.Coordinates(n)
	at, key := turned(p), uint64(0)
	for level, side := range tileSides {
		i, j, k := at[0]/side, (at[1]+l.Dims[1])/side, at[2]/max(1, side/2)
		if level == 0 {
			key = uint64(i)<<32 | uint64(j)<<16 | uint64(k)
			continue
		}
		key = key<<8 | uint64(i&1)<<2 | uint64(j&1)<<1 | uint64(k&1)
	}
	return key
}

// addLevel adds the tiles of places of equal keys, which are parts of those of the last level.
func (t *tiles) addLevel(l *Lattice, key func(topology.Node) uint64) {
	var level []tile
	for first := 0; first < len(t.order); {
		end := first + 1
		for end < len(t.order) && key(t.order[end]) == key(t.order[first]) {
			end++
		}
		level = append(level, newTile(l, t.order, first, end))
		first = end
	}
	if n := len(t.levels); n > 0 {
		part := int32(0)
		for i := range t.levels[n-1] {
			whole := &t.levels[n-1][i]
			whole.part = part
			for int(part) < len(level) && level[part].first < whole.end {
				part++
			}
			whole.parts = part
		}
	}
	widest := 0
	for _, tile := range level {
		widest = max(widest, tile.radius)
	}
	t.levels, t.radius = append(t.levels, level), append(t.radius, widest)
}

// newTile returns the tile of some places in the order. Its middle is the place nearest to the
// middle of their turned coordinates.
func newTile(l *Lattice, order []topology.Node, first, end int) tile {
	places := order[first:end]
	t := tile{first: int32(first), end: int32(end)}
	low, high := turned(l.Coordinates(places[0])), turned(l.Coordinates(places[0]))
	for _, n := range places {
		for d, x := range turned(l.Coordinates(n)) {
			low[d], high[d] = min(low[d], x), max(high[d], x)
		}
	}
	nearest := math.MaxInt
	for _, n := range places {
		at := turned(l.Coordinates(n))
		off := max(gap(2*at[0], low[0]+high[0]), gap(2*at[1], low[1]+high[1])) +
			gap(2*at[2], low[2]+high[2])
		if off < nearest {
			nearest, t.middle = off, l.Coordinates(n)
		}
	}
	for _, n := range places {
		t.radius = max(t.radius, l.Distance(t.middle, l.Coordinates(n)))
	}
	return t
}

// turned returns coordinates of a place in which L1 distance in the plane is the greater of two
// differences.
func turned(p [3]int) [3]int { return [3]int{p[0] + p[1], p[0] - p[1], p[2]} }

func gap(a, b int) int { return max(a-b, b-a) }
