package external

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/patterns"
	"contend/patterns/tasks"
)

// patternThat returns the pattern of a program that answers in a way, until the test ends.
func patternThat(t testing.TB, options, way string) *Pattern {
	t.Helper()
	p := NewPattern(childCommand(t, options, way))
	t.Cleanup(p.End)
	return p
}

// two is the question for a job of two processes.
var two = Question{Processes: 2, Shape: []int{2, 1}, FlitBytes: 4, PacketFlits: 16}

// Answers are phases, whose messages stand sender by sender, or tasks.
func TestPattern(t *testing.T) {
	p := patternThat(t, "", `says:{"phases":[[{"from":1,"to":0,"bytes":7},`+
		`{"from":0,"to":1,"bytes":0},{"from":1,"to":0,"bytes":5}],[]]};`+
		`{"tasks":[[{"calc":9,"cpu":3},{"send":8,"to":1,"tag":2,"after":[0]}],`+
		`[{"receive":0,"from":0,"tag":2},{"calc":0,"with":[0],"tag":null}]]}`)
	got := must.Have(p.Ask(two))
	want := patterns.Phases{{{From: 0, To: 1}, {From: 1, To: 0, Bytes: 7}, {From: 1, To: 0, Bytes: 5}},
		{}}
	if fmt.Sprint(got.Phases) != fmt.Sprint(want) || got.Tasks != nil {
		t.Errorf("the first answer is %+v", got)
	}
	got = must.Have(p.Ask(two))
	ranks := [][]tasks.Task{
		{{Kind: tasks.Calc, Time: 9, CPU: 3},
			{Kind: tasks.Send, Bytes: 8, Peer: 1, Tag: 2, After: []int32{0}}},
		{{Kind: tasks.Receive, Peer: 0, Tag: 2}, {Kind: tasks.Calc, With: []int32{0}}}}
	if got.Tasks == nil || fmt.Sprint(got.Tasks.Ranks) != fmt.Sprint(ranks) {
		t.Errorf("the second answer is %+v", got)
	}
}

// What is wrong with an answer is an error with the question, the place in the answer and what
// would be right. The next question starts the program again.
func TestBrokenTraffic(t *testing.T) {
	message := func(fields string) string { return `says:{"phases":[[],[{` + fields + `}]]}` }
	graph := func(task string) string {
		return `says:{"tasks":[[` + task + `,{"calc":1}],[]]}`
	}
	for _, c := range []struct{ way, want string }{
		{"says:x", `(it answers x; line 1 was {"processes":2,"shape":[2,1],"flit_bytes":4,` +
			`"packet_flits":16})`},
		{"says:{}", "it has none of phases, tasks and refused, or several"},
		{`says:{"phases":[],"tasks":[]}`, "it has none of phases, tasks and refused, or several"},
		{`says:{"phase":[]}`, `unknown key "phase": did you mean "phases"?`},
		{`says:{"phases":[1]}`, "phases is [1]: give a list of lists of messages"},
		{`says:{"phases":[null]}`, "phases[0] is null: give a list of messages"},
		{`says:{"phases":[[null]]}`, "phases[0][0]: not one JSON object: it is null"},
		{message(`"from":0,"to":1`), "phases[1][0]: bytes is missing: give a whole number from 0 to"},
		{message(`"to":1,"bytes":1`), "phases[1][0]: from is missing: give a whole number from 0 to 1"},
		{message(`"from":2,"to":1,"bytes":1`), "from is 2: give a whole number from 0 to 1"},
		{message(`"from":-1,"to":1,"bytes":1`), "from is -1: give a whole number from 0 to 1"},
		{message(`"from":0,"to":2,"bytes":1`), "to is 2: give a whole number from 0 to 1"},
		{message(`"from":0,"to":0,"bytes":1`), "from and to are both 0: leave out"},
		{message(`"from":0,"to":1,"bytes":-1`), "bytes is -1: give a whole number from 0 to 8589934584"},
		{message(`"from":0,"to":1,"bytes":8589934585`), "bytes is 8589934585: give"},
		{message(`"from":0,"to":1,"bytes":1.5`), "bytes is 1.5: give a whole number"},
		{message(`"from":0,"to":1,"bytes":1,"flits":1`),
			`unknown key "flits": there are from, to, bytes`},
		{message(`"from":0,"to":1,"bytes":1,"bytes":1`), `the key "bytes" stands twice in one object`},
		{`says:{"tasks":[[]]}`, "tasks has 1 list: give one for each of the 2 ranks"},
		{`says:{"tasks":[[],[5]]}`, "tasks[1][0]: not one JSON object"},
		{graph(`{"after":[1]}`), "tasks[0][0]: it has none of calc, send and receive, or several"},
		{graph(`{"calc":1,"send":1}`), "tasks[0][0]: it has none of calc, send and receive, or several"},
		{graph(`{"calc":1,"to":1}`), `tasks[0][0]: unknown key "to": there are calc, cpu, after, with`},
		{graph(`{"send":1}`), "tasks[0][0]: to is missing"},
		{graph(`{"send":1,"to":2}`), "to is 2: give a whole number from 0 to 1"},
		{graph(`{"receive":1,"from":-1}`), "from is -1: give a whole number from 0 to 1"},
		{graph(`{"send":-1,"to":1}`), "send is -1: give a whole number from 0"},
		{graph(`{"calc":-1}`), "calc is -1: give a whole number from 0 to 9007199254740992"},
		{graph(`{"send":1,"to":1,"tag":-1}`), "tag is -1: give a whole number from 0"},
		{graph(`{"calc":1,"cpu":65536}`), "cpu is 65536: give a whole number from 0 to 65535"},
		{graph(`{"calc":1,"after":[2]}`), "after has the place 2: give a list of places from 0 to 1"},
		{graph(`{"calc":1,"with":[-1]}`), "with has the place -1: give a list of places from 0 to 1"},
		{graph(`{"calc":1,"after":1}`), "after is 1: give a list of places from 0 to 1"},
		{graph(`{"calc":1,"after":[0]}`), "rank 0, task 0: it waits for itself: give each send one"},
		{`says:{"tasks":[[{"calc":1,"after":[1]},{"calc":1,"with":[0]}],[]]}`,
			"it waits for task 1, and so for itself"},
		{graph(`{"send":1,"to":1}`), "rank 0, task 0: rank 1 never receives its message with tag 0"},
		{graph(`{"receive":1,"from":1}`),
			"rank 0, task 0: it waits for a message from rank 1 with tag 0, and nothing is under way"},
		{`says:{"tasks":[[{"send":9,"to":1}],[{"receive":8,"from":0}]]}`,
			"rank 1, task 0: it has room for 8 bytes and is met by a message of 9 bytes from rank 0"},
		{`says:{"refused":""}`, "refused is empty: say which numbers of processes there are"},
		{`says:{"error":"no paper"}`, "no paper (the program states this error; line 1 was {"},
		{"long", "it answers with more than 1000 bytes; line 1 was {"},
		{"exit at once", "Traceback: no such thing (it ends with exit status 3 instead of an answer; line 1"},
		{"late at once", "does not answer within 400ms"},
	} {
		p := patternThat(t, "deadline=0.3 start=0.1", c.way)
		p.maxBytes = 1000
		_, err := p.Ask(two)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.way, err, c.want)
		}
		if p.life != nil {
			t.Errorf("%s: the program is still there", c.way)
		}
	}
}

// A refusal is no error of the program, and an error starts it again.
func TestPatternGoesOn(t *testing.T) {
	p := patternThat(t, "", `says:{"refused":"odd"};{"phases":[]};x;{"phases":[]}`)
	for i, want := range []string{" refuses processes = 2: odd", "", "(it answers x; line 3 was ",
		" refuses processes = 2: odd", ""} {
		_, err := p.Ask(two)
		var size *patterns.SizeError
		if err != nil && !strings.Contains(err.Error(), want) ||
			(err == nil) != (want == "") || errors.As(err, &size) != (i%3 == 0) {
			t.Errorf("question %d: %v, want %s", i, err, want)
		}
	}
}

// Commands keep their words where they stand among other patterns.
func TestCanonicalPattern(t *testing.T) {
	for text, want := range map[string]string{
		`p a+b`:          `p "a+b"`,
		`p "a;b" c:d`:    `p "a;b" "c:d"`,
		`p 'a"+' '"' it`: `p 'a"+' '"' it`,
	} {
		if got := must.Have(CanonicalPattern(text)); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
		if again := must.Have(CanonicalPattern(want)); again != want {
			t.Errorf("%s becomes %s", want, again)
		}
	}
	if before, after, found := SplitUnquoted(`p "a+b"+'+'+c`, "+"); before != `p "a+b"` ||
		after != `'+'+c` || !found {
		t.Error(before, after, found)
	}
}

// Whatever a program answers, it is read as traffic that can run, or it is an error.
func FuzzTraffic(f *testing.F) {
	for _, line := range []string{`{"phases":[[{"from":0,"to":1,"bytes":3}],[]]}`, `{"refused":"no"}`,
		`{"tasks":[[{"send":1,"to":1},{"calc":3,"after":[0],"cpu":1}],[{"receive":0,"from":0}]]}`,
		`{"tasks":[[{"calc":1,"with":[0]}],[]]}`, `{"phases":[[null]]}`, `{"phases":null}`, `{}`, `[]`,
		`{"tasks":[[{"send":0,"to":0},{"receive":9,"from":0}],[]]}`, `{"error":"no"}`, "\xff"} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		a, err := two.readTraffic(line)
		if err != nil || a.refused != "" {
			return
		}
		var work patterns.Work = a.Phases
		if a.Tasks != nil {
			work = tasks.Work{Graph: a.Tasks}
		}
		sent, program := int64(0), work.Program(patterns.Config{}, 2)
		if _, err := patterns.Rehearse(program, func(m patterns.Message) {
			sent++
			if m.From < 0 || m.From > 1 || m.To < 0 || m.To > 1 || m.From == m.To || m.Flits < 1 {
				t.Fatalf("%q has the message %+v", line, m)
			}
		}); err != nil || !program.Done() || sent != 2*work.Messages() {
			t.Fatalf("%q: %d messages of %d, %v", line, sent, 2*work.Messages(), err)
		}
		for _, phase := range a.Phases {
			if !slices.IsSortedFunc(phase, func(a, b patterns.Transfer) int {
				return int(a.From - b.From)
			}) {
				t.Fatalf("%q: the senders of %v are not in order", line, phase)
			}
		}
	})
}
