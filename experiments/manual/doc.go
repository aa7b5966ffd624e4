// Package manual writes what the program documents about itself: every key, name,
// metric, preset, pattern and column of a file.
//
// Manual returns docs/manual.md and PatternManual docs/patterns.md. Both read the
// tables that the program uses, so the documents cannot differ from the program.
package manual
