package openloop

import (
	"testing"

	"contend/experiments/config/configtest"
	"contend/experiments/sim"
)

// A run of traffic measures what contend net does, of the same messages.
func TestTrafficIsThatOfNet(t *testing.T) {
	s := configtest.Traffic()
	r := configtest.MustRun(t, new(sim.Simulator).Run, s, 0)
	p := runNet(t, NetConfig{Spec: s, Traffic: []string{"uniform"}, Loads: []float64{0.1},
		Workers: 1})[0]
	for name, want := range map[string]float64{"latency": p.Latency,
		"network_latency": p.NetworkLatency,
		"accepted_load":   p.Accepted, "created_load": p.Created, "idle_latency": p.ZeroLoad,
		"saturated": 0} {
		if got, ok := r.Value(name); !ok || got != want {
			t.Errorf("%s is %v, contend net has %v", name, got, want)
		}
	}
	s.Workload.TrafficLoad = 0.9
	if got, _ := configtest.MustRun(t, new(sim.Simulator).Run, s, 0).Value("saturated"); got != 100 {
		t.Errorf("at 0.9 flits per node and cycle saturated is %v, want 100", got)
	}
}
