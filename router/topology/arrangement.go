package topology

import "slices"

// Arrangement decides which global links of a dragonfly lead to which groups (Camarero,
// Vallejo and Beivide, "Topological Characterization of Hamming and Dragonfly Networks
// and Its Implications on Routing", ACM TACO 11(4), 2014, sec. 4). In a round of g-1
// slots each other group has one.
type Arrangement uint8

// The arrangements.
const (
	// Absolute deals slots to the other groups in the order of their numbers, as Kim et al. 2008,
	// fig. 5.
	Absolute Arrangement = iota
	// Relative deals slots to the groups in the order in which they follow the group: slot s leads
	// s+1 groups ahead.
	Relative
	// Circulant leads one group ahead and one back, then two ahead and two back, and so on.
	// Where a round has an even number of slots, router i is joined with routers i of other
	// groups.
	Circulant
)

// arrangements has the names of the arrangements.
var arrangements = []string{"absolute", "relative", "circulant"}

// Arrangements returns the names of the arrangements, in the order of their numbers.
func Arrangements() []string { return slices.Clone(arrangements) }

// ArrangementNamed returns the arrangement of that name.
func ArrangementNamed(name string) (Arrangement, bool) {
	i := slices.Index(arrangements, name)
	return Arrangement(max(0, i)), i >= 0
}

// String returns the name of the arrangement.
func (a Arrangement) String() string { return arrangements[a] }

// LinksBetween returns how many global links lead from one group to another one.
func (t *Dragonfly) LinksBetween(from, to int) int {
	n := 0
	for n < t.rounds && t.slot(from, to, n) >= 0 {
		n++
	}
	return n
}

// GlobalLink returns the router and port at which global link i from one group to another
// one begins, i from 0 to LinksBetween-1.
func (t *Dragonfly) GlobalLink(from, to, i int) (Router, Port) {
	return t.atSlot(from, int(t.slot(from, to, i)))
}

// slot returns the slot that leads from one group to another one in a round, negative if there is
// none.
func (t *Dragonfly) slot(from, to, round int) int32 {
	return t.slots()[(from*t.groups+to)*t.rounds+round]
}

// findSlots returns the slots of all groups and rounds: see Dragonfly.slots.
func (t *Dragonfly) findSlots() []int32 {
	rounds := t.rounds
	list := slices.Repeat([]int32{-1}, t.groups*t.groups*rounds)
	for group := range t.groups {
		for slot := range t.local * t.global {
			if to, ok := t.leads(group, slot); ok {
				list[(group*t.groups+to)*rounds+slot/(t.groups-1)] = int32(slot)
			}
		}
	}
	return list
}

// leads returns the group to which a slot of a group leads, and false if the slot is free. In a
// last, shorter round groups ahead and back come in pairs. The last slot of an odd number joins
// opposite groups, if there are any.
func (t *Dragonfly) leads(group, slot int) (to int, ok bool) {
	if t.groups == 1 {
		return 0, false
	}
	all, s, arrangement := t.local*t.global, slot%(t.groups-1), t.arrangement
	if rest := all % (t.groups - 1); slot >= all-rest {
		if arrangement = Circulant; s == rest-1 && rest%2 == 1 {
			return (group + t.groups/2) % t.groups, t.groups%2 == 0
		}
	}
	ahead := s + 1
	switch {
	case arrangement == Absolute && s < group:
		return s, true
	case arrangement == Absolute:
		return s + 1, true
	case arrangement == Circulant && s%2 == 0:
		ahead = s/2 + 1
	case arrangement == Circulant:
		ahead = t.groups - (s/2 + 1)
	}
	return (group + ahead) % t.groups, true
}
