package center

import (
	"math"
	"slices"
)

// sortedShell is the greatest radius at which sorting the nodes at the radius takes less time than
// it saves.
const sortedShell = 12

// exceeds reports whether a bound shows that size nodes around a place, all that are nearer than
// radius among them, have pairwise distances that add up to more than a limit.
func (p *plane) exceeds(free []int32, x, y, radius, size int, limit int64) bool {
	bound, inner, nearest := p.least(x, y, radius, size, limit)
	others := int64(size) - inner
	if bound <= limit && nearest > 0 && others > 0 && radius <= sortedShell {
		bound = p.leastAt(free, x, y, radius, others, bound, nearest)
	}
	return bound > limit
}

// least returns a lower bound of the sum of pairwise distances of size free nodes, among them
// all that are nearer to a place than radius, the inner ones. Each of the others is at least as
// far from all of those as the nearest place at the radius. The bound, but not more, is returned
// as soon as it exceeds the limit.
func (p *plane) least(x, y, radius, size int, limit int64) (bound, inner, nearest int64) {
	if radius > 0 {
		inner = int64(p.count(x, y, radius-1))
	}
	others := int64(size) - inner
	bound = dense(others, p.most)
	if inner == 0 {
		return bound, 0, 0
	}
	if bound += p.alongRows(x, y, radius, inner); bound > limit {
		return bound, inner, 0
	}
	if bound += p.alongColumns(x, y, radius, inner); bound > limit || others == 0 {
		return bound, inner, 0
	}
	nearest = p.nearest(x, y, radius, inner)
	return bound + others*nearest, inner, nearest
}

// dense returns a lower bound of the sum of pairwise distances of some nodes: each has others at
// its own place, as many as a place may have at four places at distance 1, at eight at distance
// 2, and so on.
func dense(nodes, most int64) int64 {
	if nodes <= most {
		return 0
	}
	radius := int64(math.Sqrt(float64(2*(nodes/most)))-1) / 2
	return nodes * (most*(2*radius*(radius+1)*(2*radius+1)/3) +
		(nodes-most*(1+2*radius*(radius+1)))*(radius+1)) / 2
}

// leastAt returns a better bound than least where the others are free nodes at the radius. The
// notes hold the sums of the distances of each column and row to the inner nodes.
func (p *plane) leastAt(free []int32, x, y, radius int, others, bound, nearest int64) int64 {
	p.shell = p.shell[:0]
	for j := max(-radius, -y); j <= min(radius, p.height-1-y); j++ {
		across := radius - max(j, -j)
		at, row := x+(y+j)*p.width, p.notes[1][y+j]
		if x+across < p.width {
			for range free[at+across] {
				p.shell = append(p.shell, row+p.notes[0][x+across])
			}
		}
		if across > 0 && across <= x {
			for range free[at-across] {
				p.shell = append(p.shell, row+p.notes[0][x-across])
			}
		}
	}
	slices.Sort(p.shell)
	sum := int64(0)
	for _, n := range p.shell[:others] {
		sum += n
	}
	return bound + sum - others*nearest - dense(others, p.most) +
		p.spread.apart(p.lattice, radius, int(others), int(p.most))
}

// alongRows returns the part of the sum of pairwise distances that lies across rows. It notes
// how many nodes lie up to each row.
func (p *plane) alongRows(x, y, radius int, inner int64) int64 {
	up, sum := int64(0), int64(0)
	low, high := max(0, y-radius), min(p.height-1, y+radius)
	notes := p.notes[1][low : high+1]
	for i := range notes {
		j := low + i
		if far := radius - 1 - max(j-y, y-j); far >= 0 {
			row := p.along[j*(p.width+1):]
			up += int64(row[min(p.width, x+far+1)] - row[max(0, x-far)])
		}
		notes[i] = up
		sum += up * (inner - up)
	}
	return sum
}

// alongColumns is alongRows for columns.
func (p *plane) alongColumns(x, y, radius int, inner int64) int64 {
	up, sum := int64(0), int64(0)
	low, high := max(0, x-radius), min(p.width-1, x+radius)
	notes := p.notes[0][low : high+1]
	for i := range notes {
		j := low + i
		if far := radius - 1 - max(j-x, x-j); far >= 0 {
			up += int64(p.across[min(p.height, y+far+1)*p.width+j] - p.across[max(0, y-far)*p.width+j])
		}
		notes[i] = up
		sum += up * (inner - up)
	}
	return sum
}

// nearest returns the least sum of the distances from a place at a radius to the nodes nearer.
func (p *plane) nearest(x, y, radius int, inner int64) int64 {
	columns := distancesAlong(p.notes[0], x, radius, inner)
	rows := distancesAlong(p.notes[1], y, radius, inner)
	least := int64(1) << 62
	for i := range radius + 1 {
		j := radius - i
		across := min(sumAt(columns, x-i), sumAt(columns, x+i))
		least = min(least, across+min(sumAt(rows, y-j), sumAt(rows, y+j)))
	}
	return least
}

func sumAt(sums []int64, i int) int64 {
	if i < 0 || i >= len(sums) {
		return 1 << 60
	}
	return sums[i]
}

// distancesAlong turns notes of how many nodes lie up to each coordinate into the sums of the
// distances of the coordinate to all.
func distancesAlong(notes []int64, x, radius int, inner int64) []int64 {
	low, high := max(0, x-radius), min(len(notes)-1, x+radius)
	sum := int64(0)
	for _, up := range notes[low : high+1] {
		sum += inner - up
	}
	for i := low; i <= high; i++ {
		up := notes[i]
		notes[i] = sum
		sum += 2*up - inner
	}
	return notes
}
