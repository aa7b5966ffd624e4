package openloop

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"contend/experiments/metrics"
	"contend/experiments/report/tables"
	"contend/experiments/sim"
	"contend/experiments/stats"
	"contend/internal/decimal"
	"contend/internal/table"
)

// netLoad combines the replications at one load of a curve.
type netLoad struct {
	offered   float64        // flits per node and cycle
	latency   stats.Estimate // cycles
	p99       stats.Estimate // 99th percentile of latency, cycles
	accepted  stats.Estimate // flits per node and cycle
	idle      float64        // zero-load latency in cycles
	saturated bool
}

// netLoads combines the points of one machine and traffic by load, up to the first
// load at which the network is saturated. It counts as saturated if at least half
// of the replications are, including those whose curves ended at a lower load.
func netLoads(points []sim.LoadPoint) (loads []netLoad) {
	replications := map[int]bool{}
	for _, p := range points {
		replications[p.Replication] = true
	}
	sorted := slices.Clone(points)
	slices.SortStableFunc(sorted, func(a, b sim.LoadPoint) int {
		return cmp.Compare(a.Offered, b.Offered)
	})
	saturated := 0
	for _, same := range groups(sorted, func(p *sim.LoadPoint) any { return p.Offered }) {
		for _, p := range same {
			if p.Saturated {
				saturated++
			}
		}
		l := newNetLoad(same)
		l.saturated = sim.MostSaturated(100 * float64(saturated) / float64(len(replications)))
		if loads = append(loads, l); l.saturated {
			break
		}
	}
	return loads
}

// groups returns the points in groups of those with the same key, in the order of their first ones.
func groups(points []sim.LoadPoint, key func(*sim.LoadPoint) any) (list [][]sim.LoadPoint) {
	at := map[any]int{}
	for _, p := range points {
		i, ok := at[key(&p)]
		if !ok {
			i, list = len(list), append(list, nil)
			at[key(&p)] = i
		}
		list[i] = append(list[i], p)
	}
	return list
}

// newNetLoad returns the means over the replications of one load. Their intervals
// are over the replications or, for a single replication, over its batches.
func newNetLoad(points []sim.LoadPoint) netLoad {
	var latency, p99, accepted []float64
	var idle metrics.Mean
	for _, p := range points {
		accepted = append(accepted, p.Accepted)
		if p.Packets > 0 {
			latency, p99 = append(latency, p.Latency), append(p99, p.LatencyP99)
			idle.Add(p.ZeroLoad)
		}
	}
	l := netLoad{offered: points[0].Offered, accepted: stats.EstimateOf(accepted, 0.95),
		idle: math.NaN()}
	l.latency = stats.Estimate{Mean: math.NaN(), Half: math.NaN()}
	l.p99 = l.latency
	if len(latency) > 0 {
		l.p99 = stats.EstimateOf(p99, 0.95)
		l.latency, l.idle = stats.EstimateOf(latency, 0.95), idle.Value()
	}
	if len(points) == 1 {
		l.latency.Half, l.accepted.Half = points[0].LatencyHalf, points[0].AcceptedHalf
	}
	return l
}

// NetColumns are those of net.csv.
var NetColumns = []table.Column{
	table.Plain("topology", "", "`machine.topology`"),
	table.Plain("dims", "", "its size, or the parameters of a topology of your own"),
	table.Plain("traffic", "", "traffic pattern"),
	table.Plain("offered_flits_per_node_cycle", "flits/node/cycle", "load asked for"),
	table.Plain("replication", "", "number of the replication, from 0"),
	table.Plain("accepted_flits_per_node_cycle", "flits/node/cycle",
		"load delivered in the measurement window"),
	table.Plain("latency_mean", "cycles",
		"mean over packets created in the window, creation to delivery"),
	table.Plain("latency_p99", "cycles", "99th percentile of it"),
	table.Plain("network_latency_mean", "cycles", "mean, injection of the header to delivery"),
	table.Plain("blocking_mean", "cycles", "mean time a ready header waited"),
	table.Plain("packets", "packets", "packets measured"),
	table.Plain("mean_hops", "channels", "mean network channels crossed"),
	table.Plain("cycles", "cycles", "length of the whole simulation"),
	table.Plain("zero_load_latency", "cycles",
		"mean latency of the same messages, each alone on the network"),
	table.Plain("created_flits_per_node_cycle", "flits/node/cycle", "load created in the window"),
	table.Plain("accepted_half_width", "flits/node/cycle",
		"half the 95% interval of the accepted load, over "+
			"batches of the window"),
	table.Plain("latency_half_width", "cycles",
		"half the 95% interval of the latency, over batches of the window"),
	table.Plain("latency_p50", "cycles", "median of the latency"),
	table.Plain("latency_p99_9", "cycles", "99.9th percentile of it"),
	table.Plain("saturated", "",
		"true where less arrives than is created: by more than 1%, with a 95% "+
			"interval above 0"),
}

// NetUnitColumns follow them where the length of a cycle is known.
var NetUnitColumns = []table.Column{
	table.Plain("offered_gb_s", "GB/s",
		"load asked for, of a node; this and what follows with `network.cycle`"),
	table.Plain("accepted_gb_s", "GB/s", "load delivered, of a node"),
	table.Plain("latency_mean_ns", "ns", "`latency_mean`"),
	table.Plain("latency_p99_ns", "ns", "`latency_p99`"),
	table.Plain("zero_load_latency_ns", "ns", "`zero_load_latency`"),
}

// inUnits tells whether the points know how long a cycle is. All are of one network.
func inUnits(points []sim.LoadPoint) bool {
	return len(points) > 0 && points[0].CycleSeconds > 0
}

// WriteNetCSV writes points as net.csv: a row per load and replication.
func WriteNetCSV(w io.Writer, points []sim.LoadPoint) error {
	columns, units := NetColumns, inUnits(points)
	if units {
		columns = slices.Concat(NetColumns, NetUnitColumns)
	}
	var rows [][]string
	num, cycles := decimal.Number, decimal.Time
	for _, p := range points {
		row := append(namesOf(&p), num(p.Offered), fmt.Sprint(p.Replication), num(p.Accepted),
			cycles(p.Latency), cycles(p.LatencyP99), cycles(p.NetworkLatency),
			cycles(p.Blocking), fmt.Sprint(p.Packets), num(p.MeanHops), fmt.Sprint(p.Cycles),
			cycles(p.ZeroLoad), num(p.Created), num(math.Round(p.AcceptedHalf*1e6)/1e6),
			cycles(p.LatencyHalf), cycles(p.LatencyP50), cycles(p.LatencyP999),
			fmt.Sprint(p.Saturated))
		if units {
			row = append(row, num(p.Gigabytes(p.Offered)), num(p.Gigabytes(p.Accepted)),
				cycles(p.Nanoseconds(p.Latency)), cycles(p.Nanoseconds(p.LatencyP99)),
				cycles(p.Nanoseconds(p.ZeroLoad)))
		}
		rows = append(rows, row)
	}
	return table.WriteCSV(w, withAxis(columns, points), rows)
}

// namesOf are the first cells of a row: machine, traffic and, if there is an axis, its value.
func namesOf(p *sim.LoadPoint) []string {
	names := []string{p.Topology, p.Dims, p.Traffic}
	if p.Axis != "" {
		names = append(names, p.Value)
	}
	return names
}

// withAxis returns the columns of rows that begin with namesOf.
func withAxis(columns []table.Column, points []sim.LoadPoint) []table.Column {
	if len(points) == 0 || points[0].Axis == "" {
		return columns
	}
	axis := table.Plain(points[0].Axis, "", "value of the axis")
	return slices.Insert(slices.Clone(columns), 3, axis)
}

// NetTable returns a table of the beginning and the end of every curve, as means
// over replications with 95% intervals.
func NetTable(points []sim.LoadPoint) string {
	var rows [][]string
	curve := func(p *sim.LoadPoint) any {
		return [4]string{p.Topology, p.Dims, p.Traffic, p.Value}
	}
	names := 0
	for _, same := range groups(points, curve) {
		names = len(namesOf(&same[0]))
		var header, row []string
		for _, c := range netCells(&same[0], netLoads(same)) {
			if !c.real || inUnits(points) {
				header, row = append(header, c.column), append(row, c.text)
			}
		}
		if rows == nil {
			rows = append(rows, header)
		}
		rows = append(rows, row)
	}
	return tables.MarkdownTable(rows, names)
}

// netCell is a cell of NetTable.
type netCell struct {
	column, text string
	real         bool // where the length of a cycle is known
}

// netCells returns the cells of one curve; p is a point of it.
func netCells(p *sim.LoadPoint, loads []netLoad) []netCell {
	low, most := loads[0], loads[0].accepted
	saturated, saturatedGB := "-", "-"
	for _, l := range loads {
		if l.accepted.Mean > most.Mean {
			most = l.accepted
		}
		if l.saturated {
			saturated, saturatedGB = fmt.Sprint(l.offered), gigabytes(p, l.offered)
		}
	}
	ns := func(cycles float64) string { return decimal.Significant(p.Nanoseconds(cycles), 4) }
	var cells []netCell
	for i, name := range namesOf(p) {
		cells = append(cells, netCell{[]string{"topology", "dims", "traffic", p.Axis}[i], name, false})
	}
	return append(cells, netCell{"lowest load", fmt.Sprint(low.offered), false},
		netCell{"GB/s", gigabytes(p, low.offered), true},
		netCell{"latency (cycles)", plusMinus(low.latency, 2), false},
		netCell{"ns", ns(low.latency.Mean), true},
		netCell{"idle network", fmt.Sprintf("%.2f", low.idle), false},
		netCell{"ns", ns(low.idle), true},
		netCell{"ratio", fmt.Sprintf("%.3f", low.latency.Mean/low.idle), false},
		netCell{"greatest accepted load", plusMinus(most, 4), false},
		netCell{"GB/s", gigabytes(p, most.Mean), true}, netCell{"saturated from", saturated, false},
		netCell{"GB/s", saturatedGB, true})
}

// gigabytes writes a load in GB/s of a node.
func gigabytes(p *sim.LoadPoint, load float64) string {
	return decimal.Significant(p.Gigabytes(load), 4)
}

// plusMinus returns a mean and half the width of its interval, if it has one.
func plusMinus(e stats.Estimate, decimals int) string {
	if math.IsNaN(e.Half) {
		return fmt.Sprintf("%.*f", decimals, e.Mean)
	}
	return tables.MeanText(e)
}
