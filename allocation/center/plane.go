package center

// plane counts the free nodes of parts of a mesh of one or two dimensions: of balls, stretches
// of rows and stretches of columns, each in constant time.
type plane struct {
	width, height int
	side          int     // of a row of balls
	balls         []int32 // free nodes with less x+y and less x-y, in rows of equal x+y
	along         []int32 // for each row, the free nodes before each place of it
	across        []int32 // for each row, the free nodes of each column in the rows before

	// notes are for bounds: for each column and row the nodes of a ball up to it, and then the
	// sum of its distances to all of them.
	notes [2][]int64
}

// hasPlane reports whether a machine is such a mesh. One that is large, but only a few rows wide,
// would need too large a table.
func hasPlane(l *Lattice) bool {
	side := l.Dims[0] + l.Dims[1]
	return l.Dims[2] == 1 && l.Wrap == [3]bool{} && (side <= 1024 || side*side <= 16*l.Nodes())
}

func newPlane(l *Lattice) *plane {
	p := &plane{width: l.Dims[0], height: l.Dims[1], side: l.Dims[0] + l.Dims[1]}
	p.balls = make([]int32, p.side*p.side)
	p.along = make([]int32, (p.width+1)*p.height)
	p.across = make([]int32, p.width*(p.height+1))
	p.notes = [2][]int64{make([]int64, p.width), make([]int64, p.height)}
	return p
}

// load counts the nodes, of which each place has so many.
func (p *plane) load(free []int32) {
	for y := range p.height {
		row := p.along[y*(p.width+1) : (y+1)*(p.width+1)]
		before := p.across[y*p.width : (y+1)*p.width]
		after := p.across[(y+1)*p.width : (y+2)*p.width]
		count := int32(0)
		for x, n := range free[y*p.width : (y+1)*p.width] {
			count += n
			row[x+1] = count
			after[x] = before[x] + n
		}
	}
	for u := range p.side - 1 {
		p.loadDiagonal(free, u)
	}
}

// loadDiagonal counts the free nodes of equal x+y. Only every other x-y occurs.
func (p *plane) loadDiagonal(free []int32, u int) {
	before, after := p.balls[u*p.side:(u+1)*p.side], p.balls[(u+1)*p.side:(u+2)*p.side]
	count, least, most := int32(0), max(0, u-p.height+1), min(u, p.width-1)
	// v is x-y+height-1 of place x, and 2x-u+height-1
	first := 2*least - u + p.height - 1
	copy(after[:first+1], before[:first+1])
	n := least + (u-least)*p.width
	v := first
	for x := least; x <= most; x++ {
		count += free[n]
		after[v+1] = before[v+1] + count
		if v+2 < len(after) {
			after[v+2] = before[v+2] + count
		}
		v += 2
		n -= p.width - 1
	}
	for v++; v < len(after); v++ {
		after[v] = before[v] + count
	}
}

// count returns the number of free nodes within a radius of a place.
func (p *plane) count(x, y, radius int) int {
	u, v := x+y, x-y+p.height-1
	from, to := max(0, u-radius), min(p.side-1, u+radius+1)
	low, high := p.balls[from*p.side:], p.balls[to*p.side:]
	from, to = max(0, v-radius), min(p.side-1, v+radius+1)
	return int(high[to] - high[from] - low[to] + low[from])
}

// radius returns the radius of the smallest ball around a place that holds so many free nodes.
// The search begins at a guess.
func (p *plane) radius(x, y, size, guess int) int {
	for p.count(x, y, guess) < size {
		guess++
	}
	for guess > 0 && p.count(x, y, guess-1) >= size {
		guess--
	}
	return guess
}

// fill adds the nodes nearer to a place than radius to a census. It returns their number.
func (p *plane) fill(c *Census, x, y, radius int) int {
	found := int32(0)
	for j := max(0, y-radius+1); j <= min(p.height-1, y+radius-1); j++ {
		far := radius - 1 - max(j-y, y-j)
		row := p.along[j*(p.width+1):]
		n := row[min(p.width, x+far+1)] - row[max(0, x-far)]
		c[1][j] = n
		found += n
	}
	for j := max(0, x-radius+1); j <= min(p.width-1, x+radius-1); j++ {
		far := radius - 1 - max(j-x, x-j)
		c[0][j] = p.across[min(p.height, y+far+1)*p.width+j] - p.across[max(0, y-far)*p.width+j]
	}
	c[2][0] = found
	return int(found)
}
