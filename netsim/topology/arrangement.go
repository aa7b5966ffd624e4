package topology

import "slices"

// Arrangement says which global links of a dragonfly lead to which groups (Camarero,
// Vallejo and Beivide, "Topological Characterization of Hamming and Dragonfly Networks
// and Its Implications on Routing", ACM TACO 11(4), 2014, sec. 4). In a round of g-1
// slots each other group has one.
type Arrangement uint8

// The arrangements.
const (
	// Absolute deals slots to the groups in the order of their numbers, the own one left
	// out. It is that of Kim et al. 2008, fig. 5.
	Absolute Arrangement = iota
	// Relative deals slots to the groups in the order in which they follow the own one:
	// slot s leads s+1 groups ahead.
	Relative
	// Circulant leads one group ahead and one back, then two ahead and two back, and so on.
	// Where a round has an even number of slots, router i is joined with routers i of other
	// groups.
	Circulant
)

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
	if from == to {
		return 0
	}
	if _, ok := t.restSlot(from, to); ok {
		return t.rounds + 1
	}
	return t.rounds
}

// GlobalLink returns the router and port at which global link i from one group to another
// one begins, i from 0 to LinksBetween-1.
func (t *Dragonfly) GlobalLink(from, to, i int) (Router, Port) {
	if i == t.rounds {
		slot, _ := t.restSlot(from, to)
		return t.atSlot(from, i*(t.groups-1)+slot)
	}
	return t.atSlot(from, i*(t.groups-1)+t.slotFor(from, to))
}

// across returns the group that a slot of a group leads to, and the slot there; false
// where the slot is free.
func (t *Dragonfly) across(group, slot int) (to, far int, ok bool) {
	if t.groups == 1 {
		return 0, 0, false
	}
	round, s := slot/(t.groups-1), slot%(t.groups-1)
	if round == t.rounds {
		ahead, ok := t.restOffset(s)
		if !ok {
			return 0, 0, false
		}
		to = (group + ahead) % t.groups
		far, _ = t.restSlot(to, group)
	} else {
		to = t.groupAt(group, s)
		far = t.slotFor(to, group)
	}
	return to, round*(t.groups-1) + far, true
}

// groupAt returns the group that slot s of a whole round leads to.
func (t *Dragonfly) groupAt(group, s int) int {
	switch t.arrangement {
	case Relative:
		return (group + s + 1) % t.groups
	case Circulant:
		return (group + t.alternate(s)) % t.groups
	}
	if s >= group {
		s++
	}
	return s
}

// slotFor returns the slot of a whole round that leads to another group: the inverse of
// groupAt.
func (t *Dragonfly) slotFor(group, to int) int {
	ahead := (to - group + t.groups) % t.groups
	switch t.arrangement {
	case Relative:
		return ahead - 1
	case Circulant:
		return t.alternating(ahead)
	}
	if to > group {
		to--
	}
	return to
}

// alternate returns how many groups ahead slot s leads that alternates between ahead and
// back.
func (t *Dragonfly) alternate(s int) int {
	if s%2 == 0 {
		return s/2 + 1
	}
	return t.groups - (s/2 + 1)
}

// alternating is the inverse of alternate. The group on the other side of an even number
// of groups is as far ahead as back, and its slot is the last one.
func (t *Dragonfly) alternating(ahead int) int {
	if 2*ahead <= t.groups {
		return 2 * (ahead - 1)
	}
	return 2*(t.groups-ahead-1) + 1
}

// restOffset returns how many groups ahead slot s of the last, shorter round leads. Ahead
// and back come in pairs; what is left of an odd number joins opposite groups, if there
// are such.
func (t *Dragonfly) restOffset(s int) (ahead int, ok bool) {
	if t.rest%2 == 0 || s < t.rest-1 {
		return t.alternate(s), true
	}
	return t.groups / 2, t.groups%2 == 0
}

// restSlot returns the slot of the last round that leads to another group.
func (t *Dragonfly) restSlot(group, to int) (slot int, ok bool) {
	ahead := (to - group + t.groups) % t.groups
	if 2*ahead == t.groups {
		return t.rest - 1, t.rest%2 == 1
	}
	s := t.alternating(ahead)
	return s, s < t.rest-t.rest%2
}
