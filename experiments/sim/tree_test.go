package sim

import (
	"testing"

	"contend/experiments/config/configtest"
)

// Ports are drawn anew in every replication, and alike under both engines.
func TestRoutingIsDrawnAnewInEveryReplication(t *testing.T) {
	s := configtest.Tree()
	var sim Simulator
	seeds := map[uint64]bool{}
	for replication := range 3 {
		for _, engine := range []string{"cycle", "worm"} {
			s.Network.Engine = engine
			n, err := sim.NewNetwork(configtest.Plan(t, s), replication)
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
