package fastforward

import (
	"math/rand/v2"
	"slices"

	"contend/netsim"
	"contend/netsim/topology"
	"contend/patterns"
)

// railTurns keeps which network interface the next message of each node takes, where messages
// take them in turn. The processes of a job that send equally often keep for all of its time how
// their turns fell when it began, and the rate of the job depends on that. So a course begins with
// the turns that the messages before it have left.
type railTurns struct {
	count int64   // interfaces of a node; 0: messages do not take them in turn
	next  []int64 // by node, up to the job that runs on it
	sent  map[pairsKey][]int64
}

func newRailTurns(c netsim.Config) railTurns {
	count := topology.Rails(c.Topology)
	if count == 1 || c.Rail != netsim.RailInTurn {
		return railTurns{}
	}
	return railTurns{count: int64(count), next: make([]int64, c.Topology.Nodes()),
		sent: map[pairsKey][]int64{}}
}

// begin gives a job the turns of its nodes, and how far an iteration moves them on. Draws move them
// on by chance, so after a course each turn is as likely as another.
func (t *railTurns) begin(k *epochJob, key pairsKey) (err error) {
	if t.count == 0 {
		return nil
	}
	sent, ok := t.sent[key]
	if !ok {
		if sent, err = patterns.SentBy(k.config, k.job.Size, k.job.Shape); err != nil {
			return err
		}
		if sent == nil {
			sent = slices.Repeat([]int64{byChance}, k.job.Size)
		}
		t.sent[key] = sent
	}
	k.rails = k.rails[:0]
	for i, n := range k.nodes {
		k.rails = append(k.rails, railTurn{n, t.next[n], sent[i], t.count})
	}
	return nil
}

// end has nodes keep the turns that a job has left.
func (t *railTurns) end(k *epochJob) {
	for i := range k.rails {
		t.next[k.rails[i].node] = k.rails[i].after(k.total, k.perIteration)
	}
}

// byChance stands for the messages of an iteration where these are drawn.
const byChance = -1

// railTurn is the turn of a process.
type railTurn struct {
	node               topology.Node
	first, sent, count int64 // turn when the job began, messages of an iteration, interfaces
}

// after returns the turn when so many messages of the job have been sent.
func (r *railTurn) after(messages, perIteration int64) int64 {
	if r.sent == byChance {
		return rand.New(rand.NewPCG(uint64(r.node), uint64(messages))).Int64N(r.count)
	}
	whole, rest := messages/perIteration, messages%perIteration
	return (r.first + whole%r.count*r.sent + rest*r.sent/perIteration) % r.count
}
