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
