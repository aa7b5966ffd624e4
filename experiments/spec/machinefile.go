package spec

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/netfile"
	"contend/experiments/spec/input"
	"contend/experiments/spec/machine"
	"contend/netsim/topology"
)

// readNetwork sets the keys that machine.file stands for: those of a fat tree from a .topo file
// of htsim, else machine.graph.
func (s *Settings) readNetwork(path string, names Names) *input.Error {
	if path == "" {
		return nil
	}
	tiers := strings.EqualFold(filepath.Ext(path), ".topo")
	other := "fat-tree" // what the file does not describe
	if tiers {
		other = "graph"
	}
	if s.Spec.Machine.Topology == other {
		return FieldFile.Bad("take a .topo file of htsim for a fat-tree, and another one for a graph",
			"%s is %q, and machine.topology is %s", FieldFile, path, other)
	}
	if tiers {
		return s.readTiers(path, names)
	}
	return s.readGraph(path)
}

// readTiers sets the keys of a fat tree and those of its links. The cycle becomes the time of a
// flit of 64 B on the fastest link, as in presets, unless another is given. The switches of
// htsim do not wait for credits, so buffers cover the way there and back of the longest link.
func (s *Settings) readTiers(path string, names Names) *input.Error {
	t, err := netfile.ReadTopo(path)
	if err != nil {
		return networkFileError(err)
	}
	var speeds, latencies []any
	for i := 1; i < len(t.Speeds); i++ {
		speeds = append(speeds, fmt.Sprintf("%d Gb/s", t.Speeds[i]))
		latencies = append(latencies, fmt.Sprintf("%d ns", t.Latencies[i]))
	}
	const flitBits = 512
	fastest, longest := slices.Max(t.Speeds), slices.Max(t.Latencies)
	for _, k := range []PresetKey{
		{Path: "machine.children", Value: machine.TOML(t.Config.Children)},
		{Path: "machine.parents", Value: machine.TOML(t.Config.Parents)},
		{Path: "machine.bundle", Value: machine.TOML(t.Config.Bundle)},
		{Path: "network.flit_bytes", Value: int64(flitBits / 8)},
		{Path: cyclePath, Value: fmt.Sprintf("%.9g ns", flitBits/float64(fastest))},
		{Path: "network.buffer_flits", Value: int64(2*(longest*fastest/flitBits+1) + 1)},
		{Path: "network.routing_cycles", Value: fmt.Sprintf("%d ns", t.SwitchLatency)},
		{Path: "network.node_flit_cycles", Value: fmt.Sprintf("%d Gb/s", t.Speeds[0])},
		{Path: "network.node_link_cycles", Value: fmt.Sprintf("%d ns", t.Latencies[0])},
		{Path: "network.class_flit_cycles", Value: speeds},
		{Path: "network.class_link_cycles", Value: latencies},
	} {
		if err := s.Assign(k.Path, k.Value, names); err != nil {
			return err
		}
	}
	return nil
}

// networkFileError is the error for a file of a network. What names the file, a flag or a line of
// a study, takes the place of its line.
func networkFileError(err error) *input.Error {
	var bad *input.Error // of DecodeTOML
	if !errors.As(err, &bad) {
		bad = input.Unreadable(err, "give a file that describes a network")
	}
	if bad.Where != "" {
		bad.Where, bad.Problem = "", bad.Where+": "+bad.Problem
	}
	return bad
}

// readGraph sets machine.graph from a file.
func (s *Settings) readGraph(path string) *input.Error {
	n, err := netfile.ReadFile(path, input.DecodeTOML)
	if err != nil {
		return networkFileError(err)
	}
	if _, err := topology.NewGraph(n.Config()); err != nil {
		bad := machine.GraphRefused(err, path).(*input.Error)
		bad.Key = string(FieldFile)
		return bad
	}
	s.Spec.Machine.Graph = n.Lines()
	return nil
}
