package cosim

import (
	"testing"

	"contend/experiments/spec/spectest"
)

// Ports are drawn anew in every replication, and alike under both engines.
func TestRoutingIsDrawnAnewInEveryReplication(t *testing.T) {
	s := spectest.Tree()
	var sim Simulator
	seeds := map[uint64]bool{}
	for replication := range 3 {
		for _, engine := range []string{"cycle", "worm"} {
			s.Network.Engine = engine
			n, err := sim.NewNetwork(spectest.Plan(t, s), replication)
			if err != nil {
				t.Fatal(err)
			}
			seeds[n.Config().RoutingSeed] = true
		}
	}
	if len(seeds) != 3 {
		t.Errorf("%d seeds for three replications under two engines", len(seeds))
	}
}
