package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"contend/internal/input"

	"contend/router/topology"
)

// ask is the kind of a request, named by its key.
type ask string

const (
	askFree     ask = "free"     // decide with these nodes free, keep nothing
	askBusy     ask = "busy"     // decide with these nodes busy, keep nothing
	askAllocate ask = "allocate" // decide and keep the nodes under a job's name
	askRelease  ask = "release"  // return the nodes of a job
	askMachine  ask = "machine"  // check that the machine is the expected one
)

// allocateRequest is a line that has been read.
type allocateRequest struct {
	kind  ask
	id    []byte          // as in the line, nil if there is none
	nodes []topology.Node // nodes of free or busy
	job   string          // name of allocate or release, as JSON
	size  int             // processors
	shape []int           // sides, nil if there are none
}

// fields are the keys of a line.
type fields struct {
	Free     *[]topology.Node `json:"free"`
	Busy     *[]topology.Node `json:"busy"`
	Allocate json.RawMessage  `json:"allocate"`
	Release  json.RawMessage  `json:"release"`
	Machine  *askedMachine    `json:"machine"`
	Size     *int             `json:"size"`
	Shape    *[]int           `json:"shape"`
	ID       json.RawMessage  `json:"id"`
}

// askedMachine is the machine of the other program, of which the number of nodes counts.
type askedMachine struct{ nodes int }

// UnmarshalJSON reads the number of nodes and no other key.
func (m *askedMachine) UnmarshalJSON(text []byte) error {
	var k struct {
		Nodes int `json:"nodes"`
	}
	err := json.Unmarshal(text, &k)
	m.nodes = k.Nodes
	return err
}

// read parses a line and returns its first error. It sets id even then, if the
// line has one.
func (r *allocateRequest) read(line []byte, nodes int) error {
	if !utf8.Valid(line) {
		return errors.New("the line is not UTF-8")
	}
	if err := input.CheckJSON(line); err != nil {
		return fmt.Errorf("the line is not a JSON object: %w", err)
	}
	var f fields
	in := json.NewDecoder(bytes.NewReader(line))
	in.DisallowUnknownFields()
	err := in.Decode(&f)
	if r.id = f.ID; err != nil {
		return readable(err)
	}
	if f.Machine != nil {
		r.kind = askMachine
		return r.check(f.Machine, nodes)
	}
	for _, a := range []struct {
		kind  ask
		nodes *[]topology.Node
		job   []byte
	}{{askFree, f.Free, nil}, {askBusy, f.Busy, nil}, {askAllocate, nil, f.Allocate},
		{askRelease, nil, f.Release}} {
		switch {
		case a.nodes == nil && a.job == nil:
			continue
		case r.kind != "":
			return fmt.Errorf("both %s and %s: give one of free, busy, allocate and release", r.kind,
				a.kind)
		case a.nodes != nil:
			r.nodes = *a.nodes
		default:
			name, err := input.JobName(string(a.kind), a.job)
			if err != nil {
				return err
			}
			r.job = name
		}
		r.kind = a.kind
	}
	for _, n := range r.nodes { // Decisions.load refuses duplicates
		if n < 0 || int(n) >= nodes {
			return fmt.Errorf("%s has node %d: the machine has nodes 0 to %d", r.kind, n, nodes-1)
		}
	}
	return r.settle(&f, nodes)
}

// check refuses the machine of another program that is not this one.
func (r *allocateRequest) check(m *askedMachine, nodes int) error {
	if m.nodes != nodes {
		return fmt.Errorf("the machine has %d nodes, and this one %d: give --machine what fits, such as "+
			"mesh:8x8", m.nodes, nodes)
	}
	return nil
}

// readable says in the words of a request what encoding/json finds wrong with it.
func readable(err error) error {
	var bad *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &bad):
		return fmt.Errorf("the line has an %s: there are free, busy, allocate, release, size, shape, id",
			strings.TrimPrefix(err.Error(), "json: "))
	case bad.Field == "":
		return errors.New(
			`the line is not a JSON object: give one such as {"free":[0,1,5],"size":2}`)
	case bad.Type.Kind() == reflect.Slice:
		return fmt.Errorf("%s is a %s: give a list, such as [0,1,5]", bad.Field, bad.Value)
	}
	return fmt.Errorf("%s has the %s: give whole numbers", bad.Field, bad.Value)
}

// settle checks size and shape, and sets them.
func (r *allocateRequest) settle(f *fields, nodes int) error {
	product := 1
	if f.Shape != nil {
		r.shape = *f.Shape
	}
	for _, side := range r.shape {
		if side < 1 {
			return fmt.Errorf("shape has a side of %d: each must be at least 1", side)
		}
		if side > nodes/product {
			return fmt.Errorf("shape has more processors than the machine, which has %d", nodes)
		}
		product *= side
	}
	if r.size = product; f.Size != nil {
		r.size = *f.Size
	}
	switch {
	case r.kind == "":
		return errors.New("the line does not say which nodes are free: " +
			"give free or busy, a list of nodes, or allocate, the name of a job")
	case r.kind == askRelease && (f.Size != nil || f.Shape != nil):
		return errors.New("release has a size: leave it out, a job returns all of its nodes")
	case r.kind == askRelease:
		return nil
	case f.Size == nil && f.Shape == nil:
		return errors.New("the line has no size: " +
			"give size, a number of processors, or shape, such as [2,2]")
	case f.Shape != nil && len(r.shape) == 0:
		return errors.New("shape is empty: give its sides, such as [2,2], or leave it out")
	case r.size < 1:
		return fmt.Errorf("size is %d: a job needs at least one processor", r.size)
	case r.size > nodes:
		return fmt.Errorf("asks for %d processors; the machine has %d", r.size, nodes)
	case f.Shape != nil && r.size != product:
		return fmt.Errorf("size is %d and the shape has %d processors: leave one out",
			r.size, product)
	}
	return nil
}
