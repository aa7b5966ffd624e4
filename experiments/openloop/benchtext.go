package openloop

import (
	"fmt"
	"strconv"

	"contend/experiments/report/tables"
	"contend/internal/decimal"
)

// BenchTable returns rows as a Markdown table.
func BenchTable(rows []BenchRow) string {
	grid := [][]string{{"topology", "dims", "engine", "packet flits", "buffer flits",
		"load of saturation", "flits/node/cycle", "ns/flit-hop", "flit-hops/s", "memory"}}
	three := func(x float64) string { return tables.Significant(x, 3) }
	for _, r := range rows {
		grid = append(grid, []string{
			r.Topology, r.Dims, r.Engine, fmt.Sprint(r.PacketFlits), fmt.Sprint(r.BufferFlits),
			decimal.Number(r.Load), three(r.Load * r.Saturation), three(r.NsPerFlitHop),
			thousands(r.FlitHopsPerSecond, ""), thousands(float64(r.PeakBytes), "B"),
		})
	}
	return tables.MarkdownTable(grid, 3)
}

// thousands returns a number with three digits and a prefix of its unit.
func thousands(x float64, unit string) string {
	// Round first, or 999.9 would become 1000.
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	for _, prefix := range []string{"", "k", "M", "G"} {
		if x < 1000 {
			return tables.Significant(x, 3) + " " + prefix + unit
		}
		x /= 1000
	}
	return tables.Significant(x, 3) + " T" + unit
}
