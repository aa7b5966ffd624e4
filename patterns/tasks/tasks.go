// Package tasks runs jobs that are given as graphs of tasks: computations, sends and receives of
// each process, and which of them wait for which. GOAL schedules (Hoefler, Siebert and Lumsdaine,
// Group Operation Assembly Language, ICPP 2009) and execution traces of training jobs are such
// graphs.
//
// # What happens when
//
// A task is ready when all tasks of After have ended and all tasks of With have begun.
//
// A Calc or Send begins when its stream is free. A stream does one task at a time, in the order in
// which its tasks get ready; at the same time, in the order of their numbers. A Calc ends after its
// time. A Send ends when its message has left the process and enters the network (that is after the
// software latency of the driver). The process does not wait for the receiver, unless the message
// is so long that it goes by rendezvous, as in MPI libraries (Rashti and Afsahi, Improving
// Communication Progress and Overlap in MPI Rendezvous Protocol over RDMA-enabled Interconnects,
// HPCS 2008): the sender sends a request, the receiver answers that it is clear to send when the
// receive is posted, and then the message follows. The stream is free when the request has left,
// and the Send ends when the message itself has left. Requests and answers are messages of control
// flits, so the driver charges their software latency too.
//
// A Receive takes no stream: it begins, or is posted, when it is ready and ends when a matching
// message has arrived. Receives and messages are matched by (source, tag), as in MPI: of the
// receives that match a message the one posted first, and of the messages that match a receive the
// one that arrived first. Messages with the same sender, receiver and tag are matched in the order
// in which they were sent, whatever the network does. AnyRank and AnyTag match everything.
//
// A job is done when all tasks have ended. With several iterations each process begins its next one
// when all of its own tasks have ended; there is no barrier.
package tasks

import (
	"sync"

	"contend/patterns"
)

// Kind is what a task does.
type Kind uint8

// The kinds of tasks.
const (
	Calc    Kind = iota // computes for Time
	Send                // sends Bytes to Peer
	Receive             // waits for a message of Peer
)

const (
	// AnyRank as the Peer of a Receive matches messages of any sender.
	AnyRank patterns.Rank = -1
	// AnyTag as the Tag of a Receive matches messages with any tag.
	AnyTag int32 = -1
)

// Task is one task of a rank.
type Task struct {
	Kind Kind
	// NIC is the number of the network interface that the message of a Send requests.
	NIC uint8
	// Peer is the receiver of a Send, and the sender of a Receive or AnyRank.
	Peer patterns.Rank
	// Tag is that of a Send or Receive, at least 0; a Receive may have AnyTag.
	Tag int32
	// CPU is the stream of the rank that does a Calc or Send, at least 0.
	CPU int32
	// Line is the line of a file that has the task, from 1, or 0.
	Line int32
	// Bytes is the length of the message of a Send, at least 0, or the longest that a Receive
	// takes, 0 without a limit.
	Bytes int64
	// Time is the time of a Calc in nanoseconds, at least 0.
	Time int64
	// After lists tasks of the same rank, by index, that must have ended before it begins (GOAL
	// requires), and With those that must have begun (GOAL irequires).
	After, With []int32
	// Name is the name of the task in errors, such as a label. Without one errors give its line.
	Name string
}

// Graph has the tasks of all ranks of a job. It must not change after the first call of a method.
type Graph struct {
	Ranks [][]Task

	once  sync.Once // makes built
	built *index
}

// Work is a graph as the work of a job. By default a cycle is a nanosecond and no rank is slow.
type Work struct {
	*Graph
	// Cycles is the number of network cycles in Nanoseconds; 0 and 0 mean 1 and 1. Fractions of a
	// cycle that a Calc has left over count in the next one of its stream.
	Cycles, Nanoseconds int64
	// Slow has the factors on the times of Calc by rank. Ranks beyond its end have a factor of 1.
	Slow []float64
}
