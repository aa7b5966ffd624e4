package byname

import (
	"math/rand/v2"
	"slices"

	"contend/allocation"
	"contend/router/topology"
)

// byHops are allocators that need nothing but hops. They take any machine, and some measure it
// for long when they are made.
var byHops = []string{"gen-alg", "mm", "mm-inc", "optimal"}

// Suiting returns the names of the allocators that a machine has what they need for, in the order
// of Names.
func Suiting(machine topology.Topology) (names []string) {
	for _, e := range table() {
		if slices.Contains(byHops, e.Name) {
			names = append(names, e.Name)
			continue
		}
		site := allocation.Site{Machine: machine, Stream: rand.New(rand.NewPCG(0, 0))}
		if _, err := e.made(Config{Name: e.Name}, site); err == nil {
			names = append(names, e.Name)
		}
	}
	return names
}
