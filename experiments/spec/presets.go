package spec

import (
	"contend/experiments/spec/input"
)

// Preset is a value of network.preset: a network of a machine.
type Preset struct {
	Name string      // the value of network.preset
	Doc  string      // what it is the network of, in a line
	Keys []PresetKey // in the order in which they are set
}

// PresetKey is a key that a preset sets.
type PresetKey struct {
	Path   string // the key
	Value  any    // as the TOML library gives it
	Source string // where the value is from; "assumed" where nothing printed says it
}

// Sources that several presets share.
const (
	loAppendix    = "lo1994 App. A"
	cableOf5m     = "5.12 m of cable at 5 ns/m, a whole number of cycles (assumed)"
	creditBack    = "assumed: the cable, and a flit time to process a credit"
	flitOf64B     = "the unit of InfiniBand's credits (IBTA specification, vol. 1, sec. 7.9)"
	oneFlit       = "the time of a flit of 64 B on the link"
	pipelined     = "assumed: switches are pipelines, with their latency in network.link_cycles"
	mtu4096       = "the greatest MTU of InfiniBand and RoCE (IBTA specification, vol. 1)"
	buffers       = "assumed: above link_cycles + credit_cycles, so that a link is kept busy"
	ethernet64B   = "the shortest Ethernet frame (IEEE 802.3)"
	tomahawkUltra = "Broadcom, announcement of Tomahawk Ultra, 2025"
)

// presets is the table of presets. Beside published numbers the networks of today have a
// cable, credits and buffers that are assumed alike, so that they can be compared.
var presets = []Preset{
	{"procsimity", "the network of ProcSimity, in cycles that have no length", []PresetKey{
		// "Flits take 1 network clock cycle to move between routing switches, and
		// two cycles to be routed" (lo1994 App. A), single-flit buffers.
		{"network.routing_cycles", int64(4), loAppendix}, {"network.flit_cycles", int64(3), loAppendix},
		{"network.link_cycles", int64(1), loAppendix}, {"network.buffer_flits", int64(1), loAppendix},
		{"network.credit_cycles", int64(1), loAppendix},
		{"network.packet_flits", int64(8), loAppendix},
		{"network.virtual_channels", int64(1), loAppendix},
	}},
	{"paragon", "an Intel Paragon XP/S, as in the study paragon-contend", []PresetKey{
		{cyclePath, "5.71428571 ns", "the time of a byte at 175 MB/s (lo1994 sec. 5)"},
		{"network.flit_bytes", int64(2), "16 bits (lo1994 sec. 5)"},
		{"network.flit_cycles", int64(2), "a flit at 175 MB/s (lo1994 sec. 5)"},
		{"network.routing_cycles", int64(6), "40 ns a hop (lo1994 sec. 5)"},
		{"network.buffer_flits", int64(1), "assumed"},
		{"network.packet_flits", int64(512), "1 KB (lo1994 sec. 5)"},
	}},
	{"cplant", "Sandia's Cplant, as in the study leung-table1, in cycles that have no length",
		[]PresetKey{
			{"network.packet_flits", int64(16), "assumed, see the study"},
			{"network.buffer_flits", int64(4), "assumed, see the study"},
			{"network.virtual_channels", int64(2), "assumed, see the study"},
			{"network.input_speedup", int64(0), "assumed, see the study"},
		}},
	today("ethernet-200", "HPC Ethernet with credits, 200 Gb/s a link", link{
		rate: "200 Gb/s", rateFrom: tomahawkUltra, cycle: "2.56 ns",
		delay: "278.16 ns", latency: "250 ns (" + tomahawkUltra + ")", credit: "28.16 ns",
		flitFrom: ethernet64B, buffer: "8 KiB"}),
	today("ethernet-400", "HPC Ethernet with credits, 400 Gb/s a link", link{
		rate: "400 Gb/s", rateFrom: tomahawkUltra, cycle: "1.28 ns",
		delay: "276.88 ns", latency: "250 ns (" + tomahawkUltra + ")", credit: "26.88 ns",
		flitFrom: ethernet64B, buffer: "16 KiB"}),
	today("hdr", "HDR InfiniBand, 200 Gb/s a link", link{
		rate: "200 Gb/s", rateFrom: "NVIDIA QM87xx user manual", cycle: "2.56 ns",
		delay:   "158.16 ns",
		latency: "130 ns (assumed: what is printed of HDR switches is from 90 to 130 ns)",
		credit:  "28.16 ns", flitFrom: flitOf64B, buffer: "8 KiB"}),
	today("ndr", "NDR InfiniBand, 400 Gb/s a link", link{
		rate: "400 Gb/s", rateFrom: "NVIDIA QM97xx user manual", cycle: "1.28 ns",
		delay:   "226.88 ns",
		latency: "200 ns (assumed: what sellers print of NDR switches is from 150 to 330 ns)",
		credit:  "26.88 ns", flitFrom: flitOf64B, buffer: "16 KiB"}),
	today("slingshot-11", "HPE Slingshot-11, 200 Gb/s a link", link{
		rate: "200 Gb/s", rateFrom: "De Sensi et al., SC 2020, sec. II", cycle: "2.56 ns",
		delay: "378.16 ns", latency: "350 ns (De Sensi et al., SC 2020, sec. II)",
		credit: "28.16 ns", flitFrom: ethernet64B, buffer: "16 KiB"}),
}

// link is what networks of today differ in.
type link struct {
	rate, rateFrom string // of a link
	cycle          string // the time of a flit of 64 B at that rate
	delay, latency string // of a switch, with cable and flit; and of the switch alone
	credit         string // time that a credit takes
	flitFrom       string // why a flit has 64 B
	buffer         string // of a virtual channel
}

// today returns the preset of a network of today.
func today(name, doc string, l link) Preset {
	return Preset{name, doc, []PresetKey{
		{cyclePath, l.cycle, oneFlit},
		{"network.flit_bytes", "64 B", l.flitFrom},
		{"network.flit_cycles", l.rate, l.rateFrom},
		{"network.routing_cycles", l.cycle, pipelined},
		{"network.link_cycles", l.delay, "a switch, " + l.latency + "; " +
			cableOf5m + "; and the time of a flit"},
		{"network.credit_cycles", l.credit, creditBack},
		{"network.buffer_flits", l.buffer, buffers},
		{"network.packet_flits", "4 KiB", mtu4096},
	}}
}

// Presets returns the table of presets.
func Presets() []Preset { return presets }

// presetNames lists the values of network.preset.
func presetNames() (names []string) {
	for _, p := range presets {
		names = append(names, p.Name)
	}
	return names
}

// applyPreset sets the keys of a preset.
func (s *Settings) applyPreset(name string, names Names) *input.Error {
	for _, p := range presets {
		if p.Name != name {
			continue
		}
		for _, k := range p.Keys {
			if err := s.Assign(k.Path, k.Value, names); err != nil {
				return err
			}
		}
	}
	return nil
}
