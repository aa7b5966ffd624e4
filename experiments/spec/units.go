package spec

// UnitCycles is the resolution of a time unit of generated jobs that have no
// network, and of a second of a log that has fractions: a millionth.
const UnitCycles = 1e6
