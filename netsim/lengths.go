package netsim

import (
	"fmt"

	"contend/internal/call"
)

// ParseLengths reads lengths of messages with weights, such as 1:0.8+8:0.2, and returns
// them in ascending order. A weight that is left out is 1.
func ParseLengths(text string) ([]Length, error) {
	weighted, err := call.ParseWeights(text, "flits")
	if err != nil {
		return nil, err
	}
	if len(weighted) < 2 {
		return nil, fmt.Errorf("which is one length")
	}
	var list []Length
	for _, w := range weighted {
		list = append(list, Length{Flits: int32(w.Value), Share: w.Weight})
	}
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
