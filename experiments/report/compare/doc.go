// Package compare judges the results of a study by its rules: measured against published numbers,
// orders that papers state, and agreement with a reference (Compare, Judge).
package compare
