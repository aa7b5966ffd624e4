package submesh

import (
	"cmp"
	"slices"
)

// books is the multiple buddy strategy with its bookkeeping, word for word after [Lo et
// al. 1994, sec. 3.3]: free block records kept between calls, search_level, and release
// by merging buddies.
type books struct {
	initial []block
	fbr     map[int][]block // by log2 of the side, sorted by (y, x)
	avail   int
	maxDB   int
}

func newBooks(width, height int) *books {
	b := &books{fbr: map[int][]block{}, avail: width * height}
	for 1<<(2*b.maxDB) < width*height {
		b.maxDB++
	}
	b.initial = initialBlocks(0, 0, width, height)
	for _, i := range b.initial {
		b.add(i)
	}
	return b
}

// initialBlocks cuts a mesh as in Fig. 4. It takes as many of the largest square of a
// power of two as fit from the lower-left corner on. Then it cuts the rest to the right
// of them, and then the rest above them.
func initialBlocks(x, y, width, height int) []block {
	if width == 0 || height == 0 {
		return nil
	}
	side := 1
	for 2*side <= min(width, height) {
		side *= 2
	}
	across, up := width/side*side, height/side*side
	var blocks []block
	for j := 0; j < up; j += side {
		for i := 0; i < across; i += side {
			blocks = append(blocks, block{x + i, y + j, side})
		}
	}
	blocks = append(blocks, initialBlocks(x+across, y, width-across, up)...)
	return append(blocks, initialBlocks(x, y+up, width, height-up)...)
}

func log2(side int) int {
	i := 0
	for 1<<i < side {
		i++
	}
	return i
}

func byPlace(a, b block) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x)) }

func (b *books) add(k block) {
	i := log2(k.side)
	b.fbr[i] = append(b.fbr[i], k)
	slices.SortFunc(b.fbr[i], byPlace)
}

func (b *books) shift(i int) block {
	first := b.fbr[i][0]
	b.fbr[i] = b.fbr[i][1:]
	return first
}

// generate is Algorithm 2.
func (b *books) generate(i, searchLevel int) bool {
	j := i + 1
	for ; j <= searchLevel && len(b.fbr[j]) == 0; j++ {
	}
	if j > searchLevel {
		return false
	}
	k := b.shift(j)
	for j > i {
		half := 1 << (j - 1)
		b.add(block{k.x + half, k.y, half})
		b.add(block{k.x, k.y + half, half})
		b.add(block{k.x + half, k.y + half, half})
		j--
	}
	b.add(block{k.x, k.y, 1 << i})
	return true
}

// allocate is Algorithm 3.
func (b *books) allocate(size int) ([]block, bool) {
	if size > b.avail {
		return nil, false
	}
	request := make([]int, b.maxDB+1)
	for i, rest := 0, size; rest > 0; i, rest = i+1, rest/4 {
		request[i] = rest % 4
	}
	var granted []block
	searchLevel := b.maxDB
	for i := b.maxDB; i >= 0; i-- {
		if request[i] > len(b.fbr[i]) {
			made := b.generate(i, searchLevel)
			searchLevel = i
			if !made {
				request[i-1] += 4 * (request[i] - len(b.fbr[i]))
				request[i] = len(b.fbr[i])
			}
		}
		for range request[i] {
			granted = append(granted, b.shift(i))
		}
	}
	b.avail -= size
	return granted, true
}

// release returns blocks and merges buddies up to the initial blocks.
func (b *books) release(blocks []block) {
	for _, k := range blocks {
		b.avail += k.side * k.side
		b.merge(k)
	}
}

func (b *books) merge(k block) {
	for !slices.Contains(b.initial, k) {
		i, whole := log2(k.side), 2*k.side
		parent := block{k.x / whole * whole, k.y / whole * whole, whole}
		within := func(o block) bool { return o.x/whole*whole == parent.x && o.y/whole*whole == parent.y }
		buddies := 0
		for _, o := range b.fbr[i] {
			if within(o) {
				buddies++
			}
		}
		if buddies < 3 {
			break
		}
		b.fbr[i] = slices.DeleteFunc(b.fbr[i], within)
		k = parent
	}
	b.add(k)
}

// occupy sets the books to a machine with the given free nodes. It breaks the machine
// into single nodes and releases the free ones.
func (b *books) occupy(free []bool) {
	width := 0
	for _, k := range b.initial {
		width = max(width, k.x+k.side)
	}
	b.fbr, b.avail = map[int][]block{}, 0
	for n, yes := range free {
		if yes {
			b.release([]block{{n % width, n / width, 1}})
		}
	}
}
