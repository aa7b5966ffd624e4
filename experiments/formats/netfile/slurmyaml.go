package netfile

import "strings"

// yamlRight says what a topology.yaml should be, for errors.
const yamlRight = "give a topology.yaml as Slurm's page topology.yaml(5) has it: a list of " +
	"topologies with tree and switches, or block, block_sizes and blocks"

// readYAML reads a topology.yaml of the form of Slurm's manual: a list of topologies with lists of
// switches or of blocks. It reads that form alone, a key and a value a line, and no other YAML. Of
// several topologies it takes the one with cluster_default: true.
func (s *Slurm) readYAML(text string) error {
	y := slurmYAML{chosen: -1}
	for i, line := range strings.Split(text, "\n") {
		if at := strings.Index(" "+line, " #"); at >= 0 {
			line = line[:max(0, at-1)]
		}
		line = strings.TrimSpace(line)
		if line == "" || line == "---" || line == "..." {
			continue
		}
		if !y.readLine(i+1, line) {
			return s.bad(i+1, yamlRight, "%q has no meaning here", line)
		}
	}
	switch {
	case len(y.topologies) == 0:
		return s.bad(0, yamlRight, "there is no topology")
	case len(y.topologies) == 1:
		y.chosen = 0
	case y.chosen < 0:
		return s.bad(0, "say cluster_default: true of one", "there are %d topologies", len(y.topologies))
	}
	t := y.topologies[y.chosen]
	if len(t.sizes) > 0 {
		if err := s.readBlockSizes(t.line, t.sizes); err != nil {
			return err
		}
	}
	for _, u := range t.units {
		if err := s.addUnit(u, t.kind == "block"); err != nil {
			return err
		}
	}
	return nil
}

// slurmYAML is a topology.yaml as far as it has been read.
type slurmYAML struct {
	topologies []yamlTopology
	chosen     int    // index of the default topology, or -1
	list       string // list whose items are being read: switches, blocks or block_sizes
}

// yamlTopology is a topology of the file.
type yamlTopology struct {
	kind  string // tree or block
	units []slurmUnit
	sizes []string // block_sizes
	line  int
}

// readLine reads a line. It reports false if the line has no meaning at its place.
func (y *slurmYAML) readLine(number int, line string) bool {
	rest, item := strings.CutPrefix(line, "-")
	rest = strings.TrimSpace(rest)
	key, value, pair := strings.Cut(rest, ":")
	value = strings.Trim(strings.TrimSpace(value), `"'`)
	if item && key == "topology" && value != "" {
		y.topologies, y.list = append(y.topologies, yamlTopology{line: number}), ""
		return true
	}
	if len(y.topologies) == 0 {
		return false
	}
	t := &y.topologies[len(y.topologies)-1]
	switch {
	case item && !pair && y.list == "block_sizes":
		t.sizes = append(t.sizes, rest)
		return true
	case !pair:
		return false
	case item && (y.list == "switches" || y.list == "blocks"):
		t.units = append(t.units, slurmUnit{line: number})
	case !item && t.kind == "" && value == "" && (key == "tree" || key == "block"):
		t.kind = key
		return true
	case !item && key == "cluster_default" && (value == "true" || value == "false"):
		if value == "true" && y.chosen < 0 {
			y.chosen = len(y.topologies) - 1
		}
		return true
	case !item && value == "" && (t.kind == "tree" && key == "switches" ||
		t.kind == "block" && (key == "blocks" || key == "block_sizes")):
		y.list = key
		return true
	case !item && t.kind == "block" && key == "block_sizes" && strings.HasPrefix(value, "["):
		t.sizes = strings.Split(strings.Trim(value, "[]"), ",")
		return strings.HasSuffix(value, "]")
	case item:
		return false
	}
	if len(t.units) == 0 || value == "" {
		return false
	}
	return t.units[len(t.units)-1].setAttribute(t.kind, key, value)
}

// setAttribute sets an attribute of a switch or block. It reports false if there is no such
// attribute, or if it is set already.
func (u *slurmUnit) setAttribute(kind, key, value string) bool {
	var to *string
	switch {
	case kind == "tree" && key == "switch" || kind == "block" && key == "block":
		to = &u.name
	case key == "nodes":
		to = &u.nodes
	case kind == "tree" && key == "children":
		to = &u.switches
	default:
		return false
	}
	if *to != "" {
		return false
	}
	*to = value
	return true
}
