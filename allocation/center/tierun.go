package center

import (
	"math"

	"contend/allocation"
	"contend/netsim/topology"
)

// Where some candidate has nothing but free processors in the shells before its last, so have all
// of the least sum, and all have the same last shell: breakTie scores them as they are found.
// Candidates one behind the other have nearly the same processors in their shells, so one that
// loses by far refuses some that follow it in its row.

// breakTie keeps a candidate in place of the best one so far if its sum is the least that any may
// have and its tie score is less. It returns the least tie score.
func (a *center) breakTie(free *allocation.FreeSet, c *candidate, size, least int) int {
	if _, ok := a.score(c, size, a.screen.bottom()); !ok {
		return least
	}
	steps, most := a.stepsInside(c), a.mostPerStep(c.last)
	limit := least
	if steps > 0 && least < math.MaxInt {
		limit += tieSteps * most // so that the excess shows
	}
	score := a.tieScore(free, c, size, limit)
	if score < least {
		a.best = append(a.best[:0], finalist{int32(c.index), int32(c.last), int32(c.found)})
		return score
	}
	if most > 0 {
		steps = min(steps, (score-least)/most)
	}
	a.screen.next[0] = a.picker.centers[c.index] + topology.Node(steps+1)
	return least
}

// tieSteps is how many candidates at most are worth a longer look at one that loses.
const tieSteps = 6

// stepsInside returns how many steps the center may move along the first dimension while the shell
// after its last stays inside the machine. Within it, tie scores follow from numbers of free
// processors alone.
func (a *center) stepsInside(c *candidate) int {
	steps := a.Dims[0] - 1 - c.low[0]
	for d := range a.Dimensions {
		switch {
		case a.Wrap[d]:
		case c.low[d] <= c.last || c.high[d]+c.last+1 >= a.Dims[d]:
			return 0
		case d == 0:
			steps -= c.last + 1
		}
	}
	return steps
}

// mostPerStep returns how far the tie score may fall at a step along the first dimension: by what
// the processors of one side of each box weigh.
func (a *center) mostPerStep(last int) int {
	f := &a.breaks.factors
	border := 0
	if f.ScanRadius > 0 {
		border = f.Border * f.ScanRadius
	}
	most := gap(f.Available, border) * a.screen.face(0, last)
	for shell := last + 1; shell <= last+f.ScanRadius; shell++ {
		most += f.Available * a.screen.face(0, shell)
	}
	return most + border*a.screen.face(0, last+1)
}
