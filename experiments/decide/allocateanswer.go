package decide

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"contend/allocation"
	"contend/experiments/cosim"
	"contend/netsim/topology"
)

// appendAnswer appends the fields of an allocator's answer. It reports false if
// the answer states an error.
func (d *Decisions) appendAnswer(dst []byte, x *decider) ([]byte, bool) {
	r := &d.request
	switch r.kind {
	case askRelease:
		h := x.held[r.job]
		x.free.Release(h.nodes)
		delete(x.held, r.job)
		return appendNodes(dst, "released", h.nodes), true
	case askAllocate:
		if h, ok := x.held[r.job]; ok { // another allocator refused the job before
			if h.size != r.size {
				err := fmt.Errorf("the job %s has %d nodes already: "+
					"release them, or give another name", r.job, h.size)
				return d.appendError(dst, err), false
			}
			return d.appendPlacement(dst, h), true
		}
		return d.decide(dst, x, x.free)
	}
	return d.decide(dst, x, d.free)
}

// decide appends the fields of a new decision.
func (d *Decisions) decide(dst []byte, x *decider, free *allocation.FreeSet) ([]byte, bool) {
	r := &d.request
	req := allocation.Request{Size: r.size, Shape: r.shape}
	if err := x.alloc.Check(req); err != nil {
		return d.appendError(dst, err), false
	}
	placed := false
	x.taken, placed = x.alloc.Allocate(x.taken[:0], free, req)
	if !placed {
		return appendRefusal(dst, req, free.Count()), true
	}
	if err := d.checkAnswer(x.taken, free, r.size); err != nil {
		return d.appendError(dst, fmt.Errorf("the allocator broke its contract: %w", err)), false
	}
	h := holding{x.taken, r.size}
	if r.kind == askAllocate {
		h.nodes = slices.Clone(h.nodes)
		x.free.Take(h.nodes)
		x.held[r.job] = h
	}
	dst = d.appendPlacement(dst, h)
	if e, ok := x.alloc.(allocation.Explorer); ok {
		explored, proven := e.Explored()
		dst = appendInt(dst, "explored", int64(explored))
		dst = strconv.AppendBool(appendName(dst, "proven"), proven)
	}
	return dst, true
}

// appendRefusal appends the reason why a job has to wait.
func appendRefusal(dst []byte, req allocation.Request, free int) []byte {
	dst = strconv.AppendInt(append(dst, `"refused":"asks for `...), int64(req.Size), 10)
	dst = strconv.AppendInt(append(dst, " processors; "...), int64(free), 10)
	dst = append(dst, " are free"...)
	if req.Size <= free {
		dst = append(dst, ", but not where the allocator could use them"...)
	}
	return appendInt(append(dst, '"'), "free", int64(free))
}

// appendPlacement appends the nodes of a job and their quality.
func (d *Decisions) appendPlacement(dst []byte, h holding) []byte {
	dst = appendNodes(dst, "nodes", h.nodes[:h.size])
	if len(h.nodes) > h.size {
		dst = appendNodes(append(dst, ','), "reserved", h.nodes[h.size:])
	}
	return appendQuality(&d.meter, dst, h)
}

// appendQuality appends the measures that are defined on the machine.
func appendQuality(m *cosim.PlacementMeter, dst []byte, h holding) []byte {
	if !m.Measures() {
		return dst
	}
	q := m.Measure(h.nodes, h.size)
	dst = appendInt(dst, "sum_pairwise_distance", q.Used.PairwiseSum)
	dst = appendNumber(dst, "mean_pairwise_distance", q.Used.PairwiseMean)
	dst = appendInt(dst, "components", int64(q.Used.Components))
	dst = appendInt(dst, "span_linear", int64(q.Held.LinearSpan))
	dst = appendInt(dst, "span_ring", int64(q.Held.RingSpan))
	if m.Defined(cosim.WithBoxes) {
		dst = appendBox(m, dst, &q.Held)
	}
	if m.Defined(cosim.TreesOnly) {
		dst = appendInt(dst, "tree_level", int64(q.Tree.Level))
		dst = appendInt(dst, "least_tree_level", int64(q.Tree.JobLevel))
		dst = appendInt(dst, "nodes_away", int64(q.Tree.Away))
	}
	if m.Defined(cosim.WithGroups) {
		dst = appendInt(dst, "groups_spanned", int64(q.Groups))
	}
	return dst
}

// appendBox appends the measures of the bounding box.
func appendBox(m *cosim.PlacementMeter, dst []byte, q *allocation.Quality) []byte {
	if m.Dims <= len(q.Sides) {
		dst = append(dst, `,"sides":[`...)
		for i, side := range q.Sides[:m.Dims] {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = strconv.AppendInt(dst, int64(side), 10)
		}
		dst = append(dst, ']')
	}
	dst = appendInt(dst, "side_sum", int64(q.SideSum))
	dst = appendNumber(dst, "dispersal", q.Dispersal)
	dst = appendNumber(dst, "weighted_dispersal", q.WeightedDispersal)
	return appendNumber(dst, "bounding_cube_ratio", q.CubeRatio)
}

// appendError appends the number of the line and its error.
func (d *Decisions) appendError(dst []byte, err error) []byte {
	dst = strconv.AppendInt(append(dst, `"line":`...), int64(d.line), 10)
	return appendJSON(append(dst, `,"error":`...), err.Error())
}

// appendInt appends a field with an integer.
func appendInt(dst []byte, name string, n int64) []byte {
	return strconv.AppendInt(appendName(dst, name), n, 10)
}

// appendNumber appends a field with a number.
func appendNumber(dst []byte, name string, x float64) []byte {
	return strconv.AppendFloat(appendName(dst, name), x, 'f', -1, 64)
}

// appendName appends a comma and the name of a field.
func appendName(dst []byte, name string) []byte {
	return append(append(append(dst, `,"`...), name...), `":`...)
}

// appendNodes appends a list of nodes as the first field.
func appendNodes(dst []byte, name string, nodes []topology.Node) []byte {
	dst = append(append(append(dst, '"'), name...), `":[`...)
	for i, n := range nodes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return append(dst, ']')
}

// appendJSON appends a text as a JSON string.
func appendJSON(dst []byte, text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic("decide: a text that JSON cannot encode: " + err.Error())
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// checkAnswer tests that an allocator granted at least as many nodes as asked for, each
// free and each once.
func (d *Decisions) checkAnswer(nodes []topology.Node, free *allocation.FreeSet, size int) error {
	if len(nodes) < size {
		return fmt.Errorf("it granted %d nodes for %d", len(nodes), size)
	}
	if d.granted == nil {
		d.granted = make([]bool, d.nodes)
	}
	var err error
	marked := 0
	for _, n := range nodes {
		if n < 0 || int(n) >= d.nodes || !free.Free(n) {
			err = fmt.Errorf("node %d is not free", n)
			break
		}
		if d.granted[n] {
			err = fmt.Errorf("node %d was granted twice", n)
			break
		}
		d.granted[n] = true
		marked++
	}
	for _, n := range nodes[:marked] {
		d.granted[n] = false
	}
	return err
}
