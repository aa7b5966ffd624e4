package goal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"contend/internal/input"
	"contend/internal/must"
	"contend/internal/story"
	"contend/patterns/tasks"
)

// unnamed returns the tasks of a file without their names and lines, which the binary lacks.
func unnamed(t *testing.T, path string) [][]tasks.Task {
	t.Helper()
	g, err := ReadFile(input.Files{}, path)
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
	g := must.Have(ReadFile(input.Files{}, "testdata/exchange.goal"))
	if a, b := g.Ranks[0][0], g.Ranks[1][1]; a.Name != "work" || b.Name != "" || b.Line != 19 {
		t.Errorf("tasks are called %q and %q of line %d", a.Name, b.Name, b.Line)
	}
}

// TestErrors reads the texts of testdata, each behind the line "text".
func TestErrors(t *testing.T) {
	story.Run(t, "testdata/*.txt", func(t *testing.T, given []string) string {
		g, err := Parse("x.goal", []byte(strings.Join(given[1:], "\n")))
		if bad := (*input.Error)(nil); g != nil || !errors.As(err, &bad) {
			t.Errorf("got %v, %v", g, err)
		}
		return fmt.Sprint(err)
	})
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
