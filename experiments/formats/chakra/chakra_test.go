package chakra

import (
	"os"
	"slices"
	"strings"
	"testing"

	"contend/experiments/formats/chakra/chakratest"
	"contend/internal/input"
	"contend/internal/must"
	"contend/patterns"
	"contend/patterns/tasks"
	"contend/patterns/training"
)

// written is a node of a trace that a test writes.
type written = chakratest.Node

var (
	newCollective = chakratest.Call
	newMessage    = chakratest.Message
)

// graph reads a trace.
func graph(t testing.TB, o Options, ranks ...[]written) *tasks.Graph {
	t.Helper()
	return must.Have(must.Have(Read(input.Files{}, chakratest.Write(t, ranks...))).Graph(o))
}

// A collective has the messages of its code, and a vector the bytes that ASTRA-sim means.
func TestCollectives(t *testing.T) {
	const n, bytes = 8, 1 << 20
	for _, c := range []struct {
		kind, size int
		name       string
		vector     int64
	}{{0, bytes, "all-reduce-ring", bytes}, {2, bytes / n, "all-gather-ring", bytes},
		{7, bytes, "reduce-scatter-ring", bytes}, {6, bytes, "all-to-all-direct", bytes},
		{9, 0, "all-reduce-doubling", 1}} {
		g := graph(t, Options{}, chakratest.ForEach(n, func(int) []written {
			return []written{newCollective(3, c.kind, c.size, nil)}
		})...)
		code := must.Have(patterns.NewCode(
			patterns.Config{Name: c.name, Bytes: c.vector, FlitBytes: 1}, n))
		for r, list := range g.Ranks {
			var want, got []patterns.Operation
			for k := range code.Parts() {
				want = code.Part(want, patterns.Rank(r), k)
			}
			for _, x := range list {
				o := patterns.Receive(x.Peer, 0)
				if x.Kind == tasks.Send {
					o = patterns.Send(x.Peer, int32(x.Bytes), 0)
				}
				got = append(got, o)
			}
			for i, o := range want { // what parts of the vector messages carry is not compared
				if to, flits, ok := o.Sends(); ok {
					want[i] = patterns.Send(to, flits, o.Tag())
				} else if from, ok := o.Receives(); ok {
					want[i] = patterns.Receive(from, o.Tag())
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, rank %d: %v, want %v", c.name, r, got, want)
			}
		}
	}
}

// Every algorithm gives an all-reduce that ends, in groups too, and broadcasts come from their
// root.
func TestGroupsAndAlgorithms(t *testing.T) {
	ranks := chakratest.ForEach(6, func(r int) []written {
		name := []string{"5", "6"}[r%2]
		return []written{
			newCollective(0, 0, 999, map[string]any{"pg_name": name}),
			newCollective(1, 0, 50, map[string]any{"pg_name": "0"}, 0),
			newCollective(2, 5, 70, map[string]any{"pg_name": name, "comm_src": []int{4, 1}[r%2]}, 1),
		}
	})
	prefix := chakratest.Write(t, ranks...)
	groups := []byte(`{"5": [0, 2, 4], "6": [5, 3, 1]}`)
	must.Have(0, os.WriteFile(prefix+".groups.json", groups, 0o600))
	trace := must.Have(Read(input.Files{}, prefix))
	for _, a := range training.Algorithms() {
		g := must.Have(trace.Graph(Options{
			Collectives: training.Collectives{Algorithm: training.Algorithm(a), Host: 2}}))
		for r, list := range g.Ranks {
			count := 0
			for _, x := range list {
				if strings.HasPrefix(x.Name, "node 2") && x.Kind == tasks.Receive {
					count++
				}
			}
			if root := r == 4 || r == 1; root != (count == 0) {
				t.Errorf("%s: rank %d receives %d messages of the broadcast", a, r, count)
			}
		}
	}
}

// Computations take their duration, or the time of a roofline, on streams of accelerator and host.
func TestComputations(t *testing.T) {
	nodes := []written{
		{ID: 1, Kind: 4, Micros: 5},
		{ID: 2, Kind: 4, Micros: 6, Control: []uint64{1}, Attributes: map[string]any{"is_cpu_op": 1,
			"num_ops": 1e6}},
		{ID: 3, Kind: 1, Data: []uint64{1, 2}},
		{ID: 4, Kind: 4, Micros: 7, Data: []uint64{3}, Attributes: map[string]any{"num_ops": 8000,
			"tensor_size": 100}},
		{ID: 5, Kind: 2, Micros: 9, Control: []uint64{4, 1}, Data: []uint64{4}},
	}
	calc := func(time int64, cpu int32, after ...int32) tasks.Task {
		return tasks.Task{Kind: tasks.Calc, Time: time, CPU: cpu, After: after}
	}
	for _, c := range []struct {
		o    Options
		last int64
	}{{Options{}, 7000}, {Options{FlopRate: 2e9}, 4000},
		{Options{FlopRate: 2e9, MemoryRate: 2e7}, 5000},
		{Options{FlopRate: 2e9, MemoryRate: 1e9}, 4000}} {
		g := graph(t, c.o, nodes)
		want := []tasks.Task{calc(5000, 0), calc(6000, 2, 0), calc(c.last, 0, 0, 1), calc(9000, 3, 0, 2)}
		if !slices.EqualFunc(g.Ranks[0], want, func(a, b tasks.Task) bool {
			return a.Kind == b.Kind && a.Time == b.Time && a.CPU == b.CPU && slices.Equal(a.After, b.After)
		}) {
			t.Errorf("%+v: %+v\nwant %+v", c.o, g.Ranks[0], want)
		}
	}
}

// Nodes may stand before those on which they depend.
func TestOrderOfFile(t *testing.T) {
	g := graph(t, Options{}, []written{
		{ID: 9, Kind: 4, Micros: 2, Data: []uint64{1}}, {ID: 4, Kind: 4, Micros: 3},
		{ID: 1, Kind: 4, Micros: 1, Control: []uint64{4}},
	})
	var names []string
	for _, x := range g.Ranks[0] {
		names = append(names, x.Name)
	}
	if want := []string{"node 4", "node 1", "node 9"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
}

// Every fault is refused with the file and the node.
func TestFaults(t *testing.T) {
	idle := []written{{ID: 1, Kind: 4}}
	for _, c := range []struct {
		want  string
		ranks [][]written
	}{
		{"step.0.et: node 3 depends on node 8, which there is not",
			[][]written{{{ID: 3, Kind: 4, Data: []uint64{8}}}}},
		{"step.0.et: node 3 occurs twice", [][]written{{{ID: 3, Kind: 4}, {ID: 3, Kind: 4}}}},
		{"step.1.et: node 2: it depends on node 3, and so on itself", [][]written{idle,
			{{ID: 1, Kind: 4}, {ID: 2, Kind: 4, Data: []uint64{3}}, {ID: 3, Kind: 4, Data: []uint64{2}}}}},
		{"step.0.et: node 3: its type is 8: there are METADATA_NODE (1) to COMM_COLL_NODE (7)",
			[][]written{{{ID: 3, Kind: 8}}}},
		{"step.0.et: node 3: its type is 0", [][]written{{{ID: 3}}}},
		{"step.0.et: node 3: comm_type is 1: there are ALL_REDUCE (0)",
			[][]written{{newCollective(3, 1, 5, nil)}}},
		{"step.0.et: node 3: it has no attribute comm_type", [][]written{{{ID: 3, Kind: 7}}}},
		{`step.0.et: node 3: there is no process group "9" (pg_name)`,
			[][]written{{newCollective(3, 0, 5, map[string]any{"pg_name": "9"})}}},
		{"step.0.et: rank 0, node 3, all-reduce: it waits for a message from rank 1", [][]written{
			{newCollective(3, 0, 5, nil)}, idle}},
		{"step.1.et: rank 1, node 2, all-reduce: it waits for a message from rank 0", [][]written{idle,
			{newCollective(2, 0, 5, nil)}}},
		{"step.1.et: node 4: it is collective 1 of its group, all-reduce of 6 bytes from rank 0 on, and ",
			[][]written{{newCollective(3, 0, 5, nil)}, {newCollective(4, 0, 6, nil)}}},
		{"step.0.et: node 3: comm_dst is 2, and the trace has ranks 0 to 1",
			[][]written{{newMessage(3, chakratest.Send, 2, 5)}, idle}},
		{"step.0.et: node 3: it has no attribute comm_src", [][]written{{{ID: 3, Kind: 6}}}},
		{"rank 0, node 3: rank 1 never receives its message with tag 0",
			[][]written{{newMessage(3, chakratest.Send, 1, 5)}, idle}},
		{"node 3: all-reduce of 3000000000 bytes", [][]written{{newCollective(3, 0, 3e9, nil)}}},
		{"node 3: attribute involved_dim has a collective along some dimensions", [][]written{
			{newCollective(3, 0, 5, map[string]any{"involved_dim": []byte{10, 2, 1, 0}})}}},
		{"node 3: attribute comm_size is no whole number", [][]written{{newCollective(3, 0, -5, nil)}}},
	} {
		trace, err := Read(input.Files{}, chakratest.Write(t, c.ranks...))
		if err == nil {
			_, err = trace.Graph(Options{})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
}

// A file that ends early is refused wherever it ends but between two messages, and so is one that
// is missing.
func TestTruncatedAndMissingFiles(t *testing.T) {
	prefix := chakratest.Write(t, []written{{ID: 1, Kind: 4, Micros: 300},
		{ID: 700, Kind: 4, Micros: 300}})
	data := must.Have(os.ReadFile(prefix + ".0.et"))
	whole := 0
	for n := range data {
		_, err := parseTrace(data[:n])
		if n > 0 && err == nil {
			whole++
		} else if n > 0 && !strings.Contains(err.Error(), "the file ends within it") {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if whole != 2 { // after the metadata and after the first node
		t.Errorf("files of %d lengths are whole", whole)
	}
	_, err := Read(input.Files{}, prefix+"x")
	if err == nil || !strings.Contains(err.Error(), "x.0.et") {
		t.Errorf("a missing trace: %v", err)
	}
	for text, want := range map[string]string{"": "it ends in the middle",
		`{"1": [1]}`:    "rank 1, and the trace",
		`{"1": [0, 0]}`: "rank 0 occurs twice", `{"1": []}`: "has no ranks"} {
		must.Have(0, os.WriteFile(prefix+".groups.json", []byte(text), 0o600))
		_, err := Read(input.Files{}, prefix)
		if err == nil || !strings.Contains(err.Error(), prefix+".groups.json: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("groups %s: %v", text, err)
		}
	}
	must.Have(0, os.Rename(prefix+".0.et", prefix+".1.et"))
	if _, err := Read(input.Files{}, prefix); err == nil ||
		!strings.Contains(err.Error(), "step: there are 1 files .RANK.et of ranks 0 to 1") {
		t.Errorf("a missing file: %v", err)
	}
}

// The nodes of a file, whatever its bytes, are read or refused.
func FuzzTrace(f *testing.F) {
	f.Add(chakratest.Encode(written{ID: 1, Kind: 4, Micros: 3}, newCollective(2, 0, 64, nil, 1)))
	f.Add(chakratest.Encode(newMessage(0, chakratest.Send, 0, 5),
		newMessage(1, chakratest.Receive, 0, 5, 0)))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := parseRank(data)
		if err != nil {
			return
		}
		trace := &Trace{prefix: "f", ranks: [][]node{list}, everyone: training.Group{0}}
		if g, err := trace.Graph(Options{}); err == nil && len(g.Ranks[0]) > len(list) {
			t.Errorf("%d tasks of %d nodes of one rank", len(g.Ranks[0]), len(list))
		}
	})
}
