// Package quantity reads numbers with units, such as 100 Gb/s, 1.2 us or 64 B, and keeps
// them exactly, as rational numbers.
//
// A quantity has a kind, such as a time or a size. The table in kinds.go lists the kinds
// and their units. Units that follow from each other by prefixes of the SI, or of IEC
// 80000-13 for powers of 1024, stand there with all their prefixes. A metre is a length of
// cable, which delays a signal by [CableDelay].
package quantity
