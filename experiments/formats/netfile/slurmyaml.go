package netfile

import (
	"strings"
)

const yamlRight = "give a topology.yaml as Slurm's page topology.yaml(5) has it: a list of " +
	"topologies with tree and switches, or block, block_sizes and blocks"

// readYAML reads a topology.yaml of the form of Slurm's manual: a list of topologies with lists of
// switches or of blocks. It reads that form alone, a key and a value a line, and no other YAML. Of
// several topologies it takes the one with cluster_default: true.
func (s *Slurm) readYAML(text string) error {
	y := slurmYAML{taken: -1}
	for i, line := range strings.Split(text, "\n") {
		if at := strings.Index(" "+line, " #"); at >= 0 {
			line = line[:max(0, at-1)]
		}
		line = strings.TrimSpace(line)
		if line == "" || line == "---" || line == "..." {
			continue
		}
		if !y.read(i+1, line) {
			return s.bad(i+1, yamlRight, "%q has no meaning here", line)
		}
	}
	switch {
	case len(y.all) == 0:
		return s.bad(0, yamlRight, "there is no topology")
	case len(y.all) == 1:
		y.taken = 0
	case y.taken < 0:
		return s.bad(0, "say cluster_default: true of one", "there are %d topologies", len(y.all))
	}
	t := y.all[y.taken]
	if len(t.sizes) > 0 {
		if err := s.blockSizes(t.line, t.sizes); err != nil {
			return err
		}
	}
	for _, u := range t.units {
		if err := s.add(u, t.kind == "block"); err != nil {
			return err
		}
	}
	return nil
}

// slurmYAML is what has been read of a topology.yaml.
type slurmYAML struct {
	all   []yamlTopology
	taken int    // of all, -1 for none
	list  string // that is read: switches, blocks or block_sizes
}

type yamlTopology struct {
	kind  string // tree or block
	units []slurmUnit
	sizes []string
	line  int
}

// read reads a line, and reports whether it could.
func (y *slurmYAML) read(number int, line string) bool {
	rest, item := strings.CutPrefix(line, "-")
	rest = strings.TrimSpace(rest)
	key, value, pair := strings.Cut(rest, ":")
	value = strings.Trim(strings.TrimSpace(value), `"'`)
	if item && key == "topology" && value != "" {
		y.all, y.list = append(y.all, yamlTopology{line: number}), ""
		return true
	}
	if len(y.all) == 0 {
		return false
	}
	t := &y.all[len(y.all)-1]
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
		if value == "true" && y.taken < 0 {
			y.taken = len(y.all) - 1
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
	return t.units[len(t.units)-1].take(t.kind, key, value)
}

// take takes an attribute of a switch or block.
func (u *slurmUnit) take(kind, key, value string) bool {
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
