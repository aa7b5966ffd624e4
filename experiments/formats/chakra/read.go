// Package chakra reads execution traces of training jobs in the format of MLCommons Chakra
// (Sridharan et al., arXiv:2305.14516; schema 0.0.4), as ASTRA-sim does, into graphs of tasks.
//
// A trace is one file a rank, PREFIX.0.et, PREFIX.1.et and so on. A node begins when all nodes on
// which it depends, by data or control, have ended:
//
//   - COMP_NODE computes for its recorded duration, on the accelerator or, with the attribute
//     is_cpu_op, on the host. Each runs one node at a time. With a rate of operations, nodes of
//     accelerators with num_ops take the time of a roofline: their operations at that rate, or the
//     bytes of tensor_size at the rate of memory, whichever is longer.
//   - COMM_SEND_NODE and COMM_RECV_NODE are matched by rank and tag. A send ends when its message
//     has left the rank.
//   - COMM_COLL_NODE is a collective of its process group, by an algorithm of package training. The
//     ranks of groups are in PREFIX.groups.json, and the group "" or "0" has all ranks. The k-th
//     collectives of the members of a group belong together. Sizes are as in ASTRA-sim: those of an
//     all-gather are of the block of a rank, and others of the whole vector. A broadcast is from
//     the rank comm_src, else from the first of its group. Nobody computes in a collective.
//   - MEM_LOAD_NODE and MEM_STORE_NODE take their recorded duration, on a stream of their own.
//   - METADATA_NODE takes no time.
//
// Messages and computations overlap as dependencies allow. Several collectives of a rank may be
// under way at once, where ASTRA-sim has one.
package chakra

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"contend/internal/input"

	"contend/patterns"
	"contend/patterns/training"
)

// Trace is a trace of all ranks of a job.
type Trace struct {
	prefix   string
	ranks    [][]node
	everyone training.Group
	groups   map[string]training.Group // by pg_name
}

// Ranks returns the number of ranks.
func (t *Trace) Ranks() int { return len(t.ranks) }

// limits bound the file of a rank.
var limits = input.Limits{Bytes: 1 << 30}

// rankFile returns the name of the file of a rank.
func rankFile(prefix string, rank int) string { return fmt.Sprintf("%s.%d.et", prefix, rank) }

// groupsFile returns the name of the file of process groups, which is optional: a JSON object of
// lists of ranks by the names of groups, as in ASTRA-sim.
func groupsFile(prefix string) string { return prefix + ".groups.json" }

// Files returns the files of a trace.
func Files(in input.Files, prefix string) ([]string, error) {
	n, err := countRanks(in, prefix)
	if err != nil {
		return nil, err
	}
	var list []string
	for r := range n {
		list = append(list, rankFile(prefix, r))
	}
	switch _, err := in.Stat(groupsFile(prefix)); {
	case err == nil:
		list = append(list, groupsFile(prefix))
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	return list, nil
}

// Read reads a trace.
func Read(in input.Files, prefix string) (*Trace, error) {
	files, err := Files(in, prefix)
	if err != nil {
		return nil, err
	}
	t := &Trace{prefix: prefix}
	for r, name := range files {
		data, err := in.ReadFile(name, limits)
		if err != nil {
			return nil, err
		}
		if name == groupsFile(prefix) {
			if t.groups, err = parseGroups(data, r); err != nil {
				return nil, &input.Error{File: name, Problem: err.Error(),
					Right: `give the ranks of each group, such as {"1": [0, 1], "2": [2, 3]}`}
			}
			continue
		}
		list, err := parseRank(data)
		if err != nil {
			return nil, &input.Error{File: name, Problem: err.Error()}
		}
		t.ranks, t.everyone = append(t.ranks, list), append(t.everyone, patterns.Rank(r))
	}
	return t, nil
}

// countRanks returns the number of ranks of a trace, and an error if the file of one is missing.
func countRanks(in input.Files, prefix string) (int, error) {
	folder, base := filepath.Split(prefix)
	entries, err := in.ReadDir(cmp.Or(folder, "."))
	if err != nil {
		return 0, err
	}
	n, files := 0, 0
	for _, e := range entries {
		middle, ok := strings.CutPrefix(e.Name(), base+".")
		number, isTrace := strings.CutSuffix(middle, ".et")
		if r, err := strconv.Atoi(number); ok && isTrace && err == nil && strconv.Itoa(r) == number {
			n, files = max(n, r+1), files+1
		}
	}
	if files < n {
		return 0, &input.Error{File: prefix, Problem: fmt.Sprintf("there are %d files .RANK.et of "+
			"ranks 0 to %d", files, n-1), Right: "a trace has a file for each rank"}
	}
	return max(1, n), nil // where there is notGiven, opening the first one says so
}

// parseRank parses the file of a rank and resolves dependencies.
func parseRank(data []byte) ([]node, error) {
	list, err := parseTrace(data)
	if err != nil {
		return nil, err
	}
	at := make(map[uint64]int32, len(list))
	for i := range list {
		if _, twice := at[list[i].id]; twice {
			return nil, fmt.Errorf("node %d occurs twice", list[i].id)
		}
		at[list[i].id] = int32(i)
	}
	for i := range list {
		x := &list[i]
		slices.Sort(x.deps)
		for _, d := range slices.Compact(x.deps) {
			before, ok := at[d]
			if !ok {
				return nil, fmt.Errorf("node %d depends on node %d, which there is not", x.id, d)
			}
			x.after = append(x.after, before)
		}
		x.deps = nil
	}
	return list, nil
}

// parseGroups parses the process groups of a job of n ranks.
func parseGroups(data []byte, n int) (map[string]training.Group, error) {
	var read map[string][]int
	if err := cmp.Or(input.CheckJSON(data), json.Unmarshal(data, &read)); err != nil {
		return nil, input.JSONProblem(data, err)
	}
	groups := map[string]training.Group{}
	for name, ranks := range read {
		var g training.Group
		for _, r := range ranks {
			if r < 0 || r >= n {
				return nil, fmt.Errorf("group %q: rank %d, and the trace has ranks 0 to %d", name, r, n-1)
			}
			if slices.Contains(g, patterns.Rank(r)) {
				return nil, fmt.Errorf("group %q: rank %d occurs twice", name, r)
			}
			g = append(g, patterns.Rank(r))
		}
		if len(g) == 0 {
			return nil, errors.New("group " + strconv.Quote(name) + " has no ranks")
		}
		groups[name] = g
	}
	return groups, nil
}
