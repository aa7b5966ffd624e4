package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"contend/allocation"
	"contend/experiments/config"
	"contend/experiments/sim"
	"contend/internal/input"

	"contend/experiments/study"
	"contend/internal/must"
	"contend/router/topology"
)

// decisionsOn makes the decisions of some allocators on a machine.
func decisionsOn(t testing.TB, machine string, allocators ...string) *Decisions {
	t.Helper()
	st := study.Study{Base: config.DefaultSpec()}
	if err := st.SetMachine("--machine", machine, config.BuiltinNames()); err != nil {
		t.Fatal(err)
	}
	return must.Have(NewDecisions((&sim.Simulator{}), DecisionConfig{Spec: st.Base, Allocators: allocators},
		config.BuiltinNames(), nil))
}

func TestBadLines(t *testing.T) {
	d := decisionsOn(t, "mesh:4x4")
	d.deciders[0].held[`"held"`] = holding{}
	for line, want := range map[string]string{
		`{"free":[1,2,1],"size":1}`: "free has node 1 twice",
		`{"busy":[3,3],"size":1}`:   "busy has node 3 twice",
		`{"free":[16],"size":1}`: "free has node 16: the machine has nodes " +
			"0 to 15",
		`{"busy":[-1],"size":1}`:          "busy has node -1",
		`{"free":[1.5],"size":1}`:         "free has the number 1.5: give whole numbers",
		`{"free":["1"],"size":1}`:         `free has the string: give whole numbers`,
		`{"free":[[1]],"size":1}`:         "free has the array: give whole numbers",
		`{"free":[99999999999999999999]}`: "give whole numbers",
		`{"free":3,"size":1}`:             "free is a number: give a list, such as [0,1,5]",
		`{"free":[1],"size":0}`: "size is 0: a job needs at least one " +
			"processor",
		`{"free":[1],"size":-2}`:              "size is -2",
		`{"free":[1],"size":17}`:              "asks for 17 processors; the machine has 16",
		`{"free":[1],"size":"4"}`:             `size has the string: give whole numbers`,
		`{"free":[1]}`:                        "the line has no size",
		`{"free":[1],"size":3,"shape":[2,2]}`: "size is 3 and the shape has 4 processors",
		`{"free":[1],"shape":[]}`:             "shape is empty",
		`{"free":[1],"shape":[0]}`:            "shape has a side of 0",
		`{"free":[1],"shape":[4,5]}`: "shape has more processors than the " +
			"machine, which has 16",
		`{"free":[1],"shape":4}`:                       "shape is a number: give a list",
		`{"free":[1],"shape":[4294967296,4294967296]}`: "shape has more processors than the machine",
		`{"busy":[],"shape":[5,1]}`: "asks for 5x1 processors; the 4x4 mesh " +
			"has no such submesh",
		`{"free":[1],"busy":[2],"size":1}`:          "both free and busy: give one of",
		`{"size":1}`:                                "the line does not say which nodes are free",
		`{"fre":[1],"size":1}`:                      `the line has an unknown field "fre": there are free,`,
		`{"allocate":null,"size":1}`:                "allocate is null: give the name of a job",
		`{"allocate":[1],"size":1}`:                 "allocate is [1]: give the name of a job",
		`{"allocate":"held","size":1}`:              `the job "held" has its nodes already`,
		`{"allocate":"h\u0065ld","size":1}`:         `the job "held" has its nodes already`,
		`{"release":"other"}`:                       `the job "other" has no nodes`,
		`{"release":"held","size":1}`:               "release has a size",
		`[1]`:                                       "the line is not a JSON object",
		`{`:                                         "the line is not a JSON object: it ends in the middle of a value",
		`{"free":[1],"size":1,"free":[2]}`:          `the key "free" stands twice in one object`,
		`{"free":[1],"size":1}}`:                    "the line is not a JSON object: the character '}', number 22",
		"{\"free\":[1],\"size\":1,\"id\":\"\xff\"}": "the line is not UTF-8",
	} {
		got, good := d.Answer(nil, []byte(line))
		var answer struct {
			Line  int
			Error string
		}
		if err := json.Unmarshal(got, &answer); err != nil {
			t.Fatalf("%s: %s is not JSON: %v", line, got, err)
		}
		if good || answer.Line != d.line || !strings.Contains(answer.Error, want) {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
	for _, line := range []string{`{"size":1,"id":5}`, `{"size":0,"id":5}`,
		`{"id":5,"free":[99]}`} {
		if got, _ := d.Answer(nil, []byte(line)); !strings.HasPrefix(string(got),
			`{"id":5,"line":`) {
			t.Errorf("an error without the id: %s", got)
		}
	}
}

// readAnswer is an answer as another program reads it.
type readAnswer struct {
	ID       int
	Nodes    []topology.Node
	Reserved []topology.Node
	Released []topology.Node
	Sum      int     `json:"sum_pairwise_distance"`
	Mean     float64 `json:"mean_pairwise_distance"`
	Refused  string
	Error    string
}

// What is free is random; the nodes must be those the allocator gives when it
// is asked directly, and their distances those added up pair by pair.
func TestAnswersAreTheAllocators(t *testing.T) {
	for _, c := range []struct{ machine, allocator string }{
		{"mesh:8x8", "best-fit-1d:hilbert"}, {"mesh:8x8", "mc1x1"}, {"mesh:8x8",
			"mbs"}, {"mesh:8x8", "paging:1"}, {"mesh:8x8", "first-fit:rotate"},
		{"torus:6x5x4", "sum-of-squares:hilbert"}, {"torus:6x5x4", "gen-alg"}, {"hypercube:6",
			"free-list:snake"}, {"hypercube:6", "sequential"},
		{"tree:3x3", "quasi-contiguous:20"}, {"tree:3x3", "contiguous"}, {"tree:4x3", "isolated"},
		{"dragonfly:a4h2p2g9", "level-spread"}, {"dragonfly:a4h2p2g9", "by-group"},
		{"hyperx:4x4:p2", "diagonal"}, {"hyperx:4x4:p2", "subcube"},
	} {
		t.Run(c.machine+" "+c.allocator, func(t *testing.T) {
			d := decisionsOn(t, c.machine, c.allocator)
			st := study.Study{Base: config.DefaultSpec()}
			if err := st.SetMachine("--machine", c.machine, config.BuiltinNames()); err != nil {
				t.Fatal(err)
			}
			m := must.Have(config.NewMachine(&st.Base.Machine))
			site := allocation.Site{Machine: m}
			direct := must.Have(config.Builtin().NewAllocator(c.allocator, site))
			r := rand.New(rand.NewPCG(1, 2))
			refusals := 0
			for range 200 {
				free := allocation.NewFreeSet(m.Nodes())
				busy := []topology.Node{}
				for n := range topology.Node(m.Nodes()) {
					if r.IntN(3) == 0 {
						busy = append(busy, n)
					}
				}
				r.Shuffle(len(busy), func(i, j int) { busy[i], busy[j] = busy[j], busy[i] })
				free.Take(busy)
				req := allocation.Request{Size: 1 + r.IntN(m.Nodes())}
				want, ok := direct.Allocate(nil, free, req)
				if !ok {
					refusals++
				}
				for _, line := range []string{
					fmt.Sprintf(`{"busy":%s,"size":%d}`, list(busy), req.Size),
					fmt.Sprintf(`{"size":%d,"free":%s}`, req.Size, list(free.AppendTo(nil))),
				} {
					got := answerTo(t, d, line)
					if ok == (got.Refused != "") ||
						!slices.Equal(append(got.Nodes, got.Reserved...), want) {
						t.Fatalf("%s: got %+v, want %v", line, got, want)
					}
					if sum := pairSum(m, got.Nodes); sum != got.Sum {
						t.Fatalf("%s: sum of distances %d, want %d", line, got.Sum, sum)
					}
				}
			}
			if refusals == 0 || refusals == 200 {
				t.Errorf("%d of 200 requests were refused", refusals)
			}
		})
	}
}

func list(nodes []topology.Node) string {
	text, err := json.Marshal(slices.Concat([]topology.Node{}, nodes))
	if err != nil {
		panic(err)
	}
	if nodes == nil {
		return "[]"
	}
	return string(text)
}

func pairSum(m config.Machine, nodes []topology.Node) int {
	sum := 0
	for i, a := range nodes {
		for _, b := range nodes[:i] {
			sum += m.Distance(a, b)
		}
	}
	return sum
}

func answerTo(t testing.TB, d *Decisions, line string) (p readAnswer) {
	t.Helper()
	text, _ := d.Answer(nil, []byte(line))
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatalf("%s: %s: %v", line, text, err)
	}
	return p
}

// Whoever asks must have the answer before asking again.
func TestAnswersAreNotHeldBack(t *testing.T) {
	in, ask := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	d := decisionsOn(t, "mesh:4x4")
	go func() { done <- d.Serve(in, out); out.Close() }()
	answer := make([]byte, 1000)
	for i := range 3 {
		fmt.Fprintf(ask, `{"busy":[],"size":1,"id":%d}`+"\n", i)
		n, err := answers.Read(answer)
		if err != nil || !strings.HasPrefix(string(answer[:n]),
			fmt.Sprintf(`{"id":%d,"nodes":[0],`, i)) || answer[n-1] != '\n' {
			t.Fatalf("answer %d: %s, %v", i, answer[:n], err)
		}
	}
	ask.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestLineReader(t *testing.T) {
	long := strings.Repeat("x", 100000)
	r := input.NewLineReader(strings.NewReader("a\n"+long+"\nb\n"+long+long+"\nc\n"+long+long),
		150000)
	for i, want := range []string{"a\n", long + "\n", "b\n", "", "c\n", ""} {
		got, err := r.Next()
		if want == "" && !errors.Is(err, input.ErrLongLine) || want != "" &&
			(err != nil || string(got) != want) {
			t.Fatalf("line %d: %d bytes, %v", i, len(got), err)
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

// Every key of an answer is in the manual, and every key there is in an answer.
func TestManualHasEveryKeyOfAnAnswer(t *testing.T) {
	seen := map[string]bool{}
	var note func(text []byte)
	note = func(text []byte) {
		var answer map[string]json.RawMessage
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatal(err)
		}
		for _, key := range input.SortedKeys(answer) {
			if seen[key] = true; key == "allocators" {
				var each map[string]json.RawMessage
				if err := json.Unmarshal(answer[key], &each); err != nil {
					t.Fatal(err)
				}
				for _, name := range input.SortedKeys(each) {
					note(each[name])
				}
			}
		}
	}
	for _, c := range [][]string{{"mesh:4x4", "paging:1", "optimal"}, {"tree:2x2", "contiguous"},
		{"dragonfly:a2h1", "sequential"}} {
		d := decisionsOn(t, c[0], c[1:]...)
		for _, line := range []string{`{"id":1,"busy":[],"size":3}`,
			`{"busy":[0],"size":4,"shape":[4,1]}`, `{"free":[],"size":1}`,
			`{"allocate":1,"size":1}`, `{"release":1}`, `{}`} {
			text, _ := d.Answer(nil, []byte(line))
			note(text)
		}
	}
	page, err := os.ReadFile("../../cmd/repodocs/pages/columns.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| answer | meaning |")
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)`").FindAllStringSubmatch(table, -1) {
		if !seen[row[1]] {
			t.Errorf("no answer has %s", row[1])
		}
		delete(seen, row[1])
	}
	for _, key := range input.SortedKeys(seen) {
		t.Errorf("%s is not in the manual", key)
	}
}
