package external

import (
	"cmp"
	"errors"
	"fmt"

	"contend/allocation"
	"contend/internal/input"
	"contend/router/topology"
	"contend/scheduler"
)

// readAnswer parses an answer. An error that the answer states is an error too.
func readAnswer(line []byte) (input.Object, error) {
	o, err := input.ReadObject(line)
	if err != nil {
		return nil, fmt.Errorf("%w: write an object in a line, and other text to standard error", err)
	}
	var stated *string
	if err = o.Read("error", "a text", &stated); err == nil && stated != nil {
		err = fmt.Errorf("it states an error itself: %s", *stated)
	}
	return o, err
}

// readPlacement parses the answer of an allocator and appends the nodes to dst. It reports false if
// the job has to wait.
func readPlacement(
	dst []topology.Node, line []byte, free *allocation.FreeSet, size int,
) ([]topology.Node, bool, error) {
	o, err := readAnswer(line)
	if err != nil {
		return dst, false, err
	}
	var nodes, reserved []topology.Node
	var refused *string
	err = cmp.Or(o.Only("nodes", "reserved", "measures", "refused"),
		o.Read("nodes", "a list of nodes", &nodes), o.Read("reserved", "a list of nodes", &reserved),
		o.Read("refused", "a text", &refused))
	switch {
	case err != nil:
		return dst, false, err
	case (nodes == nil) == (refused == nil):
		return dst, false, errors.New(`it has neither nodes nor refused, or both: give the list "nodes"` +
			`, with "reserved" for further nodes, or the text "refused"`)
	case refused != nil:
		return dst, false, nil
	case len(nodes) != size:
		return dst, false, fmt.Errorf("nodes has %s: give %d, and further ones in reserved",
			input.Plural(len(nodes), "node"), size)
	}
	first := len(dst)
	dst = append(append(dst, nodes...), reserved...)
	if err := free.CheckGrant(dst[first:], size); err != nil {
		return dst[:first], false, fmt.Errorf("%w: give free nodes, each once", err)
	}
	return dst, true, nil
}

// decision is the answer of a policy.
type decision struct {
	start []scheduler.JobID // waiting jobs to start, in this order
	kill  []scheduler.JobID // running jobs to end before that
	timer *scheduler.Cycle  // cycle of a further line, 0 for none; nil leaves the timer as it is
}

// readDecision parses the answer of a policy.
func readDecision(line []byte) (d decision, err error) {
	o, err := readAnswer(line)
	if err == nil {
		err = cmp.Or(o.Only("start", "kill", "timer"), o.Read("start", "a list of jobs", &d.start),
			o.Read("kill", "a list of jobs", &d.kill), o.Read("timer", "a cycle", &d.timer))
	}
	return d, err
}
