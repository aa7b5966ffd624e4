package cosim

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/cosim/metrics"
	"contend/experiments/spec/spectest"
)

// Every routing on trees gives a whole co-simulated study the same results
// under both engines, to the last bit, per job and channel too.
func TestEnginesAgreeOnStudiesOfTrees(t *testing.T) {
	for _, routing := range []string{"auto", "d-mod-k", "s-mod-k", "random", "adaptive"} {
		for _, pattern := range []string{"all-to-all", "n-body:1+multigrid:1"} {
			s := spectest.Tree()
			s.Machine.Nodes, s.Machine.UpPorts, s.Network.Routing = 60, []int{2, 3}, routing
			s.Workload.Jobs, s.Workload.Interarrival.Mean = 30, 100
			s.Workload.Side.Min, s.Workload.Side.Max = 1, 30
			s.Job.Pattern, s.Job.ComputeCycles, s.Job.Flits = pattern, 7, 13
			results := map[string]string{}
			for _, engine := range []string{"cycle", "worm"} {
				s.Network.Engine = engine
				var sim Simulator
				extra := &Extra{Records: metrics.Records{Jobs: true, Links: true}}
				r, err := spectest.Run(context.Background(), sim.Run, s, 0, extra)
				if err != nil {
					t.Fatal(err)
				}
				results[engine] = strings.Join([]string{fmt.Sprint(r.Metrics), fmt.Sprint(extra.JobRows),
					fmt.Sprint(extra.LinkRows), fmt.Sprint(extra.Lines)}, "\n")
			}
			if diff := cmp.Diff(results["cycle"], results["worm"]); diff != "" {
				t.Errorf("%s %s (-cycle +worm):\n%s", routing, pattern, diff)
			}
		}
	}
}

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
