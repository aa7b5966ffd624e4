package goal

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"contend/internal/input"
	"contend/internal/must"
	"contend/patterns/tasks"
)

// unnamed returns the tasks of a file without their names and lines, which the binary has not.
func unnamed(t *testing.T, path string) [][]tasks.Task {
	t.Helper()
	g, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range g.Ranks {
		for i := range list {
			list[i].Name, list[i].Line = "", 0
		}
	}
	return g.Ranks
}

func TestReadsWhatTheTextSays(t *testing.T) {
	want := [][]tasks.Task{
		{
			{Time: 400, CPU: 1},
			{Kind: tasks.Send, Peer: 1, Tag: 7, Bytes: 2048, After: []int32{0}},
			{Kind: tasks.Receive, Peer: 1, Tag: 8, Bytes: 512},
			{Time: 100, After: []int32{1, 2}},
			{Kind: tasks.Send, Peer: 2, Tag: 3, Bytes: 8, With: []int32{3}},
		},
		{
			{Kind: tasks.Receive, Peer: 0, Tag: 7, Bytes: 2048},
			{Time: 50, CPU: 2},
			{Kind: tasks.Send, Peer: 0, Tag: 8, Bytes: 512, After: []int32{0}},
			{Kind: tasks.Send, Peer: 2, Tag: 4, Bytes: 8, After: []int32{2}},
		},
		{
			{Kind: tasks.Receive, Peer: tasks.AnyRank, Tag: 3, Bytes: 8},
			{Kind: tasks.Receive, Peer: 1, Tag: tasks.AnyTag, Bytes: 8, With: []int32{0}},
		},
	}
	// exchange.bin is what txt2bin of LogGOPSim 76451de makes of exchange.goal.
	for _, name := range []string{"exchange.goal", "exchange.bin"} {
		if got := unnamed(t, filepath.Join("testdata", name)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got\n%v, want\n%v", name, got, want)
		}
	}
}

// samples is a folder with schedules that others wrote.
const samples = "../../../../shared/samples/goal"

func TestBothFormsOfTheSamplesAreEqual(t *testing.T) {
	if _, err := os.Stat(samples); err != nil {
		t.Skip("no ../shared/samples/goal")
	}
	for _, name := range []string{"binary_tree_32", "binomialtreebcast_128_1024"} {
		text, packed := unnamed(t, filepath.Join(samples, name+".goal")),
			unnamed(t, filepath.Join(samples, name+".bin"))
		if !reflect.DeepEqual(text, packed) {
			t.Errorf("%s: the text and the binary differ", name)
		}
	}
}

func TestTasksHaveLabelsAndLines(t *testing.T) {
	g := must.Have(ReadFile("testdata/exchange.goal"))
	if a, b := g.Ranks[0][0], g.Ranks[1][1]; a.Name != "work" || b.Name != "" || b.Line != 19 {
		t.Errorf("tasks are called %q and %q of line %d", a.Name, b.Name, b.Line)
	}
}

func TestBadTextsAreRefusedWithTheirLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "x.goal: there is no num_ranks"},
		{"rank 0 {\n}", "x.goal:1: rank 0 comes before num_ranks"},
		{"num_ranks 0", "x.goal: 0 ranks: a job has 1 to"},
		{"num_ranks 900000", "x.goal:1: the file of 16 bytes cannot have 900000 ranks"},
		{"num_ranks 1\nnum_ranks 1", "x.goal:2: num_ranks comes again"},
		{"num_ranks 2\nrank 0 {\n}\n", "x.goal: there is no rank 1: give ranks 0 to 1, each once"},
		{"num_ranks 1\nrank 1 {\n}\n", "x.goal:2: there is no rank 1: ranks are 0 to 0"},
		{"num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", "x.goal:4: rank 0 comes again"},
		{"num_ranks 1\nrank 0 {\ncalc 5\n", "x.goal:3: the file ends within rank 0"},
		{"num_ranks 1\n/* rank 0 {", "x.goal:2: the file ends in a comment"},
		{"num_ranks 1\nnode 0 {", `x.goal:2: "node 0 {" is not expected here: give statements`},
		{"num_ranks 1\nrank 0 {\na: put 8b to 1\n}", `x.goal:3: "a: put 8b to 1" is not expected here`},
		{"num_ranks 1\nrank 0 {\ncalc x\n}", `x.goal:3: "calc x" is not expected here: give`},
		{"num_ranks 1\nrank 0 {\ncalc 5 tag 1\n}", `x.goal:3: "tag" is not expected here: a calc has`},
		{"num_ranks 1\nrank 0 {\ncalc 5 } }\n", `x.goal:3: "}" is not expected here`},
		{"num_ranks 1\nrank 0 {\nsend 5 to 0\n}", `x.goal:3: "send 5 to 0" is not expected here`},
		{"num_ranks 1\nrank 0 {\nsend 5b from 0\n}", `x.goal:3: "send 5b from 0" is not expected here`},
		{"num_ranks 1\nrank 0 {\nsend 5b to -1\n}", `x.goal:3: "-1" is no such number: give 0 to`},
		{"num_ranks 1\nrank 0 {\nsend 5b to\n}", `x.goal:3: "send 5b to" is not expected here`},
		{"num_ranks 1\nrank 0 {\nsend 5b to 0 cpu 0 cpu 1\n}", "x.goal:3: cpu comes again"},
		{"num_ranks 1\nrank 0 {\nsend 5b to 0 cpu 256\n}",
			`x.goal:3: "256" is no such number: give 0 to 255`},
		{"num_ranks 1\nrank 0 {\nsend 5b to 0 tag 3000000000\n}", "x.goal:3: tag 3000000000: a tag is"},
		{"num_ranks 1\nrank 0 {\na: calc 1\na: calc 2\n}", "x.goal:4: the label a comes again"},
		{"num_ranks 1\nrank 0 {\na: calc 1\na requires b\n}", "x.goal:4: rank 0 has no label b"},
		{"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}",
			"x.goal:3: rank 0, a: it waits for b, and so for itself"},
		{"num_ranks 1\nrank 0 {\nsend 8b to 4\n}", "x.goal:3: rank 0, line 3: there is no rank 4"},
		{"num_ranks 2\nrank 0 {\nsend 8b to 1 tag 1\n}\nrank 1 {\nrecv 8b from 0 tag 2\n}",
			"x.goal:6: rank 1, line 6: it waits for a message from rank 0 with tag 2, and nothing"},
	} {
		g, err := Parse("x.goal", []byte(c.text))
		var bad *input.Error
		if g != nil || !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.text, err, c.want)
		}
	}
}

func TestDamagedBinariesAreRefused(t *testing.T) {
	whole := must.Have(os.ReadFile("testdata/exchange.bin"))
	for n := range whole {
		if g, err := Parse("x.bin", whole[:n]); g != nil || err == nil {
			t.Fatalf("a file that ends after %d of %d bytes is read", n, len(whole))
		}
	}
	changed := func(at int, value byte) []byte {
		data := append([]byte(nil), whole...)
		data[at] = value
		return data
	}
	first := headBytes + 16*3 // of the part of rank 0
	node := first + 8 + 4*2
	for _, c := range []struct {
		data []byte
		want string
	}{
		{changed(0, 0x26)[:8], "x.bin:1: "}, // no magic number: a text
		{append([]byte{0x26, 0x09}, whole[2:]...), "x.bin: a simulation with --save-mem"},
		{changed(headBytes, 1), "x.bin: rank 0 has the bytes 1 to"},
		{changed(node+4, 9), "x.bin: rank 0: task 0: there is no kind 9 of tasks"},
		{changed(node, 1), "x.bin: rank 0: task 0 waits for another number of tasks"},
		{changed(node+taskBytes+5, 9), "x.bin: rank 0, task 1: there is no rank 9"},
		{changed(node+23, 200), "x.bin: rank 0: task 0: the list of what waits for it is not"},
	} {
		g, err := Parse("x.bin", c.data)
		if g != nil || err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// FuzzParse feeds both parsers. Whatever they accept runs to its end or says what it waits for.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"exchange.goal", "exchange.bin"} {
		f.Add(must.Have(os.ReadFile(filepath.Join("testdata", name))))
	}
	f.Add([]byte("num_ranks 1\nrank 0 {\na: calc 5\nsend 8b to 0\nrecv 8b from -1 tag -1\n}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := Parse("x", data)
		if (g == nil) == (err == nil) {
			t.Fatalf("got %v and %v", g, err)
		}
		if g != nil {
			g.Messages()
		}
	})
}
