package allocation

// Counting is an Allocator that reports whether it places every request for which
// enough nodes are free, wherever they are, and reserves no nodes beyond it. A policy
// that looks ahead need not run such an allocator on future machines, because counting
// nodes is enough.
type Counting interface {
	CountDecides() bool
}

// CountDecides reports whether the number of free nodes alone decides what an allocator
// can place. An allocator that does not implement Counting is assumed to depend on the
// places of free nodes, which is always correct but slower.
func CountDecides(a Allocator) bool {
	c, ok := a.(Counting)
	return ok && c.CountDecides()
}

// CountDecides implements Counting.
func (a *random) CountDecides() bool { return true }

// CountDecides implements Counting. It is true of single nodes (Lo et al. 1994,
// Corollary 1), but not of larger pages.
func (a *paging) CountDecides() bool { return a.side == 1 }

// CountDecides implements Counting (Lo et al. 1994, sec. 3.3).
func (a *mbs) CountDecides() bool { return true }

// CountDecides implements Counting.
func (a *sequential) CountDecides() bool { return true }

// CountDecides implements Counting. If no interval fits, the packer combines several.
func (a *packer) CountDecides() bool { return true }

// CountDecides implements Counting. Shells grow as far as needed.
func (a *center) CountDecides() bool { return true }

// CountDecides implements Counting.
func (a *median) CountDecides() bool { return true }

// CountDecides implements Counting.
func (a *medianSwap) CountDecides() bool { return true }

// CountDecides implements Counting.
func (a *optimal) CountDecides() bool { return true }

// CountDecides implements Counting.
func (a *ptas) CountDecides() bool { return true }
