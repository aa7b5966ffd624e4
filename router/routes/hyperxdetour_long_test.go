//go:build long

package routes

import (
	"testing"

	"contend/router"
	"contend/router/topology"
)

// Of detours that are as good each comes first as often.
func TestLongDALDrawsDetours(t *testing.T) {
	const packets = 30_000
	m, w, x := newDAL(t, "7:p1", 2)
	v := queues{w, func(l router.Link) int32 {
		if _, to := w.Ends(l); to.Router == 4 {
			return 8
		}
		return 0
	}}
	count := map[topology.Router]int{}
	for p := range int64(packets) {
		h := router.Header{Source: 1, Destination: 4, Packet: p}
		count[w.Enters(x.Route(nil, 1, w.Injection(1), &h, v)[0])]++
	}
	even := packets / float64(m.Routers()-2)
	for r := range topology.Router(m.Routers()) {
		if n := float64(count[r]); r != 1 && r != 4 && (n < 0.95*even || n > 1.05*even) {
			t.Errorf("router %d is drawn %v times of %v", r, n, even)
		}
	}
}
