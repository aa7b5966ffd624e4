package netfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/internal/bounded"
	"contend/netsim/topology"
)

// Tiers is a fat tree as a .topo file of htsim describes it (FatTreeTopology::load of
// csg-htsim): levels of routers, called tiers, from the nodes up.
type Tiers struct {
	// Config is the shape of the tree.
	Config topology.FatTreeConfig
	// Speeds are those of the links below the routers of each tier, in Gb/s, and
	// Latencies their delays in nanoseconds.
	Speeds, Latencies []int
	// SwitchLatency is the time in every router, in nanoseconds.
	SwitchLatency int
}

// topoRight is what a line of a .topo file looks like.
const topoRight = "give lines such as: Radix_Down 16"

// The settings of the head of a file and of a tier, in lower case as they are compared.
var (
	topoHead = []string{"nodes", "tiers", "podsize"}
	topoTier = []string{"downlink_speed_gbps", "downlink_latency_ns", "radix_down", "radix_up",
		"bundle", "oversubscribed", "switch_latency_ns"}
)

// topoValue is a number with its line.
type topoValue struct{ number, line int }

// topoSettings are those of the head or of a tier.
type topoSettings map[string]topoValue

// topo reads one file.
type topo struct {
	file  string
	head  topoSettings
	tiers []topoSettings
	line  int // that is read
}

// ReadTopo reads a .topo file. It refuses what it cannot honour: sizes of queues, latencies of
// routers that differ, and numbers that contradict each other.
func ReadTopo(path string) (*Tiers, error) {
	text, err := bounded.ReadFile(path, Limits)
	if err != nil {
		return nil, err
	}
	return parseTopo(path, string(text))
}

func parseTopo(path, text string) (*Tiers, error) {
	t := &topo{file: path, head: topoSettings{}}
	for i, line := range strings.Split(text, "\n") {
		t.line = i + 1
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		if err := t.setting(words); err != nil {
			return nil, err
		}
	}
	t.line = 0
	if err := t.complete(); err != nil {
		return nil, err
	}
	return t.tree()
}

// bad is an error about a line, 0 for none.
func (t *topo) bad(line int, right, problem string, args ...any) error {
	return &bounded.Error{File: t.file, Line: line, Problem: fmt.Sprintf(problem, args...),
		Right: right}
}

// setting reads a line: a name and a number.
func (t *topo) setting(words []string) error {
	if len(words) != 2 {
		return t.bad(t.line, topoRight, "this is no name with a number")
	}
	name := strings.ToLower(words[0])
	n, err := strconv.Atoi(words[1])
	if err != nil || n < 0 || n > 1<<24 {
		return t.bad(t.line, "give a number from 0", "%s is %q", words[0], words[1])
	}
	if name == "tier" {
		if n != len(t.tiers) {
			return t.bad(t.line, fmt.Sprintf("tier %d comes here", len(t.tiers)), "this is tier %d", n)
		}
		t.tiers = append(t.tiers, topoSettings{})
		return nil
	}
	into, known := t.head, topoHead
	if len(t.tiers) > 0 {
		into, known = t.tiers[len(t.tiers)-1], topoTier
	}
	switch {
	case name == "queue_up" || name == "queue_down":
		return t.bad(t.line, "leave it out, and give network.buffer_flits", "%s is the size of a queue "+
			"behind a router, and routers here have buffers in front of them", words[0])
	case !slices.Contains(known, name):
		return t.bad(t.line, "give one of "+strings.Join(known, ", "), "%s is not known here", words[0])
	case into[name].line > 0:
		return t.bad(t.line, "give it once", "%s is given twice", words[0])
	}
	into[name] = topoValue{n, t.line}
	return nil
}

// complete refuses files that leave out what a tree needs.
func (t *topo) complete() error {
	for _, name := range topoHead {
		if t.head[name].number < 1 {
			return t.bad(t.head[name].line, "give it before the first tier", "there is no %s", name)
		}
	}
	tiers := t.head["tiers"]
	if tiers.number != 2 && tiers.number != 3 {
		return t.bad(tiers.line, "give 2 or 3", "there are %d tiers", tiers.number)
	}
	if len(t.tiers) != tiers.number {
		return t.bad(tiers.line, "describe each of them", "of %d tiers there are %d", tiers.number,
			len(t.tiers))
	}
	top := len(t.tiers) - 1
	for i, k := range t.tiers {
		needed := []string{"downlink_speed_gbps", "downlink_latency_ns", "radix_down"}
		if i < top {
			needed = append(needed, "radix_up")
		}
		for _, name := range needed {
			if k[name].number < 1 {
				return t.bad(k[name].line, "give a number from 1", "tier %d has no %s", i, name)
			}
		}
	}
	if up := t.tiers[top]["radix_up"]; up.line > 0 {
		return t.bad(up.line, "leave it out", "no router is above those of the last tier")
	}
	return nil
}

// bundle returns the number of parallel links below the routers of a tier.
func (k topoSettings) bundle() int { return max(1, k["bundle"].number) }

// tree returns the tree that the settings are, if they agree.
func (t *topo) tree() (*Tiers, error) {
	out := &Tiers{SwitchLatency: t.tiers[0]["switch_latency_ns"].number}
	nodes := 1
	for i, k := range t.tiers {
		down, bundle := k["radix_down"], k.bundle()
		switch {
		case i == 0 && bundle > 1:
			return nil, t.bad(k["bundle"].line, "give 1", "a bundle leads to each node")
		case down.number%bundle != 0:
			return nil, t.bad(down.line, "give a multiple of it", "the %d ports down of tier %d are no "+
				"multiple of its bundle of %d", down.number, i, bundle)
		case k["switch_latency_ns"].number != out.SwitchLatency:
			return nil, t.bad(k["switch_latency_ns"].line, "give one for all", "routers of tier %d take "+
				"other times than those of tier 0, and here all take one", i)
		}
		nodes *= down.number / bundle
		out.Config.Children = append(out.Config.Children, down.number/bundle)
		out.Speeds = append(out.Speeds, k["downlink_speed_gbps"].number)
		out.Latencies = append(out.Latencies, k["downlink_latency_ns"].number)
		if i > 0 {
			if err := t.joined(out, i); err != nil {
				return nil, err
			}
		}
		if pod := t.head["podsize"]; i == 1 && pod.number != nodes {
			return nil, t.bad(pod.line, fmt.Sprintf("give %d", nodes), "the pod size is %d, and %d nodes "+
				"are below a router of tier 1", pod.number, nodes)
		}
	}
	if n := t.head["nodes"]; n.number != nodes {
		return nil, t.bad(n.line, fmt.Sprintf("give %d", nodes), "there are %d nodes, and the routers "+
			"down have room for %d", n.number, nodes)
	}
	return out, nil
}

// joined adds the links between a tier and the one below it.
func (t *topo) joined(out *Tiers, tier int) error {
	k, below := t.tiers[tier], t.tiers[tier-1]
	up, bundle := below["radix_up"], k.bundle()
	if up.number%bundle != 0 {
		return t.bad(up.line, "give a multiple of it", "the %d ports up of tier %d are no multiple of "+
			"the bundle of %d of tier %d", up.number, tier-1, bundle, tier)
	}
	over, given := below["oversubscribed"]
	down := below["radix_down"].number * out.Speeds[tier-1]
	if bandwidth := up.number * out.Speeds[tier]; given && down != over.number*bandwidth {
		return t.bad(over.line, "leave it out, or change the ports or the speeds", "tier %d is said to "+
			"be oversubscribed %d to 1, and has %d Gb/s down and %d Gb/s up", tier-1, over.number, down,
			bandwidth)
	}
	out.Config.Parents = append(out.Config.Parents, up.number/bundle)
	out.Config.Bundle = append(out.Config.Bundle, bundle)
	return nil
}
