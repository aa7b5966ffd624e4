package center

// exceeds reports whether a bound shows that size nodes around a place, all that are nearer than
// radius among them, have pairwise distances that add up to more than a limit.
func (p *plane) exceeds(x, y, radius, size int, limit int64) bool {
	return p.least(x, y, radius, size, limit) > limit
}

// least returns a lower bound of the sum of pairwise distances of size free nodes, among them
// all that are nearer to a place than radius, the inner ones. Each of the others is at least as
// far from all of those as the nearest place at the radius. The bound, but not more, is returned
// as soon as it exceeds the limit.
func (p *plane) least(x, y, radius, size int, limit int64) int64 {
	if radius == 0 {
		return 0
	}
	inner := int64(p.count(x, y, radius-1))
	others := int64(size) - inner
	bound := p.alongRows(x, y, radius, inner)
	if bound > limit {
		return bound
	}
	if bound += p.alongColumns(x, y, radius, inner); bound > limit || others == 0 {
		return bound
	}
	return bound + others*p.nearest(x, y, radius, inner)
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
