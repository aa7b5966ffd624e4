package tasks

import (
	"fmt"
	"math"
	"slices"

	"contend/patterns"
)

// MaxTime is the longest time of a Calc, in nanoseconds.
const MaxTime = 1 << 53

// Error is an error in a task of a graph.
type Error struct {
	Rank patterns.Rank
	// Task is the index of the task in the rank.
	Task int32
	text string
}

func (e *Error) Error() string { return e.text }

// label returns the name of a task within its rank.
func (t *Task) label(i int32) string {
	switch {
	case t.Name != "":
		return t.Name
	case t.Line > 0:
		return fmt.Sprintf("line %d", t.Line)
	}
	return fmt.Sprintf("task %d", i)
}

// badTask returns the error of a task.
func badTask(ranks [][]Task, r patterns.Rank, i int32, problem string, args ...any) error {
	name := fmt.Sprintf("rank %d, %s: ", r, ranks[r][i].label(i))
	return &Error{r, i, name + fmt.Sprintf(problem, args...)}
}

// source describes the messages that match a Receive.
func (t *Task) source() string {
	from, tag := fmt.Sprintf("from rank %d", t.Peer), fmt.Sprintf("with tag %d", t.Tag)
	if t.Peer == AnyRank {
		from = "from any rank"
	}
	if t.Tag == AnyTag {
		tag = "with any tag"
	}
	return from + " " + tag
}

// Check returns an error if the graph has no ranks or too many, if a task has values that make no
// sense, if tasks of a rank wait for each other in a cycle, or if a message is never received or
// never sent. The error is an *Error if a task is at fault.
//
// Where no receive has a wildcard it also runs the graph without a network, where each message
// arrives at once. What a rank does then does not depend on when messages arrive (Kahn, IFIP 1974),
// so a graph that ends once ends on every network. With wildcards Next of the program reports it.
func (g *Graph) Check() error {
	if n := len(g.Ranks); n < 1 || n > patterns.MaxProcesses {
		return fmt.Errorf("%d ranks: a job has 1 to %d", n, patterns.MaxProcesses)
	}
	total := 0
	for _, list := range g.Ranks {
		total += len(list)
	}
	if total > math.MaxInt32-1 {
		return fmt.Errorf("%d tasks: a graph has at most %d", total, math.MaxInt32-1)
	}
	wild := false
	for r, list := range g.Ranks {
		for i := range list {
			t := &list[i]
			if wrong := t.problem(int32(len(list)), int32(i), len(g.Ranks)); wrong != "" {
				return badTask(g.Ranks, patterns.Rank(r), int32(i), "%s", wrong)
			}
			wild = wild || t.Kind == Receive && t.wildcard()
		}
	}
	if err := g.checkAcyclic(); err != nil {
		return err
	}
	if wild {
		return nil
	}
	return patterns.Rehearse(Work{Graph: g}.Program(patterns.Config{}, 1), func(patterns.Message) {})
}

// problem returns what is wrong with task i of a rank, or "".
func (t *Task) problem(tasks, i int32, ranks int) string {
	for _, list := range [][]int32{t.After, t.With} {
		for _, before := range list {
			if before < 0 || before >= tasks {
				return fmt.Sprintf("it waits for task %d, and the rank has tasks 0 to %d", before, tasks-1)
			}
			if before == i {
				return "it waits for itself"
			}
		}
	}
	if t.CPU < 0 {
		return fmt.Sprintf("cpu %d: streams have numbers from 0", t.CPU)
	}
	anyRank := t.Kind == Receive && t.Peer == AnyRank
	switch {
	case t.Kind > Receive:
		return "it is no Calc, Send or Receive"
	case t.Kind == Calc && (t.Time < 0 || t.Time > MaxTime):
		return fmt.Sprintf("it computes for %d ns: the time is 0 to %d", t.Time, int64(MaxTime))
	case t.Kind == Calc:
	case !anyRank && (t.Peer < 0 || int(t.Peer) >= ranks):
		return fmt.Sprintf("there is no rank %d: ranks are 0 to %d", t.Peer, ranks-1)
	case t.Tag < 0 && !(t.Kind == Receive && t.Tag == AnyTag):
		return fmt.Sprintf("tag %d: tags are at least 0", t.Tag)
	case t.Bytes < 0:
		return fmt.Sprintf("%d bytes: a message has at least 0", t.Bytes)
	}
	return ""
}

// checkAcyclic refuses tasks that wait for each other. A task of With counts as one of After,
// because its beginning waits for the same tasks as its end.
func (g *Graph) checkAcyclic() error {
	for r, list := range g.Ranks {
		_, cycle, ok := Order(len(list), func(i int32) []int32 {
			if len(list[i].With) == 0 {
				return list[i].After
			}
			return append(slices.Clone(list[i].After), list[i].With...)
		})
		if !ok {
			return badTask(g.Ranks, patterns.Rank(r), cycle[0], "it waits for %s, and so for itself",
				list[cycle[1]].label(cycle[1]))
		}
	}
	return nil
}
