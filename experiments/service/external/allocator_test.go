package external

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"contend/allocation"
	"contend/internal/must"
	"contend/router/topology"
)

// A program places jobs as its code in this process would.
func TestAllocator(t *testing.T) {
	site, _ := siteOf(t)
	a := must.Have(NewAllocator(childCommand(t, "", "first"), site))
	free := allocation.NewFreeSet(16)
	for i, want := range [][]topology.Node{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11},
		{12, 13, 14}, nil} {
		nodes, ok := a.Allocate(nil, free, allocation.Request{Size: 3})
		if ok != (want != nil) || !slices.Equal(nodes, want) {
			t.Fatalf("job %d: %v, %v: %v", i, nodes, ok, site.Run.Err())
		}
		free.Take(nodes)
	}
	if err := site.Run.Err(); err != nil {
		t.Error(err)
	}
	site.Run.End()
	if s := a.program.cmd.ProcessState; s == nil || !s.Success() {
		t.Errorf("the program ended with %v", s)
	}
}

// What is wrong with an answer ends the run at once, with the line, what was wrong and what would
// be right. The program is gone then.
func TestBrokenAnswers(t *testing.T) {
	says := func(answer string) string { return `says:{};{"nodes":[0,1]};` + answer }
	for _, c := range []struct{ way, want string }{
		{"exit", `child exit: Traceback: no such thing (it ends with exit status 3 instead of an ` +
			`answer; line 3 was {"free":[2,3,4,5,6,7,8,9,10,11,12,13,14,15],"size":2}): answer lines until ` +
			`standard input ends`},
		{"late at once", "does not answer within 400ms; line 1 was"},
		{"late", "child late: it does not answer within 300ms; line 3 was"},
		{"late", "write each answer at once, flush standard output, or allow more than deadline=0.3"},
		{"deaf", "closes its standard output instead of an answer"},
		{"long", "answers with more than"},
		{"twice", `the line before is answered already: write one line for each line read (it answers ` +
			`{"nodes":[2,3]}; line 2 was {"free":`},
		{says("nodes 3"), `: write an object in a line, and other text to standard error (it ` +
			`answers nodes 3; line 3 was {"free":`},
		{says(`{"nodes":"2"}`), `nodes is "2": give a list of nodes`},
		{says(`{"reserved":[2,3]}`), "it has neither nodes nor refused, or both: give the list"},
		{says(`{"nodes":[2,3],"refused":"no"}`), "it has neither nodes nor refused, or both"},
		{says(`{"nodes":[2,3],"reserve":[4]}`), `unknown key "reserve": did you mean "reserved"?`},
		{says(`{"nodes":[2]}`), "nodes has 1 node: give 2, and further ones in reserved"},
		{says(`{"nodes":[2,1]}`), "node 1 is not free: give free nodes, each once"},
		{says(`{"nodes":[2,16]}`), "node 16 is not free"},
		{says(`{"nodes":[2,-1]}`), "node -1 is not free"},
		{says(`{"nodes":[2,2]}`), "node 2 was granted twice"},
		{says(`{"nodes":[2,3],"reserved":[3]}`), "node 3 was granted twice"},
		{says(`{"error":"I give up"}`), `};{"error":"I give up"}': I give up (the program states ` +
			`this error; line 3 was {"free":[`},
		{`says:{"error":"only for trees"}`, `: only for trees (the program states this error; line 1 was ` +
			`{"machine":{"topology":"mesh","nodes":16,"routers":16,"dims":[4,4],"wrap":[false...)`},
	} {
		site, _ := siteOf(t)
		a := must.Have(NewAllocator(childCommand(t, "deadline=0.3 start=0.1", c.way), site))
		if !strings.HasPrefix(c.way, "late") && !strings.HasPrefix(c.way, "deaf") {
			a.program.command.Deadline = time.Minute // only those are too slow
		}
		free := allocation.NewFreeSet(16)
		for range 5 {
			if nodes, ok := a.Allocate(nil, free, allocation.Request{Size: 2}); ok {
				free.Take(nodes)
			}
		}
		if err := site.Run.Err(); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "child ") {
			t.Errorf("%s: %v\nwant %s", c.way, err, c.want)
		}
		if free.Count() < 12 {
			t.Errorf("%s: places jobs after its failure", c.way)
		}
		if a.program.cmd.ProcessState == nil {
			t.Errorf("%s: the program is still there", c.way)
		}
	}
}

// The time in which a program starts is not part of its deadline.
func TestSlowStart(t *testing.T) {
	for options, want := range map[string]bool{"deadline=0.5": true, "deadline=0.5 start=0.1": false} {
		site, _ := siteOf(t)
		a := must.Have(NewAllocator(childCommand(t, options, "slow to start"), site))
		_, ok := a.Allocate(nil, allocation.NewFreeSet(16), allocation.Request{Size: 2})
		if ok != want {
			t.Errorf("%s: %v, %v", options, ok, site.Run.Err())
		}
	}
}

// A run that is interrupted does not wait for an answer, and its program is killed.
func TestInterrupt(t *testing.T) {
	site, cancel := siteOf(t)
	a := must.Have(NewAllocator(childCommand(t, "deadline=600", "late"), site))
	a.Allocate(nil, allocation.NewFreeSet(16), allocation.Request{Size: 2})
	time.AfterFunc(50*time.Millisecond, cancel)
	begin := time.Now()
	a.Allocate(nil, allocation.NewFreeSet(16), allocation.Request{Size: 2})
	if err := site.Run.Err(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	site.Run.End()
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	if a.program.cmd.ProcessState == nil {
		t.Error("the program is still there")
	}
}

// BenchmarkDecision is a decision by a program that does next to nothing.
func BenchmarkDecision(b *testing.B) {
	site, _ := siteOf(b)
	a := must.Have(NewAllocator(childCommand(b, "", `says:{};{"nodes":[0,1]}`), site))
	free, dst := allocation.NewFreeSet(16), make([]topology.Node, 0, 16)
	for b.Loop() {
		if _, ok := a.Allocate(dst, free, allocation.Request{Size: 2}); !ok {
			b.Fatal(site.Run.Err())
		}
	}
}
