package executor

import (
	"math/rand/v2"
	"slices"
	"testing"

	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// overtakingPackets is the number of packets of each message of these tests.
const overtakingPackets = 6

// seenMessage is what the packets of a message say of it.
type seenMessage struct {
	job           int32
	created, last int64 // cycles; the last arrival
	packets       []netsim.Delivery
}

// seenMessages are the messages of a network, by their order. All have as many packets, and
// packets are numbered in the order of their messages.
type seenMessages struct {
	list      map[int64]*seenMessage
	overtaken int // packets that arrive behind a later one of their message
	newest    map[int64]int64
}

func (s *seenMessages) packet(p *router.Arrival) {
	k := p.Number / overtakingPackets
	m := s.list[k]
	if m == nil {
		m = &seenMessage{job: p.Job, created: p.Created}
		s.list[k], s.newest[k] = m, -1
	}
	if p.Number < s.newest[k] {
		s.overtaken++
	}
	s.newest[k] = max(s.newest[k], p.Number)
	m.last = max(m.last, p.Delivered)
	m.packets = append(m.packets, netsim.Delivery{Message: netsim.Message{Flits: p.Length},
		Packets: 1, Hops: int64(p.Hops), Latency: p.Delivered - p.Created,
		NetworkLatency: p.Delivered - p.Injected, EntryWait: p.Injected - p.Turn,
		Blocked: p.Blocked, Foreign: p.Foreign})
}

// ofJob returns the messages of a job in the order in which they were sent.
func (s *seenMessages) ofJob(slot int32) (list []*seenMessage) {
	var numbers []int64
	for n, m := range s.list {
		if m.job == slot {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		list = append(list, s.list[n])
	}
	return list
}

// overtakingNetworks are networks under whose routing packets of a message may overtake each
// other.
func overtakingNetworks(t *testing.T) map[string]netsim.Config {
	t.Helper()
	grid, err := topology.NewCube(topology.CubeConfig{Dims: []int{8, 8}})
	if err != nil {
		t.Fatal(err)
	}
	fly, err := topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: 4, GlobalLinks: 2,
		Concentration: 2})
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]netsim.Config{"mesh": netsim.Default(grid), "dragonfly": netsim.Default(fly)}
	for name, c := range list {
		c.VirtualChannels, c.BufferFlits = 4, 8
		if c.Routing = "minimal-adaptive"; name == "dragonfly" {
			c.Routing = "ugal-l"
		}
		list[name] = c
	}
	return list
}

// Two jobs of phases run side by side under adaptive routing, where packets of a message overtake
// each other. A phase begins in the cycle in which the last packet of the phase before it
// arrives, whichever it is: not before, and not later. The job ends with its last packet, and its
// totals are the sums over all its packets.
func TestPhasesWhosePacketsOvertake(t *testing.T) {
	const size, phases = 32, 20
	for name, c := range overtakingNetworks(t) {
		net, err := netsim.New(c)
		if err != nil {
			t.Fatal(err)
		}
		seen := &seenMessages{list: map[int64]*seenMessage{}, newest: map[int64]int64{}}
		net.Watch(seen.packet)
		flits := int32(overtakingPackets*c.PacketFlits - 3)
		x := New(net, []patterns.Config{{Name: "fft", Flits: int(flits)}}, scheduler.Clock{})
		totals := map[scheduler.JobID]netsim.Totals{}
		x.Ended = func(id scheduler.JobID, k netsim.Totals, _ bool) { totals[id] = k }
		nodes := rand.New(rand.NewPCG(6, 6)).Perm(c.Topology.Nodes())
		for job := range 2 {
			var place []topology.Node
			for _, n := range nodes[job*size : (job+1)*size] {
				place = append(place, topology.Node(n))
			}
			x.Start(&scheduler.Job{ID: scheduler.JobID(job), Size: size, Shape: []int{size},
				Quota: size * phases, Seed: 1}, place)
		}
		ends := map[scheduler.JobID]int64{}
		for len(ends) < 2 {
			now, done, err := x.Advance(scheduler.MaxCycle, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range done {
				ends[id] = int64(now)
			}
		}
		if seen.overtaken < 100 {
			t.Errorf("%s: %d packets were overtaken", name, seen.overtaken)
		}
		for job := range 2 {
			checkPhases(t, name, seen.ofJob(int32(job)), size, phases, ends[scheduler.JobID(job)],
				totals[scheduler.JobID(job)])
		}
	}
}

// checkPhases compares the phases of a job, its end and its totals with its messages.
func checkPhases(t *testing.T, name string, list []*seenMessage, size, phases int, end int64,
	totals netsim.Totals) {
	t.Helper()
	if len(list) != size*phases {
		t.Fatalf("%s: %d messages, want %d", name, len(list), size*phases)
	}
	var want netsim.Totals
	begin, last := int64(0), int64(0)
	for i, m := range list {
		if i%size == 0 {
			begin = last // the last arrival of the phase before
		}
		if m.created != begin || len(m.packets) != overtakingPackets {
			t.Fatalf("%s: message %d of %d packets is sent at %d, its phase begins at %d", name, i,
				len(m.packets), m.created, begin)
		}
		last = max(last, m.last)
		for k := range m.packets {
			want.AddDelivery(&m.packets[k])
		}
	}
	want.Messages = int64(len(list))
	if end != last || totals != want {
		t.Errorf("%s: the job ends at %d with %+v, its last packet arrives at %d, and the sums are %+v",
			name, end, totals, last, want)
	}
}
