package openloop

import (
	"encoding/csv"
	"fmt"
	"io"

	"contend/experiments/cosim"
	"contend/internal/decimal"
)

// NetClassColumns are those of net-classes.csv.
var NetClassColumns = []string{"topology", "dims", "traffic", "offered_flits_per_node_cycle",
	"replication", "message_flits", "created_flits_per_node_cycle",
	"accepted_flits_per_node_cycle", "latency_mean", "latency_p50", "latency_p99", "latency_p99_9",
	"packets", "zero_load_latency"}

// WriteClassesCSV writes points as net-classes.csv: a row per load, replication and length of
// messages.
func WriteClassesCSV(w io.Writer, points []cosim.NetPoint) error {
	out := csv.NewWriter(w)
	out.Write(NetClassColumns)
	num, cycles := decimal.Number, decimal.Time
	for _, p := range points {
		for _, c := range p.Classes {
			out.Write([]string{p.Topology, p.Dims, p.Traffic, num(p.Offered), fmt.Sprint(p.Replication),
				fmt.Sprint(c.Flits), num(c.Created), num(c.Accepted), cycles(c.Latency),
				cycles(c.LatencyP50), cycles(c.LatencyP99), cycles(c.LatencyP999), fmt.Sprint(c.Packets),
				cycles(c.ZeroLoad)})
		}
	}
	out.Flush()
	return out.Error()
}

// ChannelColumns are those of the table beside a map of channel loads.
var ChannelColumns = []string{"link", "kind", "from_router", "from_port", "to_router", "to_port",
	"node", "flits", "flits_per_cycle"}

// WriteChannelsCSV writes the loads of channels: a row per channel.
func WriteChannelsCSV(w io.Writer, channels []cosim.ChannelLoad) error {
	out := csv.NewWriter(w)
	out.Write(ChannelColumns)
	for _, c := range channels {
		node := ""
		if c.Node >= 0 {
			node = fmt.Sprint(c.Node)
		}
		out.Write([]string{fmt.Sprint(c.Link), c.Kind, fmt.Sprint(c.From), fmt.Sprint(c.FromPort),
			fmt.Sprint(c.To), fmt.Sprint(c.ToPort), node, fmt.Sprint(c.Flits), decimal.Number(c.Load)})
	}
	out.Flush()
	return out.Error()
}
