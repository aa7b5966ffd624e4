package executor

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"contend/experiments/formats/goal"
	"contend/internal/must"
	"contend/internal/story"
	"contend/netsim"
	"contend/patterns"
	"contend/patterns/tasks"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// TestStories runs jobs on a mesh. The first line of a story has the sides of the mesh and the
// cycles that messages cost their processes. Lines with jobs follow: all start in cycle 0, each on
// its nodes with a pattern and options of configOf. Lines of a GOAL schedule after them are the
// graph of jobs of the pattern graph:
//
//	mesh=4x1 send=100 receive=30
//	job 1 on 0 1: graph rendezvous=8
//	rank 0 { a: calc 5; s: send 64b to 1; s requires a }
//	rank 1 { recv 64b from 0 }
//
// What happens has a line for each cycle in which packets arrive (nodes, and the cycle in which
// they were created) or jobs end, with their critical paths: hop by hop, the cycles of its parts.
func TestStories(t *testing.T) { story.Run(t, "testdata/*.txt", tell) }

// tell runs the jobs of a story.
func tell(t *testing.T, given []string) string {
	options := optionsOf(strings.Fields(given[0]))
	jobs := given[1:]
	for i, line := range jobs {
		if !strings.HasPrefix(line, "job ") {
			jobs = jobs[:i]
			break
		}
	}
	ranks := given[1+len(jobs):]
	graph := fmt.Sprintf("num_ranks %d\n", len(ranks)) + strings.NewReplacer("{ ", "{\n", "; ", "\n",
		" }", "\n}").Replace(strings.Join(ranks, "\n"))
	sides := sidesOf(options["mesh"])
	x := New(meshNetwork(t, sides[0], sides[1]), nil, scheduler.Clock{CyclesPerSecond: 1})
	x.Software = Software{Send: numberOf(options["send"]), Receive: numberOf(options["receive"])}
	n := &narrator{x: x, last: -1}
	chains := &Chains{Ended: func(id scheduler.JobID, path []Hop) {
		n.event("%d ends after %s", id, pathText(path))
	}}
	x.FindChains(chains)
	x.Net.Watch(func(p *router.Arrival) {
		n.event("%d>%d since %d", p.From, p.To, p.Created)
		chains.Packet(p)
	})
	for _, line := range jobs {
		startJob(x, line, graph)
	}
	for left := len(jobs); left > 0; {
		_, done, err := x.Advance(scheduler.MaxCycle, nil)
		if err != nil {
			return fmt.Sprintf("%s\nerror: %v", n.text.String()[1:], err)
		}
		left -= len(done)
	}
	return n.text.String()[1:]
}

// startJob starts the job of a line, which may run a GOAL schedule.
func startJob(x *Executor, line, graph string) {
	head, tail, _ := strings.Cut(line, ": ")
	var place []topology.Node
	words := strings.Fields(head) // job ID on nodes
	for _, node := range words[3:] {
		place = append(place, topology.Node(numberOf(node)))
	}
	words = append(strings.Fields(tail), words[1])
	options := optionsOf(words[1:])
	c := patterns.Config{Name: words[0], Flits: int(numberOf(options["flits"])),
		ComputeCycles: numberOf(options["compute"]), RendezvousFlits: numberOf(options["rendezvous"]),
		Order: options["order"]}
	if c.Name == "graph" {
		g := must.Have(goal.Parse("story", []byte(graph)))
		c.Work = func(int, []int, *rand.Rand) (patterns.Work, error) { return tasks.Work{Graph: g}, nil }
	}
	x.Start(&scheduler.Job{ID: scheduler.JobID(numberOf(words[len(words)-1])), Size: len(place),
		Shape: sidesOf(options["shape"]), Pattern: x.AddPattern(c), Quota: numberOf(options["quota"]),
		Lead: scheduler.Cycle(numberOf(options["lead"])), RunTime: float64(numberOf(options["time"])),
		Seed: uint64(numberOf(options["seed"]))}, place)
}

// narrator writes down what happens.
type narrator struct {
	x    *Executor
	text strings.Builder
	last int64 // cycle of the last line
}

// event writes an event of this cycle.
func (n *narrator) event(format string, args ...any) {
	if now := n.x.Net.Now(); n.last == now {
		n.text.WriteString(", ")
	} else {
		n.last = now
		fmt.Fprintf(&n.text, "\n%d: ", now)
	}
	fmt.Fprintf(&n.text, format, args...)
}

// pathText writes a critical path, its first hop first.
func pathText(path []Hop) (text string) {
	for i := range path {
		h, parts := &path[len(path)-1-i], ""
		add := func(name string, cycles int64) {
			if cycles != 0 {
				parts += fmt.Sprintf(" + %s %d", name, cycles)
			}
		}
		add("computing", h.Computing)
		add("serialization", h.Serialization)
		add("queue", h.Queue)
		add("entry", h.Entry)
		for _, w := range h.Ahead {
			add(fmt.Sprintf("ahead for %d", w.Job), w.Cycles)
		}
		add("network", h.Network)
		add("shared", h.Shared)
		for _, w := range h.Waits {
			add(fmt.Sprintf("wait for %d", w.Job), w.Cycles)
		}
		add("software", h.Software)
		if parts != "" {
			text += "; " + parts[3:]
		}
	}
	return strings.TrimPrefix(text, "; ")
}

// optionsOf parses words such as quota=4.
func optionsOf(words []string) map[string]string {
	options := map[string]string{}
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		options[key] = value
	}
	return options
}

// numberOf parses a number, which is 0 if it is left out.
func numberOf(text string) int64 { return must.Have(strconv.ParseInt("0"+text, 10, 64)) }

// sidesOf parses sides such as 4x2.
func sidesOf(text string) (sides []int) {
	for side := range strings.SplitSeq(text, "x") {
		if text != "" {
			sides = append(sides, int(numberOf(side)))
		}
	}
	return sides
}

// meshNetwork returns an idle network of the defaults, on which a message of F flits over H links
// takes 3H + 3 + F cycles.
func meshNetwork(t testing.TB, sides ...int) *netsim.Network {
	t.Helper()
	machine := must.Have(topology.NewCube(topology.CubeConfig{Dims: sides}))
	return must.Have(netsim.New(netsim.Default(machine)))
}
