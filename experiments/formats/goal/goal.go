// Package goal reads GOAL schedules: what each rank of a parallel program computes, sends and
// receives, and what waits for what (Hoefler, Siebert and Lumsdaine, Group Operation Assembly
// Language, ICPP 2009). It reads the text and the packed binary of LogGOPSim (Hoefler, Schneider
// and Lumsdaine, LogGOPSim, LSAP 2010) and ATLAHS. Both give the same graph of tasks.
//
// The text has, in lines of their own,
//
//	num_ranks N
//	rank R {
//	LABEL: send BYTESb to RANK tag T cpu C nic 0
//	LABEL: recv BYTESb from RANK tag T cpu C nic 0
//	LABEL: calc NANOSECONDS cpu C
//	LABEL requires LABEL
//	LABEL irequires LABEL
//	}
//
// where labels, tags, cpus and nics are optional. A recv takes -1 for any rank or any tag.
// Comments begin with // or stand between /* and */. A label may be used before its task is given.
// The nic of a send is the network interface that its message asks for; that of a recv has
// no effect.
package goal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"contend/internal/input"
	"contend/patterns"
	"contend/patterns/tasks"
)

// Limits bound a file. In memory the graph takes about four times as much.
var Limits = input.Limits{Bytes: 1 << 30}

// right says what a file should be, for errors.
const right = "give a GOAL schedule, text or the binary that txt2bin makes of it"

// ReadFile reads a schedule and checks its graph. What is wrong with the file is a *input.Error.
func ReadFile(files input.Files, path string) (*tasks.Graph, error) {
	data, err := files.ReadFile(path, Limits)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse reads a schedule and checks its graph. The name of the file is for errors.
func Parse(file string, data []byte) (*tasks.Graph, error) {
	var g *tasks.Graph
	var err error
	if len(data) >= 8 && slices.Contains(magics, binary.LittleEndian.Uint64(data)) {
		g, err = parseBinary(file, data)
	} else {
		g, err = parseText(file, data)
	}
	if err != nil {
		return nil, err
	}
	for _, list := range g.Ranks {
		for i := range list { // in one order, whatever the form
			slices.Sort(list[i].After)
			slices.Sort(list[i].With)
		}
	}
	if err := g.Check(); err != nil {
		bad := &input.Error{File: file, Problem: err.Error()}
		if at := (*tasks.Error)(nil); errors.As(err, &at) {
			bad.Line = int(g.Ranks[at.Rank][at.Task].Line)
		}
		return nil, bad
	}
	return g, nil
}

// wildcard as a rank or a tag stands for any.
const wildcard = math.MaxUint32

// setNumbers sets the size, peer, tag and network interface of a task, and returns what is wrong
// with them, or "". Either form of a file calls it.
func setNumbers(t *tasks.Task, size, peer, tag, nic uint64) string {
	switch {
	case size > tasks.MaxTime:
		return fmt.Sprintf("%d: a size or time is at most %d", size, int64(tasks.MaxTime))
	case t.Kind == tasks.Calc:
		t.Time = int64(size)
		return ""
	}
	t.Bytes, t.Tag, t.Peer = int64(size), int32(tag), patterns.Rank(peer)
	if t.Kind == tasks.Send {
		t.NIC = uint8(nic)
	}
	if tag == wildcard {
		t.Tag = tasks.AnyTag
	} else if tag > math.MaxInt32 {
		return fmt.Sprintf("tag %d: a tag is at most %d", tag, math.MaxInt32)
	}
	if peer == wildcard {
		t.Peer = tasks.AnyRank
	} else if peer >= patterns.MaxProcesses {
		return fmt.Sprintf("rank %d: a job has at most %d ranks", peer, patterns.MaxProcesses)
	}
	return ""
}

// The packed binary, in little-endian numbers without padding:
//
//	8 bytes  4223
//	4        number of ranks
//	1, 1     greatest cpu and nic
//	8, 8     for each rank: where its part begins and ends, counted from the number of ranks
//
// The part of a rank:
//
//	4        number of tasks
//	4        number of tasks that wait for nothing
//	4        each of those
//	39       each task: 4 number of tasks it waits for, 1 kind, 4 peer, 8 size or time, 4 tag, 1 cpu,
//	         1 nic, 4 number of tasks that wait for its end, 4 where their list begins, 4 and 4 the
//	         same for its beginning
//	4        each entry of the lists
const (
	magicNumber = 4223
	spentNumber = 2342 // of a file that a simulation has used up (--save-mem)
	headBytes   = 14
	taskBytes   = 39
)

// magics are the numbers with which a packed binary begins.
var magics = []uint64{magicNumber, spentNumber}

// kinds are the kinds of tasks by their numbers, kindsByName by their words in a text.
var (
	kinds       = map[byte]tasks.Kind{1: tasks.Send, 2: tasks.Receive, 3: tasks.Calc}
	kindsByName = map[string]tasks.Kind{"send": tasks.Send, "recv": tasks.Receive,
		"calc": tasks.Calc}
)

// parseBinary reads the packed binary.
func parseBinary(file string, data []byte) (*tasks.Graph, error) {
	bad := func(text string, args ...any) error {
		return &input.Error{File: file, Problem: fmt.Sprintf(text, args...), Right: right}
	}
	if binary.LittleEndian.Uint64(data) == spentNumber {
		return nil, bad("a simulation with --save-mem has used the file up")
	}
	if len(data) < headBytes {
		return nil, bad("the file ends within its head")
	}
	n := uint64(binary.LittleEndian.Uint32(data[8:]))
	if uint64(len(data)) < headBytes+16*n {
		return nil, bad("the file ends within its table of %d ranks", n)
	}
	g := &tasks.Graph{Ranks: make([][]tasks.Task, n)}
	body, end := data[8:], headBytes-8+16*n // of the part before
	for r := range n {
		at := data[headBytes+16*r:]
		from, to := binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:])
		if from < end || to < from || to > uint64(len(body)) {
			return nil, bad("rank %d has the bytes %d to %d of %d: they must follow those before and end "+
				"in the file", r, from, to, len(body))
		}
		list, wrong := parseRank(body[from:to])
		if wrong != "" {
			return nil, bad("rank %d: %s", r, wrong)
		}
		g.Ranks[r], end = list, to
	}
	return g, nil
}

// parseRank reads the part of a rank. It returns what is wrong with it, or "".
func parseRank(part []byte) (list []tasks.Task, wrong string) {
	if len(part) < 8 {
		return nil, "its part ends within its head"
	}
	n, roots := uint64(binary.LittleEndian.Uint32(part)), uint64(binary.LittleEndian.Uint32(part[4:]))
	if uint64(len(part)) < 8+4*roots+taskBytes*n {
		return nil, fmt.Sprintf("its part of %d bytes is too short for %d tasks", len(part), n)
	}
	nodes := part[8+4*roots:]
	lists := nodes[taskBytes*n:]
	list = make([]tasks.Task, n)
	waits := make([]uint32, n)
	entries := uint64(len(lists)) / 4 // that belong to no list so far
	for i := range uint32(n) {
		node := nodes[taskBytes*uint64(i):]
		waits[i] += binary.LittleEndian.Uint32(node)
		if wrong := parseTask(&list[i], node); wrong != "" {
			return nil, fmt.Sprintf("task %d: %s", i, wrong)
		}
		for k, after := range []bool{true, false} {
			at := node[23+8*k:]
			count, first := uint64(binary.LittleEndian.Uint32(at)),
				uint64(binary.LittleEndian.Uint32(at[4:]))
			if count > 0 && 4*(first+count) > uint64(len(lists)) {
				return nil, fmt.Sprintf("task %d: the list of what waits for it is not in the file", i)
			}
			if entries < count {
				return nil, fmt.Sprintf("task %d: the list of what waits for it is that of others too", i)
			}
			entries -= count
			for j := range count {
				other := binary.LittleEndian.Uint32(lists[4*(first+j):])
				if uint64(other) >= n {
					return nil, fmt.Sprintf("task %d of %d waits for task %d: there is none", other, n, i)
				}
				waits[other]--
				if t := &list[other]; after {
					t.After = append(t.After, int32(i))
				} else {
					t.With = append(t.With, int32(i))
				}
			}
		}
	}
	for i, left := range waits {
		if left != 0 {
			return nil, fmt.Sprintf("task %d waits for another number of tasks than the lists have", i)
		}
	}
	return list, ""
}

// parseTask reads what a task does. It returns what is wrong with it, or "".
func parseTask(t *tasks.Task, node []byte) (wrong string) {
	kind, ok := kinds[node[4]]
	if !ok {
		return fmt.Sprintf("there is no kind %d of tasks: 1 sends, 2 receives, 3 computes", node[4])
	}
	t.Kind, t.CPU = kind, int32(node[21])
	return setNumbers(t, binary.LittleEndian.Uint64(node[9:]),
		uint64(binary.LittleEndian.Uint32(node[5:])),
		uint64(binary.LittleEndian.Uint32(node[17:])), uint64(node[22]))
}
