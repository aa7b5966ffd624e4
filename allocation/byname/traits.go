package byname

import (
	"slices"

	"contend/allocation"
	"contend/allocation/order"
)

// Draws reports whether the named allocator draws from its stream, so that other seeds
// give other places.
func Draws(name string) bool {
	return slices.Contains([]string{"random", "random-routers", "random-groups"}, name)
}

// TieCounters lists the names of the allocators that implement TieCounter.
func TieCounters() []string {
	return []string{"mc", "mc1x1", "mc1x1-tie", "gen-alg", "mm", "mm-inc"}
}

// CountDecides reports, from the configuration alone, the result of CountDecides for
// the configured allocator.
func (c Config) CountDecides() bool {
	switch c.Name {
	case "paging":
		return c.Page == 0
	case "random", "mbs", "gabl", "anca", "sequential", "optimal", "ptas", "by-router", "by-group", "level-spread",
		"random-routers", "random-groups", "rows", "diagonal", "slurm-tree",
		"kueue-best-fit", "kueue-least-free", "kueue-balanced", "volcano-binpack":
		return true
	}
	return slices.Contains(TieCounters(), c.Name) ||
		slices.ContainsFunc(order.Packers(), func(i allocation.Info) bool { return i.Name == c.Name })
}
