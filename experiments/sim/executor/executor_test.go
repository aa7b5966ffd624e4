package executor

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/router/topology/topologytest"
	"contend/scheduler"
)

// playScript runs a script on the network and returns its end and the totals of its messages.
func playScript(t testing.TB, lists patterns.Lists, c Software) (int64, netsim.Totals) {
	t.Helper()
	net := meshNetwork(t, 3, 3)
	x := New(net, nil, scheduler.Clock{})
	x.Software = c
	k := job{id: 1, program: patterns.NewProcesses(len(lists), lists.Part)}
	for i := range lists {
		k.nodes = append(k.nodes, topology.Node(i))
		x.rankOf[i] = patterns.Rank(i)
	}
	x.jobs = []job{k}
	x.setProgramTime(k.program)
	x.release(0, k.program.Start(nil))
	end, done, err := x.Advance(scheduler.MaxCycle, nil)
	if err != nil || len(done) != 1 {
		t.Fatal(done, err)
	}
	return int64(end), net.Totals()
}

// Time to send has the effect of computing before every message.
func TestSendingIsComputingBefore(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		const n = 9
		send := int64(rapid.IntRange(1, 60).Draw(r, "send"))
		plain, computing := make(patterns.Lists, n), make(patterns.Lists, n)
		for range rapid.IntRange(1, 6).Draw(r, "rounds") {
			var to [][]int // permutations, all of them at once
			for range rapid.IntRange(1, 3).Draw(r, "partners") {
				to = append(to, rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}).Draw(r, "to"))
			}
			for _, p := range to {
				for i, j := range p {
					if i == j {
						continue
					}
					message := patterns.Send(patterns.Rank(j), int32(rapid.IntRange(1, 20).Draw(r, "flits")), 0)
					plain[i] = append(plain[i], message)
					computing[i] = append(computing[i], patterns.Compute(send), message)
				}
			}
			for _, p := range to {
				for i, j := range p {
					if i != j {
						plain[j] = append(plain[j], patterns.Receive(patterns.Rank(i), 0))
						computing[j] = append(computing[j], patterns.Receive(patterns.Rank(i), 0))
					}
				}
			}
		}
		end, totals := playScript(t, plain, Software{Send: send})
		wantEnd, wantTotals := playScript(t, computing, Software{})
		if wantTotals.Messages == 0 {
			r.Skip("nothing to send")
		}
		if end != wantEnd || totals != wantTotals {
			r.Fatalf("ended at %d with %+v, want %d with %+v", end, totals, wantEnd, wantTotals)
		}
	})
}

// The messages of a job depend only on its own seed.
func TestJobsDrawByTheirSeeds(t *testing.T) {
	sent := func(seed uint64) string {
		net, text := meshNetwork(t, 4, 4), ""
		net.Watch(func(p *router.Arrival) { text += fmt.Sprintf("%d-%d ", p.From, p.To) })
		x := New(net, []patterns.Config{{Name: "random"}}, scheduler.Clock{})
		nodes := make([]topology.Node, 16)
		for i := range nodes {
			nodes[i] = topology.Node(i)
		}
		x.Start(&scheduler.Job{ID: 1, Size: 16, Shape: []int{4, 4}, Quota: 32, Seed: seed}, nodes)
		if _, _, err := x.Advance(scheduler.MaxCycle, nil); err != nil {
			t.Fatal(err)
		}
		return text
	}
	seen := map[string]uint64{}
	for seed := range uint64(8) {
		text := sent(seed)
		if text != sent(seed) {
			t.Errorf("seed %d: other messages the second time", seed)
		}
		if other, again := seen[text]; again {
			t.Errorf("seeds %d and %d have the same messages", seed, other)
		}
		seen[text] = seed
	}
}

// TestKill: a job that is killed in a drawn cycle and begins anew on its nodes, while packets of
// its first run are in the network, sends as many messages as one that is not killed, and another
// job beside it ends.
func TestKill(t *testing.T) {
	for cycle := scheduler.Cycle(1); cycle < 60; cycle += 3 {
		c := netsim.Default(topologytest.Machine(t, "mesh:4x4"))
		c.Drops = true
		x := New(must.Have(netsim.New(c)), []patterns.Config{{Name: "all-to-all"}}, scheduler.Clock{})
		x.Software = Software{Send: 5, Receive: 3}
		x.WorkOf = func(j *scheduler.Job) int64 { return j.Quota }
		received := map[int32]int{}
		ids := map[int32]scheduler.JobID{}
		x.Began = func(slot int32, id scheduler.JobID) { ids[slot], received[slot] = id, 0 }
		x.Delivered = func(slot int32) { received[slot]++ }
		one := &scheduler.Job{ID: 1, Size: 6, Quota: 60, Seed: 1}
		two := &scheduler.Job{ID: 2, Size: 6, Quota: 60, Seed: 2}
		x.Start(one, []topology.Node{0, 1, 2, 3, 4, 5})
		x.Start(two, []topology.Node{6, 7, 8, 9, 10, 11})
		if _, done, err := x.Advance(cycle, nil); err != nil || len(done) > 0 {
			t.Fatal(done, err)
		}
		x.Kill(1)
		x.Start(one, []topology.Node{0, 1, 2, 3, 4, 5})
		var ends []scheduler.JobID
		for len(ends) < 2 {
			_, done, err := x.Advance(1<<30, nil)
			must.Do(err)
			ends = append(ends, done...)
		}
		for slot, n := range received {
			if ids[slot] == 1 && n != 60 && slot != 0 {
				t.Errorf("killed at %d: the second run received %d messages", cycle, n)
			}
		}
		if x.Done != 120 {
			t.Errorf("killed at %d: %d messages are done", cycle, x.Done)
		}
	}
}

// drawnByCounter returns the packets of an all-to-all of nine processes on a 4 x 4 mesh in an
// engine, as they arrive, and their senders' counts.
func drawnByCounter(t *testing.T, engine, cut string) (string, []int) {
	t.Helper()
	c := netsim.Default(topologytest.Machine(t, "mesh:4x4"))
	c.Engine, c.PacketFlits, c.BufferFlits, c.VirtualChannels = engine, 8, 1, 1
	net, text, count := must.Have(netsim.New(c)), "", make([]int, 16)
	net.Watch(func(p *router.Arrival) {
		text += fmt.Sprintf("%d-%d at %d, injected %d, first %d; ", p.From, p.To, p.Delivered, p.Injected,
			p.Turn)
		count[p.From]++
	})
	x := New(net, []patterns.Config{{Name: "all-to-all", Cut: cut}}, scheduler.Clock{})
	nodes := []topology.Node{0, 1, 2, 4, 5, 6, 8, 9, 15} // the last one is far from the others
	x.Start(&scheduler.Job{ID: 1, Size: 9, Shape: []int{3, 3}, Quota: 45, Seed: 1}, nodes)
	if _, done, err := x.Advance(scheduler.MaxCycle, nil); err != nil || len(done) != 1 {
		t.Fatal(done, err)
	}
	return text, count
}

// The processes of a job draw a quota of 45 from one counter in the same way in all engines, and
// the far process draws less than its share.
func TestCounterInAllEngines(t *testing.T) {
	for _, cut := range []string{patterns.CutCounter, patterns.CutCounterBarriers} {
		want, count := drawnByCounter(t, "cycle", cut)
		total := 0
		for _, n := range count {
			total += n
		}
		if total != 45 || count[15] >= 5 {
			t.Errorf("%s: %d messages, %d of the far process", cut, total, count[15])
		}
		for _, engine := range []string{"worm", "auto"} {
			if got, _ := drawnByCounter(t, engine, cut); got != want {
				t.Errorf("%s: engine %s: other packets:\n%s\n%s", cut, engine, got, want)
			}
		}
	}
}

// phaseChecker checks the packets of jobs that run in phases, which have a number of messages of a
// number of packets each.
type phaseChecker struct {
	t        *testing.T
	messages int64
	packets  int64
	slots    [2]struct {
		seen        int64 // packets that arrived
		begin, last int64 // cycles of the messages of the phase, and of the last packet
		totals      netsim.Totals
	}
	newest    map[int64]int64 // by message, the highest number of its packets that arrived
	overtaken int             // packets that arrived behind a later one of their message
}

// packet checks that all packets of a phase are created in the cycle in which the last packet of
// the phase before arrived.
func (c *phaseChecker) packet(p *router.Arrival) {
	k := &c.slots[p.Job]
	if k.seen%(c.messages*c.packets) == 0 {
		k.begin = k.last
	}
	if k.seen++; p.Created != k.begin {
		c.t.Errorf("job %d: packet %d is created at %d, its phase begins at %d", p.Job, k.seen,
			p.Created, k.begin)
	}
	k.last = p.Delivered
	k.totals.AddDelivery(&netsim.Delivery{Message: netsim.Message{Flits: p.Length}, Packets: 1,
		Hops: int64(p.Hops), Latency: p.Delivered - p.Created, NetworkLatency: p.Delivered - p.Injected,
		EntryWait: p.Injected - p.Turn, Blocked: p.Blocked, Foreign: p.Foreign})
	message := p.Number / c.packets
	if newest, ok := c.newest[message]; ok && p.Number < newest {
		c.overtaken++
	}
	c.newest[message] = max(c.newest[message], p.Number)
}

// Two jobs of phases run side by side under adaptive routing, where packets of a message overtake
// each other. A phase begins in the cycle in which the last packet of the phase before it arrives,
// whichever it is. The job ends with its last packet, and its totals are the sums over all its
// packets.
func TestPhasesWhosePacketsOvertake(t *testing.T) {
	const size, phases, packets = 32, 20, 6
	for machine, routing := range map[string]string{"mesh:8x8": "minimal-adaptive",
		"dragonfly:a4h2p2": "ugal-l"} {
		config := netsim.Default(topologytest.Machine(t, machine))
		config.VirtualChannels, config.BufferFlits, config.Routing = 4, 8, routing
		net := must.Have(netsim.New(config))
		c := &phaseChecker{t: t, messages: size, packets: packets, newest: map[int64]int64{}}
		net.Watch(c.packet)
		x := New(net, []patterns.Config{{Name: "fft", Flits: packets*config.PacketFlits - 3}},
			scheduler.Clock{})
		x.Ended = func(id scheduler.JobID, got netsim.Totals, _ bool) {
			k := &c.slots[id]
			k.totals.Messages = size * phases
			if got != k.totals || k.seen != size*phases*packets || net.Now() != k.last {
				t.Errorf("%s: job %d ends at %d with %+v; its last packet of %d arrives at %d, sums are %+v",
					machine, id, net.Now(), got, k.seen, k.last, k.totals)
			}
		}
		nodes := rand.New(rand.NewPCG(6, 6)).Perm(config.Topology.Nodes())
		for job := range 2 {
			var place []topology.Node
			for _, n := range nodes[job*size : (job+1)*size] {
				place = append(place, topology.Node(n))
			}
			x.Start(&scheduler.Job{ID: scheduler.JobID(job), Size: size, Shape: []int{size},
				Quota: size * phases, Seed: 1}, place)
		}
		for ended := 0; ended < 2; {
			_, done, err := x.Advance(scheduler.MaxCycle, nil)
			if err != nil {
				t.Fatal(err)
			}
			ended += len(done)
		}
		if c.overtaken < 100 {
			t.Errorf("%s: %d packets were overtaken", machine, c.overtaken)
		}
	}
}
