package insee

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/patterns"
)

// Lines stand process by process. A receive has the length of the message that it waits for: of
// two messages of one channel the first one first.
func TestTraceByHand(t *testing.T) {
	script := patterns.Lists{
		{patterns.Compute(7), patterns.Send(1, 3, 2), patterns.Send(1, 5, 2),
			patterns.Receive(1, 0)},
		{patterns.Send(0, 1, 0), patterns.Receive(0, 2), patterns.Receive(0, 2)},
	}.Part
	var b strings.Builder
	must.Have(0, WriteTrace(&b, script, 2, 8))
	const want = `c 0 7
s 0 1 2 24
s 0 1 2 40
r 1 0 0 8
s 1 0 0 8
r 0 1 2 24
r 0 1 2 40
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

// A trace of a NAS benchmark, read back, ends after as many messages as the benchmark has, each of
// which is received once.
func TestTraceReadBack(t *testing.T) {
	const processes, iterations = 16, 2
	for _, name := range []string{"npb-ft", "npb-is", "npb-cg", "npb-mg", "npb-lu", "npb-bt"} {
		c := patterns.Config{Name: name, Class: "S", Iterations: iterations, ComputeCycles: 3}
		script := must.Have(patterns.NewScript(c, processes))
		var b strings.Builder
		must.Have(0, WriteTrace(&b, script, processes, 8))
		got := int64(0)
		p := patterns.NewProcesses(processes, read(t, b.String(), processes).Part)
		must.Have(patterns.Rehearse(p, func(patterns.Message) { got++ }))
		want := iterations * must.Have(patterns.NewCode(c, processes)).Messages()
		if sends := int64(strings.Count(b.String(), "s ")); got != want || sends != want ||
			int64(strings.Count(b.String(), "r ")) != want {
			t.Errorf("%s: %d messages, of %d lines, want %d", name, got, sends, want)
		}
	}
}

// read reads a trace.
func read(t *testing.T, text string, n int) patterns.Lists {
	list := make(patterns.Lists, n)
	unread := map[string][]string{} // lengths by channel, of receives
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		var kind string
		var from, to patterns.Rank
		var tag, bytes int32
		f := strings.Fields(s.Text())
		if f[0] == "c" {
			var cycles int64
			must.Have(fmt.Sscan(s.Text(), &kind, &from, &cycles))
			list[from] = append(list[from], patterns.Compute(cycles))
			continue
		}
		must.Have(fmt.Sscan(s.Text(), &kind, &from, &to, &tag, &bytes))
		if kind == "s" {
			list[from] = append(list[from], patterns.Send(to, bytes/8, tag))
		} else {
			list[to] = append(list[to], patterns.Receive(from, tag))
		}
		key := kind + strings.Join(f[1:4], " ")
		unread[key] = append(unread[key], f[4])
	}
	for key, sent := range unread {
		if key[0] == 's' && !slices.Equal(sent, unread["r"+key[1:]]) {
			t.Errorf("messages %s have lengths %v, receives %v", key[1:], sent, unread["r"+key[1:]])
		}
	}
	return list
}
