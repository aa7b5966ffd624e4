package openloop

import (
	"contend/internal/input"
	"math"
	"slices"
	"strconv"
	"strings"
)

// UsualTraffic lists the patterns that contend net measures unless others are given.
func UsualTraffic() []string {
	return []string{"uniform", "transpose", "bit-complement", "neighbour", "tornado", "hotspot"}
}

// SplitTraffic splits a list of patterns at its commas. A piece with an equals sign before any
// colon is a parameter of the pattern before it.
func SplitTraffic(text string) (list []string) {
	for part := range strings.SplitSeq(text, ",") {
		name, _, _ := strings.Cut(part, ":")
		if len(list) > 0 && strings.Contains(name, "=") {
			list[len(list)-1] += "," + part
			continue
		}
		list = append(list, strings.TrimSpace(part))
	}
	return list
}

// DefaultLoads returns loads from far below saturation to one flit per node and
// cycle, in growing steps.
func DefaultLoads() []float64 {
	loads := []float64{0.002}
	for i := 1; i <= 24; i++ {
		loads = append(loads, float64(i*5)/1000)
	}
	for i := 7; i <= 50; i++ {
		loads = append(loads, float64(i*2)/100)
	}
	return loads
}

// leastLoad is the least load, in flits per node and cycle. Loads are rounded to
// multiples of it.
const leastLoad = 1e-9

// ParseLoads reads loads in flits per node and cycle: FROM:TO:STEP with both ends
// included, or a list separated by commas. It returns them in ascending order, each once:
// a load that was measured twice would count as two replications.
func ParseLoads(text string) ([]float64, error) {
	bad := &input.Error{Where: "--loads " + text, Problem: "no loads",
		Right: "give FROM:TO:STEP such as 0.02:0.40:0.02, or loads separated by commas, in flits " +
			"per node and cycle, from 1e-9 to 1"}
	read := func(parts []string) ([]float64, bool) {
		var x []float64
		for _, p := range parts {
			v, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
			if err != nil || !(v >= leastLoad) || v > 1 {
				return nil, false
			}
			x = append(x, v)
		}
		return x, true
	}
	if parts := strings.Split(text, ":"); len(parts) == 3 {
		x, ok := read(parts)
		if !ok || x[1] < x[0] || (x[1]-x[0])/x[2] > 10000 {
			return nil, bad
		}
		var loads []float64
		for i := range int((x[1]-x[0])/x[2]+1e-9) + 1 {
			// Round to get 0.06, not 0.060000000000000005.
			loads = append(loads, math.Round((x[0]+float64(i)*x[2])*1e9)/1e9)
		}
		return slices.Compact(loads), nil
	}
	loads, ok := read(strings.Split(text, ","))
	if !ok {
		return nil, bad
	}
	slices.Sort(loads)
	return slices.Compact(loads), nil
}
