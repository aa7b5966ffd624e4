package scheduler

// plainFront starts the first waiting job in an order if it fits.
func plainFront(before func(a, b Job) bool) plainRule {
	return func(_ float64, waiting []Job, _ []plainRun, free int) int {
		best := 0
		for i := range waiting {
			if before(waiting[i], waiting[best]) {
				best = i
			}
		}
		if waiting[best].Size <= free {
			return best
		}
		return -1
	}
}

// shorter is the order of SJF.
func shorter(a, b Job) bool { return a.Estimate < b.Estimate }

// smaller is the order of Cplant.
func smaller(a, b Job) bool {
	return a.Size < b.Size || a.Size == b.Size && a.Estimate < b.Estimate
}
