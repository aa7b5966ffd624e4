// Package spec says what one run is.
//
// A Spec is a run as it is written: every key with its value. The table of keys
// (table*.go) is the one place of defaults, bounds, choices, presets, documentation
// and of when a key acts. A Plan is the same run decoded: constants in place of
// words, a built machine, and the other packages' own configurations. Spec.Plan
// makes one from the other and refuses what cannot be.
//
// No other package below names a key or compares a word of one. Who refuses a value
// there names a Field of the Plan.
package spec
