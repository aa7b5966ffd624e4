package spec

// testNames are small name tables, so that these tests do not depend on who
// implements the names.
func testNames() Names {
	table := func(list ...string) []Name {
		var names []Name
		for _, n := range list {
			names = append(names, Name{Name: n, Doc: "the " + n + " one"})
		}
		return names
	}
	return Names{
		"topologies": table("mesh", "torus", "hypercube"),
		"routings":   table("auto", "dimension-order", "dateline"),
		"allocators": table("random", "paging", "buddy2d", "mbs", "first-fit", "best-fit",
			"frame-sliding"),
		"orders":     table("row-major", "shuffled-row-major", "snake", "shuffled-snake"),
		"patterns":   table("all-to-all", "one-to-all", "n-body", "fft", "multigrid", "ring"),
		"schedulers": table("fcfs", "easy"),
	}
}
