package router

import "math/bits"

// The cycle-driven engine keeps what it reads in each cycle as bits in words of 64, one bit for
// each VC. A VC's slot is its number. The slots of a link begin at a multiple of a power of two,
// which is at most 64, so each word is divided into fields of equal size, one for each link. An
// operation that each port needs, such as the first bit at or after a pointer, is done for all
// fields of a word at once.

// fields describes the fields of a word.
type fields struct {
	low, high uint64 // the lowest bits of all fields, the highest bits of all fields
	span      uint8  // distance between the lowest and the highest bit of a field
	shift     uint8  // a link's first slot is its number shifted by shift
}

// newFields returns fields of 1 << shift bits.
func newFields(shift uint8) fields {
	x := fields{span: 1<<shift - 1, shift: shift}
	for at := 0; at < 64; at += 1 << shift {
		x.low |= 1 << at
	}
	x.high = x.low << x.span
	return x
}

// slot returns the first slot of link l.
func (x *fields) slot(l Link) int32 { return int32(l) << (x.shift & 31) }

// link returns the link of a slot.
func (x *fields) link(slot int32) Link { return Link(slot >> (x.shift & 31)) }

// fieldsOf returns all bits of the fields in which a set has bits. No sum carries into the next
// field.
func (x *fields) fieldsOf(set uint64) uint64 {
	marked := ((set &^ x.high) + ^x.high | set) & x.high
	return marked | (marked - marked>>(x.span&63))
}

// firstAtOrAfter returns, in each field of a set, the first bit that is in ahead, or if there is
// none the first bit.
func (x *fields) firstAtOrAfter(set, ahead uint64) uint64 {
	later := set & ahead
	set = later | set&^x.fieldsOf(later)
	return set &^ ((set | x.high) - x.low)
}

// pointersPast returns ahead with, in each field that has a bit in sent, the bits above that one.
func (x *fields) pointersPast(ahead, sent uint64) uint64 {
	all := x.fieldsOf(sent)
	return ahead&^all | all&^(sent|(sent-all&x.low))
}

// lastAtOrAfter returns, in each field of a set, the last bit in the order of firstAtOrAfter: the
// last that is not in ahead, or if there is none the last.
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

// bit returns the bit of a slot in its word.
func bit(slot int32) uint64 { return 1 << (slot & 63) }

// first returns the index of the first bit of a set.
func first(set uint64) int { return bits.TrailingZeros64(set) }

// slotList is a list of slots: list[:n].
type slotList struct {
	list []int32
	n    int
}

// reserve makes room for n more slots, and for those that appendBits writes beyond them.
func (s *slotList) reserve(n int) {
	if s.n+n+bitsPerStep > len(s.list) {
		s.list = append(s.list, make([]int32, len(s.list)+n+64)...)
	}
}

// add appends a slot.
func (s *slotList) add(slot int32) {
	s.reserve(1)
	s.list[s.n] = slot
	s.n++
}

// append appends a list of slots.
func (s *slotList) append(list []int32) {
	s.reserve(len(list))
	s.n += copy(s.list[s.n:], list)
}

// bitsPerStep is the number of bits that appendBits writes in a step. Most sets take one step,
// which the processor predicts; it could not predict as many steps as there are bits.
const bitsPerStep = 4

// appendBits appends the slots of a set of a word.
func (s *slotList) appendBits(at int, set uint64) {
	base, n := int32(at)<<6, bits.OnesCount64(set)
	s.reserve(n)
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
	s.n += n
}

// appendRanked appends the slots of a set of a word, each with a rank before it: 2 if it is in low,
// and 1 more if it is in behind. See matcher.
func (s *slotList) appendRanked(at int, set, low, behind uint64) {
	base, n := int32(at)<<6, bits.OnesCount64(set)
	s.reserve(n)
	for k := 0; ; k += bitsPerStep {
		to := (*[bitsPerStep]int32)(s.list[s.n+k:])
		to[0] = base + ranked(set, low, behind)
		set &= set - 1
		to[1] = base + ranked(set, low, behind)
		set &= set - 1
		to[2] = base + ranked(set, low, behind)
		set &= set - 1
		to[3] = base + ranked(set, low, behind)
		if set &= set - 1; set == 0 {
			break
		}
	}
	s.n += n
}

// ranked returns the index of the first bit of a set with its rank.
func ranked(set, low, behind uint64) int32 {
	i := first(set) & 63
	return int32(i) | int32(low>>i&1<<1|behind>>i&1)<<numberBits
}

// peek returns the slots.
func (s *slotList) peek() []int32 { return s.list[:s.n] }

// take returns the slots and empties the list.
func (s *slotList) take() []int32 {
	n := s.n
	s.n = 0
	return s.list[:n]
}

// wheel is a timing wheel of slots.
type wheel struct {
	slots []slotList // the list of cycle t is slots[t & mask]
	mask  int64
}

// newWheel returns a wheel that reaches some cycles ahead.
func newWheel(ahead int64) wheel {
	n := int64(1) << bits.Len64(uint64(ahead))
	return wheel{make([]slotList, n), n - 1}
}

// at returns the slots of a cycle.
func (w *wheel) at(cycle int64) *slotList { return &w.slots[cycle&w.mask] }

// add enters a slot in a cycle.
func (w *wheel) add(cycle int64, slot int32) {
	s := &w.slots[cycle&w.mask]
	if s.n >= len(s.list) {
		s.reserve(64)
	}
	s.list[s.n] = slot
	s.n++
}
