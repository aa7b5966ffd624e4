package patterns

// route identifies the messages that are received in the order in which they were sent.
type route struct {
	from, to Rank
	tag      int32
}

// routes finds the channel of a route. It is a hash table with open addressing that only grows:
// a map of Go makes an all-to-all program several times slower.
type routes struct {
	places []int32 // index of a channel plus one, or 0 if free; the length is a power of two
}

// hash spreads routes over the table. The multipliers are odd, and the upper half of
// the product is mixed better.
func (k route) hash() uint32 {
	h := uint64(uint32(k.from))*0x9E3779B97F4A7C15 ^ uint64(uint32(k.to))*0xC2B2AE3D27D4EB4F ^ uint64(
		uint32(k.tag))*0x165667B19E3779F9
	h ^= h >> 29
	return uint32(h * 0xBF58476D1CE4E5B9 >> 32)
}

// find returns the index of the channel of a route. It reports false if the route has
// none.
func (t *routes) find(channels []channel, k route) (int32, bool) {
	if len(t.places) == 0 {
		return 0, false
	}
	mask := uint32(len(t.places) - 1)
	for at := k.hash() & mask; ; at = (at + 1) & mask {
		i := t.places[at] - 1
		if i < 0 {
			return 0, false
		}
		if channels[i].route == k {
			return i, true
		}
	}
}

// add adds the last channel to the table.
func (t *routes) add(channels []channel) {
	if 2*len(channels) > len(t.places) {
		t.places = make([]int32, max(16, 2*len(t.places)))
		for i := range channels[:len(channels)-1] {
			t.enter(channels, i)
		}
	}
	t.enter(channels, len(channels)-1)
}

// enter stores the index of a channel at the first free place from its hash on.
func (t *routes) enter(channels []channel, i int) {
	mask := uint32(len(t.places) - 1)
	at := channels[i].hash() & mask
	for t.places[at] != 0 {
		at = (at + 1) & mask
	}
	t.places[at] = int32(i) + 1
}
