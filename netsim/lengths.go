package netsim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseLengths reads lengths of messages with weights, such as 1:0.8+8:0.2, and returns
// them in ascending order. A weight that is left out is 1.
func ParseLengths(text string) ([]Length, error) {
	var list []Length
	for part := range strings.SplitSeq(text, "+") {
		length, weight, given := strings.Cut(strings.TrimSpace(part), ":")
		flits, err := strconv.ParseInt(length, 10, 32)
		if err != nil || flits < 1 {
			return nil, fmt.Errorf("where %q is not a number of flits", length)
		}
		l := Length{Flits: int32(flits), Share: 1}
		if given {
			l.Share, err = strconv.ParseFloat(weight, 64)
			if err != nil || !(l.Share > 0 && l.Share < 1e9) {
				return nil, fmt.Errorf("where the weight %q is not a number above 0 and below 1e9", weight)
			}
		}
		if slices.ContainsFunc(list, func(o Length) bool { return o.Flits == l.Flits }) {
			return nil, fmt.Errorf("where %d flits occur twice", flits)
		}
		list = append(list, l)
	}
	if len(list) < 2 {
		return nil, fmt.Errorf("which is one length")
	}
	slices.SortFunc(list, func(a, b Length) int { return int(a.Flits - b.Flits) })
	return list, nil
}

// CommonDivisor returns the greatest number that divides all lengths.
func CommonDivisor(lengths []Length) int {
	a := 0
	for _, l := range lengths {
		for b := int(l.Flits); b > 0; {
			a, b = b, a%b
		}
	}
	return a
}
