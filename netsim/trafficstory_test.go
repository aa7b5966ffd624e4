package netsim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/internal/story"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// Stories of traffic: the text of a pattern, and the nodes to which each node of a machine sends.
func TestTrafficStories(t *testing.T) {
	story.Run(t, "testdata/traffic/*.txt", func(t *testing.T, given []string) string {
		var told strings.Builder
		for _, line := range given {
			machine, text, _ := strings.Cut(line, " ")
			answer, err := tellTraffic(t, machine, text)
			if err != nil {
				answer = err.Error()
			}
			fmt.Fprintln(&told, answer)
		}
		return told.String()
	})
}

// tellTraffic returns the destinations of each node of a machine, or the text of a pattern if the
// machine is "-".
func tellTraffic(t *testing.T, machine, text string) (string, error) {
	p, err := ParseTraffic(text)
	if err != nil {
		return "", err
	}
	if machine == "-" {
		again, err := ParseTraffic(p.String())
		if again.String() != p.String() {
			t.Errorf("%s is read as %s", p, again)
		}
		return p.String(), err
	}
	m := topologytest.Machine(t, machine)
	d, err := p.On(m, false, nil)
	if err != nil {
		return "", err
	}
	var list []string
	rng := rand.New(rand.NewPCG(1, 2))
	for from := range topology.Node(m.Nodes()) {
		var goals []topology.Node
		for range 100 { // draws
			if to := d.To(from, rng); !slices.Contains(goals, to) {
				goals = append(goals, to)
			}
		}
		slices.Sort(goals)
		list = append(list, strings.ReplaceAll(strings.Trim(fmt.Sprint(goals), "[]"), " ", "/"))
	}
	return strings.Join(list, " "), nil
}
