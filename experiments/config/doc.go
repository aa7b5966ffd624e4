// Package config says what one run is.
//
// A Spec is a run as a study writes it: every key with its value. The table of keys
// (table*.go) alone holds defaults, bounds, choices, presets, documentation and the
// conditions under which a key acts. A Plan is the same run decoded: it has constants in
// place of words, a built machine, and the configurations of other packages. Spec.Plan
// decodes a Spec and refuses values that do not go together.
//
// The way of a run: keys.go finds the row of a key; settings.go assigns its value (convert.go,
// parsers.go, quantities.go), a call by its entry (registry.go, lookup.go, parameter.go);
// conditions.go resets the keys that do not act; check.go refuses what contradicts; plan.go and
// decode.go make the Plan; constructors.go makes what its calls name.
//
// Packages below this one do not name keys or compare their words. If such a package
// refuses a value, its error names a Field of the Plan.
package config
