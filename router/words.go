package router

import "math/bits"

// The cycle-driven engine keeps what it asks in each cycle as bits in words of 64, one bit for each
// virtual channel. Virtual channels have slots: those of a link begin at a multiple of a power of
// two, which is at most 64, so that one word has a field of bits for each of some links. What is to
// be found for all ports, such as the first at or after a pointer, is found for a word at a time.

// fields describes how words are divided: a field has the virtual channels of a link.
type fields struct {
	low, high   uint64 // the lowest and the highest bits of the fields
	span, shift uint8  // how far they are apart; the slot of a link is its number shifted by so much
}

// newFields returns the division into fields of 1 << shift bits.
func newFields(shift uint8) fields {
	x := fields{span: 1<<shift - 1, shift: shift}
	for at := 0; at < 64; at += 1 << shift {
		x.low |= 1 << at
	}
	x.high = x.low << x.span
	return x
}

// slot returns the slot of the first virtual channel of link l.
func (x *fields) slot(l Link) int32 { return int32(l) << (x.shift & 31) }

// link returns the link of a slot.
func (x *fields) link(slot int32) Link { return Link(slot >> (x.shift & 31)) }

// of returns all bits of the fields in which a set has some. No sum of two fields is carried
// to the next one.
func (x *fields) fieldsOf(set uint64) uint64 {
	some := ((set &^ x.high) + ^x.high | set) & x.high
	return some | (some - some>>(x.span&63))
}

// firsts returns the first bit of each field of a set among those ahead, or where there is none
// among all.
func (x *fields) firstAtOrAfter(set, ahead uint64) uint64 {
	later := set & ahead
	set = later | set&^x.fieldsOf(later)
	return set &^ ((set | x.high) - x.low)
}

// past returns the bits ahead once one has sent in some of the fields: those above it.
func (x *fields) pointersPast(ahead, sent uint64) uint64 {
	all := x.fieldsOf(sent)
	return ahead&^all | all&^(sent|(sent-all&x.low))
}

// lasts returns the last bit of each field of a set in the order of firsts: of those that are not
// ahead, or where there are none of all.
func (x *fields) lastAtOrAfter(set, ahead uint64) uint64 {
	wrapped := set &^ ahead
	set = wrapped | set&^x.fieldsOf(wrapped)
	for {
		above := set &^ x.firstAtOrAfter(set, 0)
		if above == 0 {
			return set
		}
		set = above | set&^x.fieldsOf(above)
	}
}

// slotList is a list of n slots: places in which bits of words are.
type slotList struct {
	list []int32
	n    int
}

// grow makes room for so many more slots, and more that unfold writes without asking.
func (s *slotList) reserve(many int) {
	if s.n+many+bitsPerStep > len(s.list) {
		s.list = append(s.list, make([]int32, len(s.list)+many+64)...)
	}
}

// add appends a slot.
func (s *slotList) add(slot int32) {
	s.reserve(1)
	s.list[s.n] = slot
	s.n++
}

// unfolded is how many bits unfold goes through at least, even of an empty set: one turn of a loop
// is foreseen, and as many turns as there are bits are not.
const bitsPerStep = 4

// unfold appends the slots of a set of a word.
func (s *slotList) appendBits(at int, set uint64) {
	base, many := int32(at)<<6, bits.OnesCount64(set)
	s.reserve(many)
	for k := 0; ; k += bitsPerStep {
		to := (*[bitsPerStep]int32)(s.list[s.n+k:])
		to[0] = base + int32(first(set))
		set &= set - 1
		to[1] = base + int32(first(set))
		set &= set - 1
		to[2] = base + int32(first(set))
		set &= set - 1
		to[3] = base + int32(first(set))
		if set &= set - 1; set == 0 {
			break
		}
	}
	s.n += many
}

// peek returns the slots.
func (s *slotList) peek() []int32 { return s.list[:s.n] }

// take returns the slots, and empties the list.
func (s *slotList) take() []int32 {
	n := s.n
	s.n = 0
	return s.list[:n]
}

// first returns the place of the first bit of a set.
func first(set uint64) int { return bits.TrailingZeros64(set) }

// wheel holds the slots to which something happens in each of the cycles ahead.
type wheel struct {
	slots []slotList
	mask  int64
}

// newWheel returns a wheel for as many cycles ahead.
func newWheel(ahead int64) wheel {
	n := int64(1) << bits.Len64(uint64(ahead))
	return wheel{make([]slotList, n), n - 1}
}

// on returns the slots to which something happens in a cycle.
func (w *wheel) at(cycle int64) *slotList { return &w.slots[cycle&w.mask] }

// grown is on, with room for so many more.
func (w *wheel) reserve(cycle int64, many int) *slotList {
	s := w.at(cycle)
	s.reserve(many)
	return s
}

// add has something happen to a slot in a cycle.
func (w *wheel) add(cycle int64, slot int32) { w.at(cycle).add(slot) }
