// Package spec says what one run is.
//
// A Spec is a run as a study writes it: every key with its value. The table of keys
// (table*.go) alone holds defaults, bounds, choices, presets, documentation and the
// conditions under which a key acts. A Plan is the same run decoded: it has constants in
// place of words, a built machine, and the configurations of other packages. Spec.Plan
// decodes a Spec and refuses values that do not go together.
//
// Packages below this one do not name keys or compare their words. If such a package
// refuses a value, its error names a Field of the Plan.
package spec
