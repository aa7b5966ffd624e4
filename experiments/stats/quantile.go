package stats

import "math/bits"

// Rank returns the index of a percentile among n ≥ 1 sorted values by the rule of the nearest
// rank, ⌈percent/100 n⌉ - 1: the value there is the smallest one that percent of the values do
// not exceed. percent is from 0 to 100.
func Rank(percent, n int) int { return RankPerMille(10*percent, n) }

// RankPerMille is Rank for thousandths.
func RankPerMille(perMille, n int) int { return max(0, (perMille*n+999)/1000-1) }

// Percentile returns a percentile of sorted values by the rule of the nearest rank. It is one
// of the values.
func Percentile(sorted []float64, percent int) float64 {
	return sorted[Rank(percent, len(sorted))]
}

// countedBits is the number of leading binary digits that Counts keeps of a value.
const countedBits = 13

// Counts counts integers of at least 0 by value. It keeps the leading 13 binary digits of a value:
// values below 8192 are exact, and others are rounded down by less than one part in 4096. Its size
// depends on the largest value and not on their number: 8 bytes a value below 8192 and 32 KiB for
// each doubling above. The zero value has counted nothing.
type Counts struct {
	number []int64 // by place
	n      int64
}

// Add counts a value.
func (c *Counts) Add(value int64) {
	place := countsPlace(value)
	for place >= len(c.number) {
		c.number = append(c.number, make([]int64, 1024)...)
	}
	c.number[place]++
	c.n++
}

// N returns how many values were counted.
func (c *Counts) N() int64 { return c.n }

// Percentile returns a percentile by the rule of the nearest rank, with the digits that
// Counts keeps. Something must have been counted.
func (c *Counts) Percentile(percent int) int64 {
	left := int64(Rank(percent, int(c.n)))
	for place, n := range c.number {
		if left -= n; left < 0 {
			return countsValue(place)
		}
	}
	panic("stats: a percentile of nothing")
}

// countsPlace returns where a value is counted: below 2^13 at its own place, and for each
// doubling above that at 2^12 places, one for each of the leading digits.
func countsPlace(value int64) int {
	dropped := max(0, bits.Len64(uint64(value))-countedBits)
	return dropped<<(countedBits-1) + int(value>>dropped)
}

// countsValue returns the smallest value that is counted at a place.
func countsValue(place int) int64 {
	dropped := max(0, place>>(countedBits-1)-1)
	return int64(place-dropped<<(countedBits-1)) << dropped
}
