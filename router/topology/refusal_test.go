package topology_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/internal/story"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Stories of configurations: a kind and its configuration as JSON, or a short form, and the machine
// or the reason for which it is refused.
func TestConfigStories(t *testing.T) {
	story.Run(t, "testdata/*.txt", func(t *testing.T, given []string) string {
		var told strings.Builder
		for _, line := range given {
			kind, config, _ := strings.Cut(line, " ")
			m, err := configured(t, kind, config)
			if wrong := (*topology.ConfigError)(nil); errors.As(err, &wrong) || config == "" && err != nil {
				fmt.Fprintln(&told, err)
			} else {
				fmt.Fprintf(&told, "%d nodes, %d routers of %d ports\n", m.Nodes(), m.Routers(), m.Ports())
			}
		}
		return told.String()
	})
}

// configured makes a machine by its short form, or of a kind from a configuration in JSON.
func configured(t *testing.T, kind, config string) (topology.Topology, error) {
	switch kind {
	case "cube":
		return decoded(config, topology.NewCube)
	case "tree":
		return decoded(config, topology.NewTree)
	case "fat-tree":
		return decoded(config, topology.NewFatTree)
	case "dragonfly":
		return decoded(config, topology.NewDragonfly)
	case "hyperx":
		return decoded(config, topology.NewHyperX)
	case "graph":
		return decoded(config, topology.NewGraph)
	}
	return topologytest.Parse(kind)
}

// decoded makes a machine of a configuration.
func decoded[C any, M topology.Topology](text string, of func(C) (M, error)) (topology.Topology,
	error) {
	var c C
	must.Have(0, json.Unmarshal([]byte(text), &c))
	return of(c)
}
