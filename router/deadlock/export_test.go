package deadlock

import (
	"iter"
	"math"
	"slices"

	"contend/router"
)

// FollowEscapes is followEscapes.
const FollowEscapes = followEscapes

// Followed returns the dependencies that packets with some headers bring about.
func Followed(w *router.Wiring, x router.Routing, headers iter.Seq[router.Header]) (
	[][]router.Channel, error) {
	k := newWalk(w, x)
	k.followHeaders(headers)
	return k.sorted(), k.err
}

// Ladder is what the ladder of a routing is made of, in ascending order, and whether it ascends.
type Ladder struct {
	Next, Rungs [][]router.Channel
	Ascends     bool
}

// LadderOf returns the ladder of a routing, from its witnesses or from all packets.
func LadderOf(w *router.Wiring, x router.Routing, witnesses bool) (Ladder, error) {
	k := newWalk(w, x)
	k.escapes = make([]bool, w.Channels())
	var made *ladder
	if witnesses {
		_, headers := x.(Witnessing).Witnesses()
		k.checkSources(headers)
		made = k.newLadder(headers)
	} else {
		k.followAll()
		made = k.newLadder(nil)
	}
	up := made.isAcyclic()
	for c := range made.next {
		slices.Sort(made.next[c])
		slices.Sort(made.rungs[c])
	}
	return Ladder{made.next, made.rungs, up}, k.err
}

// Extended returns the extended dependency graph of escape channels.
func Extended(w *router.Wiring, x router.Routing) [][]router.Channel {
	k := newWalk(w, x)
	k.escapes = make([]bool, w.Channels())
	k.followAll()
	k.reset()
	k.extended = true
	k.followAll()
	return k.sorted()
}

// Cycle is shortCycle.
func Cycle(next [][]router.Channel) []router.Channel { return shortCycle(next) }

// ByWitnesses reports whether witnesses or ranks decide.
func ByWitnesses(w *router.Wiring, x router.Routing) bool {
	rank, _ := ranks(w, x)
	return rank != nil || witnesses(w, x) != nil
}

// Exhaust has a Footprint run out of numbers soon.
func (f *Footprint) Exhaust() { f.walk.number = math.MaxInt32 - 5 }
