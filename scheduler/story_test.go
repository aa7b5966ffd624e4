package scheduler

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contend/allocation"
	"contend/internal/must"
	"contend/internal/story"
	"contend/router/topology"
)

// TestStories runs the files of testdata. The first line of a story has a policy and, where they
// matter, other options of tell; each further line has a job, with an estimate if it is not exact:
//
//	job 3 at 2: 1 node for 20, estimate 8
//	job 4 at 2: 2x4 nodes for 5
//
// or nodes that fail, for a time or for ever, which may be unknown to the policy:
//
//	fail 3-5 at 2 for 10
//	fail 3-5 at 2 for 10 unknown
//	fail 7 at 3
//
// What happens has a line for each cycle at which the policy runs.
func TestStories(t *testing.T) { story.Run(t, "testdata/*.txt", tell) }

// tell simulates the jobs of a story.
func tell(t *testing.T, given []string) string {
	options := map[string]string{"nodes": "4", "clock": "1", "poll": "0", "speedup": "0",
		"restarts": "9"}
	for word := range strings.FieldsSeq(given[0]) {
		key, value, _ := strings.Cut(word, "=")
		options[key] = value
	}
	number := func(option string) float64 { return must.Have(strconv.ParseFloat(options[option], 64)) }
	sim := machineOf(t, options["nodes"], options["allocator"])
	lines, failures := splitFailures(t, given[1:])
	sim.Source, sim.Clock = &List{Jobs: jobsOfLines(t, lines)}, Clock{number("clock")}
	sim.Executor = &Fixed{Clock: sim.Clock, Speedup: number("speedup")}
	sim.Log, sim.KillOverruns = options["log"], options["overruns"] == "kill"
	if broken := options["broken"]; broken != "" {
		sim.Free.Take([]topology.Node{topology.Node(must.Have(strconv.Atoi(broken)))})
	}
	n := &narrator{Policy: policyOf(t, options["policy"], number("poll")), last: -1}
	sim.Policy, sim.Failures, sim.MaxRestarts = n, n.tellOf(failures), int(number("restarts"))
	sim.Stopped = func(r *Record) {
		if n.now = r.End; r.Lost {
			n.event("run %d of %d is the last", r.Restarts+1, r.Job.ID)
		}
	}
	sim.Decided = func(j *Job, free *allocation.FreeSet, chosen []topology.Node) {
		for _, node := range chosen {
			if !free.Free(node) {
				t.Errorf("job %d gets node %d, which is not free", j.ID, node)
			}
		}
		n.event("%d starts on %s", j.ID, ranges(chosen))
	}
	totals, err := sim.Run()
	if err != nil {
		fmt.Fprintf(&n.text, "\nerror: %v", err)
	}
	if len(failures) > 0 {
		fmt.Fprintf(&n.text, "\ntotals: %v used, %v lost, %v down, %d requeued", totals.Used.Float64(),
			totals.Lost.Float64(), totals.Down.Float64(), totals.Requeued)
		if totals.LostJobs > 0 {
			fmt.Fprintf(&n.text, ", %d of %d jobs lost", totals.LostJobs, totals.LostJobs+totals.Jobs)
		}
	}
	return strings.TrimPrefix(n.text.String(), "\n")
}

// narrator writes down what happens under a policy.
type narrator struct {
	Policy
	text strings.Builder
	now  Cycle
	last Cycle // of the last line
}

// event writes an event of this cycle.
func (n *narrator) event(format string, args ...any) {
	if separator := ", "; n.last == n.now {
		n.text.WriteString(separator)
	} else {
		fmt.Fprintf(&n.text, "\n%d: ", n.now)
	}
	n.last = n.now
	fmt.Fprintf(&n.text, format, args...)
}

// Submitted implements Watcher.
func (n *narrator) Submitted(s *State, e *Entry) {
	n.now = s.Now()
	n.event("%d arrives", e.Job.ID)
}

// Left implements Watcher.
func (n *narrator) Left(s *State, e *Entry, killed bool) {
	n.now = s.Now()
	n.event("%d %s", e.Job.ID, map[bool]string{false: "ends", true: "is killed"}[killed])
	if len(e.Nodes) < e.Job.Size {
		n.event("%d has no nodes", e.Job.ID)
	}
}

// Schedule runs the policy.
func (n *narrator) Schedule(s *State) {
	if n.now = s.Now(); n.last != n.now {
		n.event("the policy runs")
	}
	n.Policy.Schedule(s)
}

// Wake implements Waker.
func (n *narrator) Wake(s *State) Cycle {
	if w, ok := n.Policy.(Waker); ok {
		return w.Wake(s)
	}
	return MaxCycle
}

// changes are given Failures.
type changes []Change

// Next implements Failures.
func (c *changes) Next() (Change, bool) {
	if len(*c) == 0 {
		return Change{}, false
	}
	next := (*c)[0]
	*c = (*c)[1:]
	return next, true
}

// inOrder sorts changes as Failures have them.
func inOrder(list changes) *changes {
	slices.SortStableFunc(list, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(len(b.Up), len(a.Up)))
	})
	return &list
}

// splitFailures takes the failures out of the lines of a story.
func splitFailures(t *testing.T, lines []string) (others []string, list changes) {
	for _, line := range lines {
		if !strings.HasPrefix(line, "fail ") {
			others = append(others, line)
			continue
		}
		var nodes string
		c, length := Change{}, Cycle(0)
		fmt.Sscanf(line, "fail %s at %d for %d", &nodes, &c.At, &length)
		first, last, isRange := strings.Cut(nodes, "-")
		if !isRange {
			last = first
		}
		for n := must.Have(strconv.Atoi(first)); n <= must.Have(strconv.Atoi(last)); n++ {
			c.Down = append(c.Down, topology.Node(n))
		}
		if c.Until = c.At + length; length > 0 {
			list = append(list, Change{At: c.Until, Up: c.Down})
		}
		if c.Lost = length == 0; c.Lost || strings.HasSuffix(line, "unknown") {
			c.Until = MaxCycle
		}
		list = append(list, c)
	}
	return others, list
}

// tellOf returns failures that the narrator tells of.
func (n *narrator) tellOf(list changes) Failures {
	for i, c := range list {
		list[i].Do = func() error {
			n.now = c.At
			n.event("%s", strings.TrimPrefix(strings.TrimSuffix("down: "+ranges(c.Down)+", up: "+
				ranges(c.Up), ", up: "), "down: , "))
			return nil
		}
	}
	return inOrder(list)
}

// policyOf returns a policy of a story.
func policyOf(t *testing.T, name string, poll float64) Policy {
	switch name {
	case "fcfs":
		return FCFS{}
	case "sjf":
		return &SJF{}
	case "cplant":
		return &Cplant{PollSeconds: poll}
	case "conservative":
		return &Conservative{}
	}
	kind, options, _ := strings.Cut(name, ",")
	if kind != "easy" {
		t.Fatalf("policy %q", name)
	}
	has := func(word string) bool { return strings.Contains(","+options+",", ","+word+",") }
	return &EASY{KillAtReservation: has("kill"), CountReservations: has("count"),
		NoExtraNodes: has("ending")}
}

// machineOf returns a simulation on a number of nodes, on a mesh such as 4x4, or on a tree such as
// tree:2x3 of arity 2 and 3 levels.
func machineOf(t *testing.T, nodes, allocator string) *Sim {
	if tree, is := strings.CutPrefix(nodes, "tree:"); is {
		sides := sidesOf(t, tree)
		return treeSim(sides[0], sides[1], allocator)
	}
	sides := sidesOf(t, nodes)
	if len(sides) > 1 {
		return meshSim(sides, allocator)
	}
	page, _ := strconv.Atoi(strings.TrimPrefix(allocator, "pages:"))
	sim := fixedSim(nil, sides[0])
	sim.Allocator = firstFree{nodes: sides[0], page: page}
	return sim
}

// sidesOf parses 4 or 4x2.
func sidesOf(t *testing.T, text string) (sides []int) {
	for side := range strings.SplitSeq(text, "x") {
		n, err := strconv.Atoi(side)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		sides = append(sides, n)
	}
	return sides
}

// jobsOfLines parses the jobs of a story.
func jobsOfLines(t *testing.T, lines []string) (jobs []Job) {
	for i, line := range lines {
		j := Job{Line: i + 1, Estimate: -1}
		plain := strings.NewReplacer(":", "", ",", "", "nodes", "node").Replace(line) + " estimate -1"
		var size string
		if _, err := fmt.Sscanf(plain, "job %d at %g %s node for %g estimate %g", &j.ID, &j.Submit, &size,
			&j.RunTime, &j.Estimate); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if j.Estimate < 0 {
			j.Estimate = j.RunTime
		}
		sides := sidesOf(t, size)
		if j.Size = 1; len(sides) > 1 {
			j.Shape = sides
		}
		for _, side := range sides {
			j.Size *= side
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// ranges writes nodes in their order, such as 0-2 7.
func ranges(nodes []topology.Node) string {
	var words []string
	for i := 0; i < len(nodes); {
		end := i + 1
		for end < len(nodes) && nodes[end] == nodes[end-1]+1 {
			end++
		}
		word := fmt.Sprint(nodes[i])
		if end > i+1 {
			word += fmt.Sprintf("-%d", nodes[end-1])
		}
		words, i = append(words, word), end
	}
	return strings.Join(words, " ")
}
