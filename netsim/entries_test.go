package netsim

import (
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// In every engine a message is reported in the cycle after its last head was sent, each once, in
// the order of cycles; a network without reports has the same packets.
func TestEntries(t *testing.T) {
	for _, engine := range []string{"cycle", "worm", "auto"} {
		var want []router.Arrival
		for _, reports := range []bool{false, true} {
			c := Default(topologytest.Machine(t, "mesh:4x4"))
			c.Engine, c.PacketFlits, c.BufferFlits, c.VirtualChannels = engine, 4, 1, 1
			net := must.Have(New(c))
			if reports {
				net.ReportEntries()
			}
			sent, entered, arrived := map[int32]Cycle{}, map[int32]Cycle{}, []router.Arrival{}
			net.Watch(func(p *router.Arrival) {
				sent[p.User] = max(sent[p.User], p.Injected)
				arrived = append(arrived, *p)
			})
			for i := range int32(48) {
				net.Send(Message{From: topology.Node(i % 16), To: topology.Node(i * 7 % 16), Flits: 1 + i%9,
					User: i})
			}
			for net.Pending() > 0 {
				now, _, err := net.Advance(1 << 20)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range net.Entries() {
					if e.Cycle != now || e.Node != topology.Node(e.User%16) {
						t.Errorf("%s: in cycle %d: %+v", engine, now, e)
					}
					entered[e.User] = e.Cycle
				}
			}
			if !reports {
				want = arrived
				continue
			}
			if len(entered) != 48 || len(arrived) != len(want) {
				t.Errorf("%s: %d messages entered, %d packets arrived, want 48 and %d", engine,
					len(entered), len(arrived), len(want))
			}
			for i := range arrived {
				if arrived[i] != want[i] {
					t.Errorf("%s: packet %+v, without reports %+v", engine, arrived[i], want[i])
				}
			}
			for user, cycle := range sent {
				if entered[user] != cycle+1 {
					t.Errorf("%s: message %d entered in %d, its last head was sent in %d", engine, user,
						entered[user], cycle)
				}
			}
		}
	}
}
