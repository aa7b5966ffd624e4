package openloop

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/report/tables"
	"contend/experiments/spec"
	"contend/internal/decimal"
)

// BenchColumns are those of contend bench --csv.
var BenchColumns = []string{"topology", "dims", "packet_flits", "buffer_flits",
	"load_of_saturation",
	"engine", "ns_per_flit_hop", "flit_hops_per_second", "cycles_per_second", "peak_bytes"}

// WriteBenchCSV writes rows as CSV.
func WriteBenchCSV(w io.Writer, rows []BenchRow) error {
	out := csv.NewWriter(w)
	out.Write(BenchColumns)
	four := func(x float64) string { return tables.Significant(x, 4) }
	for _, r := range rows {
		out.Write([]string{
			r.Topology, r.Dims, fmt.Sprint(r.PacketFlits), fmt.Sprint(r.BufferFlits),
			decimal.Number(r.Load), r.Engine, four(r.NsPerFlitHop), four(r.FlitHopsPerSecond),
			four(r.CyclesPerSecond), fmt.Sprint(r.PeakBytes),
		})
	}
	out.Flush()
	return out.Error()
}

// BenchTable returns rows as a Markdown table: the columns of the CSV and the
// load in flits per node and cycle.
func BenchTable(rows []BenchRow) string {
	grid := [][]string{{"topology", "dims", "engine", "packet flits", "buffer flits",
		"load of saturation", "flits/node/cycle", "ns/flit-hop", "flit-hops/s", "cycles/s",
		"memory"}}
	three := func(x float64) string { return tables.Significant(x, 3) }
	for _, r := range rows {
		grid = append(grid, []string{
			r.Topology, r.Dims, r.Engine, fmt.Sprint(r.PacketFlits), fmt.Sprint(r.BufferFlits),
			decimal.Number(r.Load), three(r.Load * r.Saturation), three(r.NsPerFlitHop),
			thousands(r.FlitHopsPerSecond, ""), thousands(r.CyclesPerSecond, ""),
			thousands(float64(r.PeakBytes), "B"),
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

// ParseShares reads shares of the saturation load, separated by commas.
func ParseShares(text string) ([]float64, error) {
	var shares []float64
	for part := range strings.SplitSeq(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		// At far lower loads no message would arrive in the measured time.
		if err != nil || !(x >= 0.001) || x > 1 {
			return nil, &spec.InputError{Where: "--loads " + text,
				Problem: fmt.Sprintf("%q is not a share of the saturation load", part),
				Right:   "give numbers from 0.001 to 1, separated by commas, such as 0.1,0.5,1"}
		}
		shares = append(shares, x)
	}
	return shares, nil
}

// ParseEngines reads names of BenchEngines, separated by commas.
func ParseEngines(text string) ([]string, error) {
	var engines []string
	for part := range strings.SplitSeq(text, ",") {
		name := strings.TrimSpace(part)
		if !slices.Contains(BenchEngines(), name) {
			return nil, &spec.InputError{
				Where:   "--engines " + text,
				Problem: fmt.Sprintf("unknown engine %q", name),
				Right:   spec.OneOf(name, BenchEngines()),
			}
		}
		engines = append(engines, name)
	}
	return engines, nil
}
