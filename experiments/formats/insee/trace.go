// Package insee writes traces for FSIN, the network simulator of INSEE (Ridruejo and
// Miguel-Alonso, Euro-Par 2005), which runs them with tpattern=trace and trace_cpu_units=cycles.
//
// A line is an event of a process: "s FROM TO TAG BYTES" sends a message, "r FROM TO TAG BYTES"
// waits for one with that tag and length, and "c PROCESS CYCLES" computes. The order of lines
// matters within each process only. An example, with 8 bytes a flit, is a process that computes
// for 7 cycles and sends a message of 3 flits, and one that receives it:
//
//	c 0 7
//	s 0 1 2 24
//	r 0 1 2 24
package insee

import (
	"bufio"
	"fmt"
	"io"

	"contend/patterns"
)

// channel is what FSIN tells messages between processes by, but for their lengths.
type channel struct {
	from, to patterns.Rank
	tag      int32
}

// WriteTrace writes what n processes do, with flits of some bytes. FSIN looks for a message of the
// length that a receive names: that of the send which the receive waits for.
func WriteTrace(w io.Writer, s patterns.Script, n int, flitBytes int64) error {
	lengths := map[channel][]int32{} // of the messages that have not been received, in order
	forEach(s, n, func(r patterns.Rank, o patterns.Operation) {
		if to, flits, ok := o.Sends(); ok {
			c := channel{r, to, o.Tag()}
			lengths[c] = append(lengths[c], flits)
		}
	})
	out := bufio.NewWriter(w)
	line := func(kind string, c channel, flits int32) {
		fmt.Fprintln(out, kind, c.from, c.to, c.tag, int64(flits)*flitBytes)
	}
	forEach(s, n, func(r patterns.Rank, o patterns.Operation) {
		if to, flits, ok := o.Sends(); ok {
			line("s", channel{r, to, o.Tag()}, flits)
		} else if from, ok := o.Receives(); ok {
			c := channel{from, r, o.Tag()}
			line("r", c, lengths[c][0])
			lengths[c] = lengths[c][1:]
		} else if cycles, ok := o.Computes(); ok {
			fmt.Fprintln(out, "c", r, cycles)
		}
	})
	return out.Flush()
}

// forEach calls a function for the operations of each process in turn.
func forEach(s patterns.Script, n int, do func(r patterns.Rank, o patterns.Operation)) {
	var part []patterns.Operation
	for r := range patterns.Rank(n) {
		more := true
		for k := 0; more; k++ {
			part, more = s(part[:0], r, k)
			for _, o := range part {
				do(r, o)
			}
		}
	}
}
