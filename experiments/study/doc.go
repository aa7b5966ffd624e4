// Package study reads and checks studies.
//
// A Study is a base spec, axes, variants and overrides, and the tables and figures to make of
// the results. Load and Parse read it from TOML. Flags change it with Study.Set, Study.SetAxis
// and Study.UseQuick; Study.Check tests the result. Study.Points expands it to points, each with
// the canonical spec of its runs and their hash. Study.TOML writes it with every key that acts.
//
// An example: the study
//
//	[machine]
//	topology = "mesh"
//	dims = [8, 8]
//
//	[[axes]]
//	key = "allocator"
//	values = ["mbs", "random"]
//
//	[[axes]]
//	key = "workload.system_load"
//	values = [0.5, 0.9]
//
// has four points with the labels mbs 0.5, mbs 0.9, random 0.5 and random 0.9. With the value
// "randon" in the seventh line Parse returns the error
//
//	load.toml:7:18: allocator is "randon": did you mean "random"? (there are paging, ...)
//
// What a study refers to, such as metrics, keys and labels, has to exist: tags of its fields say
// what each of them names.
//
// The package does not know how runs are made or stored (package experiments).
package study
