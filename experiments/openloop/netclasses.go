package openloop

import (
	"fmt"
	"io"
	"slices"

	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/internal/decimal"
	"contend/internal/table"
)

// NetClassColumns are those of net-classes.csv.
var NetClassColumns = []table.Column{
	table.Plain("topology", "", "`machine.topology`"),
	table.Plain("dims", "", "as in net.csv"),
	table.Plain("traffic", "", "traffic pattern"),
	table.Plain("offered_flits_per_node_cycle", "flits/node/cycle",
		"load asked for, of all messages"),
	table.Plain("replication", "", "number of the replication, from 0"),
	table.Plain("message_flits", "flits", "length of the messages"),
	table.Plain("created_flits_per_node_cycle", "flits/node/cycle",
		"their load created in the window"),
	table.Plain("accepted_flits_per_node_cycle", "flits/node/cycle",
		"their load delivered in the window"),
	table.Plain("latency_mean", "cycles",
		"mean over their packets created in the window, creation to delivery"),
	table.Plain("latency_p50", "cycles", "median of it"),
	table.Plain("latency_p99", "cycles", "99th percentile of it"),
	table.Plain("latency_p99_9", "cycles", "99.9th percentile of it"),
	table.Plain("packets", "packets", "packets measured"),
	table.Plain("zero_load_latency", "cycles",
		"mean latency of the same messages, each alone on the network"),
}

// WriteClassesCSV writes points as net-classes.csv: a row per load, replication and length of
// messages.
func WriteClassesCSV(w io.Writer, points []sim.LoadPoint) error {
	var rows [][]string
	num, cycles := decimal.Number, decimal.Time
	for _, p := range points {
		for _, c := range p.Classes {
			rows = append(rows, append(namesOf(&p), num(p.Offered),
				fmt.Sprint(p.Replication), fmt.Sprint(c.Flits), num(c.Created),
				num(c.Accepted), cycles(c.Latency), cycles(c.LatencyP50),
				cycles(c.LatencyP99), cycles(c.LatencyP999), fmt.Sprint(c.Packets),
				cycles(c.ZeroLoad)))
		}
	}
	return table.WriteCSV(w, withAxis(NetClassColumns, points), rows)
}

// ChannelColumns are those of the table beside a map of channel loads.
var ChannelColumns = slices.Concat(metrics.ChannelTable, metrics.RowTable{
	table.Integer.Column("flits", "flits", "flits sent in the measurement window"),
	table.Number.Column("flits_per_cycle", "flits/cycle", "their number per cycle"),
})

// WriteChannelsCSV writes the loads of channels: a row per channel.
func WriteChannelsCSV(w io.Writer, channels []sim.ChannelLoad) error {
	var rows [][]string
	for _, c := range channels {
		rows = append(rows, append(c.Cells(), fmt.Sprint(c.Flits), decimal.Number(c.Load)))
	}
	return table.WriteCSV(w, ChannelColumns, rows)
}
