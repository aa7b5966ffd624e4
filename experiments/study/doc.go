// Package study reads and checks studies.
//
// A Study is a base spec, axes, variants and overrides, and the tables and figures to make of
// the results. Load and Parse read it from TOML. Flags change it with Study.Set, Study.SetAxis
// and Study.UseQuick; Study.Check tests the result. Study.Points expands it to points, each with
// the canonical spec of its runs and their hash. Study.TOML writes it with every key that acts.
//
// What a study refers to, such as metrics, keys and labels, has to exist: tags of its fields say
// what each of them names.
//
// The package does not know how runs are made or stored (package experiments).
package study
