package patterns

// channelKey identifies a channel between two processes. As in MPI, messages with the same sender,
// receiver and tag are received in the order in which they were sent.
type channelKey struct {
	from, to Rank
	tag      int32
}

// channels is a list of channels that finds them by their keys. It is a hash table with open
// addressing and linear probing that only grows: with a map of Go a program of all-to-all takes
// several times as long.
type channels struct {
	list   []channel
	places []int32 // index in list plus one, 0 if free; the length is a power of two
}

// hash spreads keys over the table. The multipliers are odd, and the upper half of the product is
// mixed better.
func (k channelKey) hash() uint32 {
	h := uint64(uint32(k.from))*0x9E3779B97F4A7C15 ^
		uint64(uint32(k.to))*0xC2B2AE3D27D4EB4F ^
		uint64(uint32(k.tag))*0x165667B19E3779F9
	h ^= h >> 29
	return uint32(h * 0xBF58476D1CE4E5B9 >> 32)
}

// place returns the place of a key, or the first free one from its hash on.
func (t *channels) place(k channelKey) uint32 {
	mask := uint32(len(t.places) - 1)
	at := k.hash() & mask
	for t.places[at] != 0 && t.list[t.places[at]-1].channelKey != k {
		at = (at + 1) & mask
	}
	return at
}

// find returns the index of the channel of a key. It reports false if there is none.
func (t *channels) find(k channelKey) (int32, bool) {
	if len(t.places) == 0 {
		return 0, false
	}
	i := t.places[t.place(k)] - 1
	return i, i >= 0
}

// findOrAdd returns the index of the channel of a key, which it adds if there is none. It keeps the
// table at most half full, so that a search always ends at a free place.
func (t *channels) findOrAdd(k channelKey) int32 {
	if i, ok := t.find(k); ok {
		return i
	}
	t.list = append(t.list, channel{channelKey: k})
	if 2*len(t.list) > len(t.places) {
		t.places = make([]int32, max(16, 2*len(t.places)))
		for i := range t.list[:len(t.list)-1] {
			t.places[t.place(t.list[i].channelKey)] = int32(i) + 1
		}
	}
	t.places[t.place(k)] = int32(len(t.list))
	return int32(len(t.list)) - 1
}
