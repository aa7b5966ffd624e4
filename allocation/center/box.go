package center

import (
	"contend/allocation"
	"contend/router/topology"
)

// boxes counts the free nodes of any box of a lattice in constant time with a
// summed-area table: sums[i,j,k] is the number of free nodes below (i, j, k). The table
// holds dimensions that wrap twice, so that a box across the ends is one box of the
// table.
type boxes struct {
	*Lattice
	long  [3]int // sides of the table
	row   int    // entries from one row to the next, and
	plane int    // from one plane to the next
	sums  []int32
}

// newBoxes returns memory for the table of a lattice.
func newBoxes(l *Lattice) boxes {
	b := boxes{Lattice: l, long: l.Dims}
	for d := range b.long {
		if l.Wrap[d] {
			b.long[d] *= 2
		}
	}
	b.row = b.long[0] + 1
	b.plane = b.row * (b.long[1] + 1)
	b.sums = make([]int32, b.plane*(b.long[2]+1))
	return b
}

// load computes the table of a free set. The first row and plane stay 0. What lies beyond the
// end of a dimension that wraps is the sum of two entries within.
func (b *boxes) load(free *allocation.FreeSet) {
	for z := range b.long[2] {
		below, plane := b.sums[z*b.plane:][:b.plane], b.sums[(z+1)*b.plane:][:b.plane]
		if z >= b.Dims[2] {
			addRows(plane, b.sums[b.Dims[2]*b.plane:][:b.plane],
				b.sums[(z+1-b.Dims[2])*b.plane:][:b.plane])
			continue
		}
		for y := range b.long[1] {
			row := plane[(y+1)*b.row:][:b.row]
			if y >= b.Dims[1] {
				addRows(row, plane[b.Dims[1]*b.row:][:b.row], plane[(y+1-b.Dims[1])*b.row:][:b.row])
				continue
			}
			b.loadRow(row, plane[y*b.row:], below[(y+1)*b.row:], below[y*b.row:], free, b.node(0, y, z))
		}
	}
}

// addRows sets each entry of sum to the sum of the entries of x and y there.
func addRows(sum, x, y []int32) {
	x, y = x[:len(sum)], y[:len(sum)]
	for i := range sum {
		sum[i] = x[i] + y[i]
	}
}

// loadRow sets a row of the table, whose first node is first, from the row before it, the same row
// of the plane below, and the row before that one.
func (b *boxes) loadRow(row, before, below, both []int32, free *allocation.FreeSet,
	first topology.Node) {
	before, below, both = before[:len(row)], below[:len(row)], both[:len(row)]
	count, n, words := int32(0), first, free.Words()
	for x := 1; x <= b.Dims[0]; x++ {
		count += int32(words[n>>6] >> (n & 63) & 1)
		row[x] = count + before[x] + below[x] - both[x]
		n++
	}
	whole := row[b.Dims[0]]
	for x := b.Dims[0] + 1; x < len(row); x++ {
		row[x] = whole + row[x-b.Dims[0]]
	}
}

// box is the set of nodes with low[d] <= coordinate <= high[d] for each d. It may
// extend beyond the machine, where there are no nodes, or around it in a dimension that
// wraps.
type box struct{ low, high [3]int }

// grown returns the box extended by a number of shells.
func (k box) grown(shells int) box {
	for d := range k.low {
		k.low[d] -= shells
		k.high[d] += shells
	}
	return k
}

// volume returns the number of nodes in a box, free or not.
func (b *boxes) volume(k *box) int {
	volume := 1
	for d := range b.Dims {
		from, to := b.within(d, k.low[d], k.high[d])
		volume *= to - from
	}
	return volume
}

// count returns the number of free nodes in k extended by a number of shells.
func (b *boxes) count(k *box, shells int) int {
	x0, x1 := b.within(0, k.low[0]-shells, k.high[0]+shells)
	y0, y1 := b.within(1, k.low[1]-shells, k.high[1]+shells)
	y0, y1 = y0*b.row, y1*b.row
	if b.Dims[2] == 1 {
		s := b.sums[b.plane:]
		return int(s[y1+x1] - s[y1+x0] - s[y0+x1] + s[y0+x0])
	}
	z0, z1 := b.within(2, k.low[2]-shells, k.high[2]+shells)
	s, t := b.sums[z0*b.plane:], b.sums[z1*b.plane:]
	return int(t[y1+x1] - t[y1+x0] - t[y0+x1] + t[y0+x0] - s[y1+x1] + s[y1+x0] + s[y0+x1] - s[y0+x0])
}
