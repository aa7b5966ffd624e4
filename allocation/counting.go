package allocation

// Counting is an Allocator that may be one of those that place every request
// for which there are enough free nodes, wherever they are, and reserve none
// beyond it. Whoever looks ahead need not ask such a one about machines as they
// would be: counting does.
type Counting interface {
	CountDecides() bool
}

// CountDecides reports whether the number of free nodes alone decides what an
// allocator can place. One that does not say so is taken to look at where they
// are, which is right for all, and slower.
func CountDecides(a Allocator) bool {
	c, ok := a.(Counting)
	return ok && c.CountDecides()
}

// CountDecides implements Counting.
func (a *random) CountDecides() bool { return true }

// CountDecides implements Counting: of single nodes (Lo et al. 1994, Corollary
// 1), not of larger pages.
func (a *paging) CountDecides() bool { return a.side == 1 }

// CountDecides implements Counting (Lo et al. 1994, sec. 3.3).
func (a *mbs) CountDecides() bool { return true }

// CountDecides implements Counting.
func (a *sequential) CountDecides() bool { return true }

// CountDecides implements Counting: where no interval fits, others are taken
// together.
func (a *packer) CountDecides() bool { return true }

// CountDecides implements Counting: shells go as far as they have to.
func (a *center) CountDecides() bool { return true }

// CountDecides implements Counting.
func (a *median) CountDecides() bool { return true }

// CountDecides implements Counting.
func (a *medianSwap) CountDecides() bool { return true }

// CountDecides implements Counting.
func (a *optimal) CountDecides() bool { return true }

// CountDecides implements Counting.
func (a *ptas) CountDecides() bool { return true }
