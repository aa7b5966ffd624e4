package service

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/router/topology"
)

// Books are held against a map of who has what, in which every node may stand
// once; another allocator answers beside and has books of its own.
func TestBooks(t *testing.T) {
	d := decisionsOn(t, "mesh:8x8", "paging:1", "mc1x1")
	r := rand.New(rand.NewPCG(3, 4))
	owner := [2]map[topology.Node]int{{}, {}}
	held := [2]map[int][]topology.Node{{}, {}}
	refused, apart := 0, 0
	for job := range 2000 {
		line := fmt.Sprintf(`{"allocate":%d,"size":%d,"id":%d}`, job, 1+r.IntN(24), job)
		release := -1
		if r.IntN(2) == 0 && len(held[1]) > 0 {
			release = sortedJobs(held[1])[r.IntN(len(held[1]))]
			line = fmt.Sprintf(`{"release":%d,"id":%d}`, release, job)
		}
		text, good := d.Answer(nil, []byte(line))
		var got struct {
			ID         int
			Allocators map[string]readAnswer
		}
		if err := json.Unmarshal(text, &got); err != nil || !good || got.ID != job {
			t.Fatalf("%s: %s: %v", line, text, err)
		}
		for i, name := range []string{"paging:1", "mc1x1"} {
			p := got.Allocators[name]
			all := append(p.Nodes, p.Reserved...)
			if release >= 0 {
				if !slices.Equal(p.Released, held[i][release]) &&
					len(p.Released)+len(held[i][release]) > 0 {
					t.Fatalf("%s: %s released %v, not %v", line, name, p.Released, held[i][release])
				}
				for _, n := range held[i][release] {
					delete(owner[i], n)
				}
				delete(held[i], release)
				continue
			}
			if p.Refused != "" {
				refused++
				continue
			}
			for _, n := range all {
				if of, ok := owner[i][n]; ok {
					t.Fatalf("%s: %s gives node %d, which job %d has", line, name, n, of)
				}
				owner[i][n] = job
			}
			held[i][job] = all
		}
		if len(held[0]) != len(held[1]) {
			apart++
		}
		for i, x := range d.deciders {
			if x.free.Count() != 64-len(owner[i]) {
				t.Fatalf("%s: %d nodes are free, want %d", line, x.free.Count(), 64-len(owner[i]))
			}
		}
	}
	if refused == 0 || apart == 0 {
		t.Errorf("%d refusals, books differed %d times: too easy", refused, apart)
	}
}

func sortedJobs(held map[int][]topology.Node) []int {
	var jobs []int
	for j := range held {
		jobs = append(jobs, j)
	}
	slices.Sort(jobs)
	return jobs
}

// A job one allocator readAnswer and another could not may be asked for again.
func TestJobThatWaitsSomewhere(t *testing.T) {
	d := decisionsOn(t, "mesh:4x4", "first-fit", "mc1x1")
	ask := func(line string, good bool) string {
		t.Helper()
		text, ok := d.Answer(nil, []byte(line))
		if ok != good {
			t.Fatalf("%s: %s", line, text)
		}
		return string(text)
	}
	ask(`{"allocate":"a","shape":[3,3]}`, true)
	first := ask(`{"allocate":"b","size":6}`, true) // no 3x2 is left
	if !strings.Contains(first, `"first-fit":{"refused"`) ||
		!strings.Contains(first, `"mc1x1":{"nodes"`) {
		t.Fatalf("job b: %s", first)
	}
	_, mine, _ := strings.Cut(first, `"mc1x1":`)
	if again := ask(`{"allocate":"b","size":6}`, true); !strings.HasSuffix(again, mine) {
		t.Errorf("job b has other nodes now: %s, before %s", again, first)
	}
	if text := ask(`{"allocate":"b","size":5}`, false); !strings.Contains(text,
		`the job \"b\" has 6 nodes already`) {
		t.Errorf("got %s", text)
	}
	ask(`{"release":"a"}`, true)
	if text := ask(`{"release":"b"}`, true); !strings.Contains(text, `"first-fit":{"nodes"`) &&
		!strings.Contains(text, `"first-fit":{"released":[`) {
		t.Errorf("got %s", text)
	}
	ask(`{"release":"b"}`, false)
}

// A request one allocator could never grant is bad, whatever the others say.
func TestErrorOfOneAllocator(t *testing.T) {
	for _, names := range [][]string{{"first-fit", "mc1x1"}, {"mc1x1", "first-fit"}} {
		text, good := decisionsOn(t, "mesh:4x4", names...).Answer(nil,
			[]byte(`{"busy":[],"shape":[5,1]}`))
		if good || !strings.Contains(string(text), `"first-fit":{"line":1,"error":"asks for 5x1`) ||
			!strings.Contains(string(text), `"mc1x1":{"nodes":[`) {
			t.Errorf("%v: %v, %s", names, good, text)
		}
	}
}
