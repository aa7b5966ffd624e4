package experiments

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/decimal"
	"contend/netsim"
	"contend/router"
)

// NetConfig asks for curves of latency over offered load of bare networks.
type NetConfig struct {
	// Spec gives the machine and the network, job.flits the length of a
	// message, and the seed.
	Spec Spec
	// Dims are the machines to look at in place of the spec's, if any.
	Dims [][]int
	// Traffic are the patterns, of netsim.TrafficNames.
	Traffic []string
	// Loads are offered loads in flits per node and cycle, ascending. A
	// curve ends after the first load at which it is saturated.
	Loads []float64
	// Warmup cycles are not measured; messages created in the Window cycles
	// after it are.
	Warmup, Window int64
	Replications   int
	Workers        int
	// Progress, if not nil, is called as curves come to an end.
	Progress func(done, total int)
}

// A network counts as saturated that accepts less than this share of what was
// created in the window, at more than so many times the latency without load.
const (
	saturatedShare   = 0.9
	saturatedLatency = 4
)

// NetPoint is what one replication at one load measured. Times are in cycles.
type NetPoint struct {
	Topology, Dims, Traffic                                 string
	Offered, Accepted                                       float64 // flits per node and cycle
	Latency, LatencyP99, NetworkLatency, Blocking, MeanHops float64
	Packets, Cycles                                         int64
	Replication                                             int
	created                                                 float64 // as Accepted, in the window
	// ZeroLoad is the mean latency the closed form gives the same packets on
	// an empty network.
	ZeroLoad float64
}

// WriteNetCSV writes points as net.csv: a row per load and replication.
func WriteNetCSV(w io.Writer, points []NetPoint) error {
	out := csv.NewWriter(w)
	out.Write([]string{"topology", "dims", "traffic", "offered_flits_per_node_cycle", "replication",
		"accepted_flits_per_node_cycle", "latency_mean", "latency_p99", "network_latency_mean",
		"blocking_mean", "packets", "mean_hops", "cycles", "zero_load_latency"})
	num, cycles := decimal.Number, decimal.Time
	for _, p := range points {
		out.Write([]string{p.Topology, p.Dims, p.Traffic, num(p.Offered), fmt.Sprint(p.Replication),
			num(p.Accepted), cycles(p.Latency), cycles(p.LatencyP99), cycles(p.NetworkLatency),
			cycles(p.Blocking), fmt.Sprint(p.Packets), num(p.MeanHops), fmt.Sprint(p.Cycles), cycles(p.ZeroLoad)})
	}
	out.Flush()
	return out.Error()
}

// netCurve is one replication of a machine under one traffic, over the loads.
type netCurve struct {
	spec        Spec
	traffic     string
	replication int
	at          int // place in the list
	points      []NetPoint
	err         error
}

// RunNet simulates the curves, in parallel. Traffic a machine cannot have
// (transpose on an oblong one) is left out, with a word in the notes.
func (s *Simulator) RunNet(ctx context.Context, c NetConfig) (points []NetPoint, notes []string, err error) {
	curves, notes, err := s.netCurves(&c)
	if err != nil {
		return nil, nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := 0
	pool(ctx, c.Workers, curves, func(ctx context.Context, k netCurve) netCurve {
		k.points, k.err = s.runCurve(ctx, &c, &k)
		return k
	}, func(k netCurve) {
		if curves[k.at] = k; k.err != nil {
			stop()
		}
		if done++; c.Progress != nil {
			c.Progress(done, len(curves))
		}
	})
	for _, k := range curves {
		if k.err != nil {
			return nil, nil, k.err
		}
		points = append(points, k.points...)
	}
	return points, notes, ctx.Err()
}

// netCurves expands the configuration, and finds what is wrong with it.
func (s *Simulator) netCurves(c *NetConfig) (list []netCurve, notes []string, err error) {
	dims := c.Dims
	if len(dims) == 0 {
		dims = [][]int{c.Spec.Machine.sides()}
	}
	for _, d := range dims {
		spec := c.Spec
		spec.Machine.Dims = d
		machine, err := newMachine(&spec.Machine)
		if err != nil {
			return nil, nil, err
		}
		if machine.Nodes() < 2 {
			return nil, nil, badInput("machine.dims", "give at least two nodes", "a machine of one node has no traffic")
		}
		if _, err := s.newNetwork(&spec, machine, 0); err != nil {
			return nil, nil, err
		}
		for _, name := range c.Traffic {
			if !slices.Contains(netsim.TrafficNames(), name) {
				return nil, nil, badInput("", oneOf(name, netsim.TrafficNames()), "unknown traffic %q", name)
			}
			if _, err := netsim.TrafficByName(name, machine); err != nil {
				notes = append(notes, fmt.Sprintf("%s is left out: %v", name, err))
				continue
			}
			for r := range max(1, c.Replications) {
				list = append(list, netCurve{spec: spec, traffic: name, replication: r, at: len(list)})
			}
		}
	}
	if len(list) == 0 {
		return nil, nil, badInput("", "take uniform or hotspot", "no traffic is left to measure: %s", strings.Join(notes, "; "))
	}
	return list, notes, nil
}

func (s *Simulator) runCurve(ctx context.Context, c *NetConfig, k *netCurve) ([]NetPoint, error) {
	var points []NetPoint
	for _, load := range c.Loads {
		p, err := s.netPoint(ctx, c, k, load)
		if err != nil {
			return nil, err
		}
		if p.Packets == 0 {
			continue
		}
		points = append(points, p)
		if p.Accepted < saturatedShare*p.created && p.Latency > saturatedLatency*p.ZeroLoad {
			break
		}
	}
	return points, nil
}

// drainShare and drainSlices say how long traffic goes on after the window so
// that the packets created in it arrive: up to 48 times a sixteenth of it.
const (
	drainShare  = 16
	drainSlices = 48
)

// netPoint measures one load. Packets count that were created in the window;
// the traffic goes on until they have arrived, or for three more windows:
// beyond saturation some never count.
func (s *Simulator) netPoint(ctx context.Context, c *NetConfig, k *netCurve, load float64) (NetPoint, error) {
	machine, err := newMachine(&k.spec.Machine)
	if err != nil {
		return NetPoint{}, err
	}
	net, err := s.newNetwork(&k.spec, machine, k.replication)
	if err != nil {
		return NetPoint{}, err
	}
	to, err := netsim.TrafficByName(k.traffic, machine)
	if err != nil {
		return NetPoint{}, err
	}
	m := &netMeter{from: c.Warmup, until: c.Warmup + c.Window, config: net.Config(), machine: machine}
	net.Watch(m.packet)
	a, b := k.spec.StreamSeed(k.replication, fmt.Sprintf("traffic %s %v", k.traffic, load))
	tr := netsim.Traffic{Destination: to, Load: load, Flits: int32(k.spec.Job.Flits), Count: netsim.Window{From: m.from, Until: m.until}}
	tr.Start(machine.Nodes(), rand.New(rand.NewPCG(a, b)))
	packets := (int64(k.spec.Job.Flits)-1)/int64(k.spec.Network.PacketFlits) + 1
	for t := int64(0); t <= drainSlices && (t == 0 || m.packets < tr.Count.N*packets); t++ {
		if err := ctx.Err(); err != nil {
			return NetPoint{}, err
		}
		if err := tr.Run(net, m.until+t*c.Window/drainShare); err != nil {
			return NetPoint{}, err
		}
	}
	p := m.point()
	p.Topology, p.Dims, p.Traffic, p.Replication = k.spec.Machine.Topology, k.spec.Machine.size(), k.traffic, k.replication
	p.Offered, p.Cycles = load, net.Now()
	p.created = float64(tr.Count.N*int64(k.spec.Job.Flits)) / float64(c.Window) / float64(machine.Nodes())
	return p, nil
}

// netMeter measures the packets created in a window of time.
type netMeter struct {
	from, until int64
	config      netsim.Config
	machine     Machine

	packets, flits                        int64
	latency, network, blocked, hops, zero float64
	all                                   []int64
}

func (m *netMeter) packet(p *router.Arrival) {
	if p.Delivered >= m.from && p.Delivered < m.until {
		m.flits += int64(p.Length)
	}
	if p.Created < m.from || p.Created >= m.until {
		return
	}
	m.packets++
	m.latency += float64(p.Delivered - p.Created)
	m.network += float64(p.Delivered - p.Injected)
	m.blocked += float64(p.Blocked)
	m.hops += float64(p.Hops)
	m.zero += float64(m.config.ZeroLoadLatency(m.machine.Distance(p.From, p.To), int(p.Length)))
	m.all = append(m.all, p.Delivered-p.Created)
}

func (m *netMeter) point() NetPoint {
	p := NetPoint{Packets: m.packets, Accepted: float64(m.flits) / float64(m.until-m.from) / float64(m.machine.Nodes())}
	if m.packets == 0 {
		return p
	}
	n := float64(m.packets)
	p.Latency, p.NetworkLatency, p.Blocking, p.MeanHops, p.ZeroLoad = m.latency/n, m.network/n, m.blocked/n, m.hops/n, m.zero/n
	slices.Sort(m.all)
	p.LatencyP99 = float64(m.all[int(math.Ceil(0.99*n))-1])
	return p
}

// TrafficNames lists the traffic patterns there are.
func TrafficNames() []string { return netsim.TrafficNames() }

// DefaultLoads are loads from far below the saturation of any network up to a
// flit per node and cycle, in steps that grow.
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

// NetTable says for every curve what it begins and ends with.
func NetTable(points []NetPoint) string {
	var b strings.Builder
	width := len("16x16")
	for _, p := range points {
		width = max(width, len(p.Dims))
	}
	fmt.Fprintf(&b, "| topology | %-*s | traffic        | lowest load | latency (cycles) | closed form | ratio | greatest accepted load |\n", width, "dims")
	fmt.Fprintf(&b, "| -------- | %s | -------------- | ----------: | ---------------: | ----------: | ----: | ---------------------: |\n", strings.Repeat("-", width))
	for i := 0; i < len(points); {
		p, most := points[i], 0.0
		for ; i < len(points) && points[i].Dims == p.Dims && points[i].Traffic == p.Traffic; i++ {
			most = max(most, points[i].Accepted)
		}
		fmt.Fprintf(&b, "| %-8s | %-*s | %-14s | %11g | %16.2f | %11.2f | %5.3f | %22.4f |\n", p.Topology, width, p.Dims, p.Traffic, p.Offered, p.Latency, p.ZeroLoad, p.Latency/p.ZeroLoad, most)
	}
	return b.String()
}

// ParseLoads reads loads: FROM:TO:STEP, both ends included, or a list
// separated by commas, in flits per node and cycle. They come out in ascending
// order.
func ParseLoads(text string) ([]float64, error) {
	bad := &InputError{Where: "--loads " + text, Problem: "no loads",
		Right: "give FROM:TO:STEP such as 0.02:0.40:0.02, or loads separated by commas, in flits per node and cycle, above 0 and at most 1"}
	read := func(parts []string) ([]float64, bool) {
		var x []float64
		for _, p := range parts {
			v, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
			if err != nil || !(v > 0) || v > 1 {
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
			loads = append(loads, math.Round((x[0]+float64(i)*x[2])*1e9)/1e9) // 0.06, not 0.060000000000000005
		}
		return loads, nil
	}
	loads, ok := read(strings.Split(text, ","))
	if !ok {
		return nil, bad
	}
	slices.Sort(loads)
	return loads, nil
}
