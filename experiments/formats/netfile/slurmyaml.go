package netfile

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"contend/internal/input"
)

// yamlRight says what a topology.yaml should be, for errors.
const yamlRight = "give a topology.yaml as Slurm's page topology.yaml(5) has it: a list of " +
	"topologies with tree and switches, or block, block_sizes and blocks"

// yamlLimits are the limits of a topology.yaml. The library takes up to 100 bytes of memory for
// each byte of a text, and no values nested more than 10,000 deep.
var yamlLimits = input.Limits{Bytes: 4 << 20, Line: Limits.Line}

// maxYAMLValues bounds the values of a text, each counted as often as aliases stand for it.
const maxYAMLValues = 1 << 20

// yamlTopology is a topology of a topology.yaml.
type yamlTopology struct {
	kinds     []string // those of tree, block and flat that it has
	isDefault bool
	units     []slurmUnit
	sizes     []string // block_sizes
	sizesLine int
}

// readYAML reads a topology.yaml. Of several topologies it takes the first one with
// cluster_default: true.
func (s *Slurm) readYAML(text string) error {
	y := yamlReader{Slurm: s}
	root, err := y.parse(text)
	if err != nil {
		return err
	}
	var topologies []yamlTopology
	if err := y.list(root, "topologies", func(n *yaml.Node, at string) error {
		t, err := y.topology(n, at)
		topologies = append(topologies, t)
		return err
	}); err != nil {
		return err
	}
	chosen := -1
	for i, t := range topologies {
		if t.isDefault || len(topologies) == 1 {
			chosen = i
			break
		}
	}
	switch {
	case len(topologies) == 0:
		return s.bad(0, yamlRight, "there is no topology")
	case chosen < 0:
		return s.bad(0, "say cluster_default: true of one", "there are %d topologies", len(topologies))
	}
	t := topologies[chosen]
	if err := s.readBlockSizes(t.sizesLine, t.sizes); err != nil {
		return err
	}
	for _, u := range t.units {
		if err := s.addUnit(u, t.kinds[0] == "block"); err != nil {
			return err
		}
	}
	return nil
}

// yamlReader reads the nodes of a topology.yaml. In errors a node has its line and its path, such
// as topologies[0].tree.switches[3].nodes.
type yamlReader struct {
	*Slurm
	values int // read so far, see maxYAMLValues
}

// parse returns the value of a text of one document, which is empty if there is none.
func (y *yamlReader) parse(text string) (*yaml.Node, error) {
	in := yaml.NewDecoder(strings.NewReader(text))
	var document, next yaml.Node
	err := in.Decode(&document)
	if errors.Is(err, io.EOF) {
		return &yaml.Node{Kind: yaml.SequenceNode}, nil
	}
	if err == nil {
		if err = in.Decode(&next); err == nil {
			return nil, y.bad(next.Line, "give one", "there is a second document of YAML")
		}
	}
	if errors.Is(err, io.EOF) {
		return document.Content[0], nil
	}
	problem, line := strings.TrimPrefix(err.Error(), "yaml: "), 0
	if n, _ := fmt.Sscanf(problem, "line %d:", &line); n == 1 {
		_, problem, _ = strings.Cut(problem, ": ")
	}
	return nil, y.bad(line, yamlRight, "%s", problem)
}

// topology reads a topology.
func (y *yamlReader) topology(n *yaml.Node, at string) (t yamlTopology, err error) {
	name, flat := "", false
	err = y.mapping(n, at, map[string]yamlField{
		"topology":        y.text(&name),
		"cluster_default": y.boolean(&t.isDefault),
		"flat": func(n *yaml.Node, at string) error {
			t.kinds = append(t.kinds, "flat")
			return y.boolean(&flat)(n, at)
		},
		"tree": func(n *yaml.Node, at string) error {
			t.kinds = append(t.kinds, "tree")
			return y.mapping(n, at, map[string]yamlField{"switches": y.units(&t, "switch", "children")})
		},
		"block": func(n *yaml.Node, at string) error {
			t.kinds = append(t.kinds, "block")
			return y.mapping(n, at, map[string]yamlField{"blocks": y.units(&t, "block", ""),
				"block_sizes": func(n *yaml.Node, at string) error {
					t.sizesLine = n.Line
					return y.list(n, at, func(n *yaml.Node, at string) error {
						t.sizes = append(t.sizes, "")
						return y.text(&t.sizes[len(t.sizes)-1])(n, at)
					})
				}})
		},
	})
	switch {
	case err != nil:
		return t, err
	case name == "":
		return t, y.bad(n.Line, "give topology: NAME", "%s has no name", at)
	case len(t.kinds) > 1:
		return t, y.bad(n.Line, "describe one of them", "%s has %s", at, strings.Join(t.kinds, " and "))
	}
	return t, nil
}

// yamlField reads the value of a key, whose path is at.
type yamlField func(n *yaml.Node, at string) error

// units returns the reader of the switches or blocks of a topology. below is the key of the
// switches below a switch, "" for blocks.
func (y *yamlReader) units(t *yamlTopology, kind, below string) yamlField {
	return func(n *yaml.Node, at string) error {
		return y.list(n, at, func(n *yaml.Node, at string) error {
			u := slurmUnit{line: n.Line}
			keys := map[string]yamlField{kind: y.text(&u.name), "nodes": y.text(&u.nodes)}
			if below != "" {
				keys[below] = y.text(&u.switches)
			}
			err := y.mapping(n, at, keys)
			t.units = append(t.units, u)
			return err
		})
	}
}

// text returns a reader of a text or number that is not empty.
func (y *yamlReader) text(to *string) yamlField {
	return func(n *yaml.Node, at string) error {
		v, err := y.value(n, yaml.ScalarNode, at, "a text")
		if err == nil {
			*to = v.Value
		}
		return err
	}
}

// boolean returns a reader of true or false.
func (y *yamlReader) boolean(to *bool) yamlField {
	return func(n *yaml.Node, at string) error {
		v, err := y.value(n, yaml.ScalarNode, at, "true or false")
		if err != nil {
			return err
		}
		if *to = v.Value == "true"; !*to && v.Value != "false" {
			return y.bad(n.Line, "give true or false", "%s is %q", at, v.Value)
		}
		return nil
	}
}

// list reads the elements of a list.
func (y *yamlReader) list(n *yaml.Node, at string, read yamlField) error {
	v, err := y.value(n, yaml.SequenceNode, at, "a list")
	if err != nil {
		return err
	}
	for i, element := range v.Content {
		if err := read(element, fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
	}
	return nil
}

// mapping reads the values of a mapping by its keys, each of which it has at most once.
func (y *yamlReader) mapping(n *yaml.Node, at string, keys map[string]yamlField) error {
	names := strings.Join(input.SortedKeys(keys), ", ")
	v, err := y.value(n, yaml.MappingNode, at, "a mapping of "+names)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for i := 0; i < len(v.Content); i += 2 {
		key := v.Content[i]
		path, read := input.Join(at, key.Value), keys[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode:
			return y.bad(key.Line, "there are "+names, "a key of %s is no text", at)
		case read == nil:
			return y.bad(key.Line, input.OneOf(key.Value, input.SortedKeys(keys)), "unknown key %s", path)
		case seen[key.Value]:
			return y.bad(key.Line, "give it once", "%s is given twice", path)
		}
		seen[key.Value] = true
		if err := read(v.Content[i+1], path); err != nil {
			return err
		}
	}
	return nil
}

// value returns a node of a kind, or the one that an alias stands for. It refuses empty texts.
func (y *yamlReader) value(n *yaml.Node, kind yaml.Kind, at, what string) (*yaml.Node, error) {
	if y.values++; y.values > maxYAMLValues {
		return nil, y.bad(n.Line, "write fewer aliases", "there are more than %d values", maxYAMLValues)
	}
	v := n
	if n.Kind == yaml.AliasNode {
		v = n.Alias
	}
	switch {
	case v.Kind == yaml.ScalarNode && (v.Value == "" || v.ShortTag() == "!!null"):
		return nil, y.bad(n.Line, "give "+what, "%s is empty", at)
	case v.Kind == kind:
		return v, nil
	}
	is := map[yaml.Kind]string{yaml.ScalarNode: "a text", yaml.SequenceNode: "a list",
		yaml.MappingNode: "a mapping"}[v.Kind]
	return nil, y.bad(n.Line, "give "+what, "%s is %s", at, is)
}
