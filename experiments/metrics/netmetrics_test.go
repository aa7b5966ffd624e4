package metrics

import (
	"math"
	"slices"
	"testing"

	"contend/experiments/config/configtest"
	"contend/internal/must"
	"contend/netsim"
	"contend/router"
	"contend/router/topology/topologytest"
)

// The metrics of packets are means of the totals. Utilization is that of the links between routers,
// where a flit takes the time of its link's class: 30 flits of 4 cycles on a local link and 40 of 6
// on a global one, of 12 links, in 600 cycles.
func TestMetricsOfANetworkByHand(t *testing.T) {
	c := netsim.Default(topologytest.Machine(t, "dragonfly:a2h1p1"))
	c.FlitCycles, c.ClassFlitCycles = 2, []int{4, 6}
	net := must.Have(netsim.New(c))
	flits := map[router.Link]float64{}
	loads := map[string]float64{"injection": 50, "ejection": 20, "local": 30, "global": 40}
	for _, k := range Channels(net.Wiring()) { // the first link of each kind
		kind := k.Kind
		if kind == "network" {
			kind = "local"
			if k.From/2 != k.To/2 {
				kind = "global"
			}
		}
		flits[k.Link] = loads[kind]
		delete(loads, kind)
	}
	carried := Carried{Net: net, Cycles: 600, Flits: func(l router.Link) float64 { return flits[l] },
		Totals: netsim.Totals{Messages: 2, Packets: 4, Flits: 32, Latency: 160, NetworkLatency: 100,
			EntryWait: 20, Blocked: 30, Foreign: 10, Hops: 12}}
	got := map[string]float64{}
	carried.metrics(func(name string, x float64) { got[name] = x })
	for name, want := range map[string]float64{
		"messages": 2, "packets": 4, "latency": 40, "network_latency": 25, "entry_latency": 30,
		"source_wait": 15, "packet_blocking_time": 7.5, "foreign_blocking_time": 2.5,
		"entry_blocking_time": 12.5, "mean_hops": 3, "flit_hops": 140,
		"channel_utilization": 5, "max_channel_utilization": 40, // (120 + 240) / 12 and 240, of 600
	} {
		if math.Abs(got[name]-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
}

// A packet of four flits of 3 cycles whose buffers of one flit are free again 11 cycles after a
// flit was sent: the link between the routers sends in cycles 1, 12, 23 and 34, and the packet
// holds it from 1 to 37. It is delivered in 36.
func TestStalledCyclesOfSlowLinks(t *testing.T) {
	c := netsim.Default(topologytest.Machine(t, "mesh:2"))
	c.PacketFlits, c.BufferFlits, c.VirtualChannels, c.RoutingCycles = 4, 1, 1, 0
	c.FlitCycles, c.CreditCycles = 3, 10
	net := must.Have(netsim.New(c))
	net.Send(netsim.Message{From: 0, To: 1, Flits: 4})
	for net.Pending() > 0 {
		if _, _, err := net.Advance(1000); err != nil {
			t.Fatal(err)
		}
	}
	names := LinkTable.Names()
	for _, row := range configtest.Texts(LinkTable.Rows(&Records{LinkRows: LinkRows(net)})) {
		cell := func(column string) string { return row[slices.Index(names, column)] }
		if cell("kind") != "network" || cell("from_router") != "0" {
			continue
		}
		for column, want := range map[string]string{"flits": "4", "utilization_percent": "33.3333333",
			"held_cycles": "36", "stalled_cycles": "24"} {
			if got := cell(column); got != want {
				t.Errorf("%s is %s, want %s", column, got, want)
			}
		}
		return
	}
	t.Error("no link between the routers")
}
