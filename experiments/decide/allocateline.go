package decide

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"contend/experiments/spec/input"
	"contend/netsim/topology"
)

// ask is the kind of a request, named by its key.
type ask string

const (
	askFree     ask = "free"     // decide with these nodes free, keep nothing
	askBusy     ask = "busy"     // decide with these nodes busy, keep nothing
	askAllocate ask = "allocate" // decide and keep the nodes under a job's name
	askRelease  ask = "release"  // return the nodes of a job
)

// request is a line that has been read.
type request struct {
	kind  ask
	id    []byte          // as in the line, nil if there is none
	nodes []topology.Node // nodes of free or busy
	job   string          // name of allocate or release, as JSON
	size  int             // processors
	shape []int           // sides, nil if there are none
}

// read parses a line and returns its first error. It sets id even then, if the
// line has one.
func (r *request) read(line []byte, nodes int) error {
	line = bytes.TrimSpace(line)
	if !utf8.Valid(line) {
		return errors.New("the line is not UTF-8")
	}
	if !json.Valid(line) {
		return fmt.Errorf("the line is not JSON: %w", json.Unmarshal(line, new(any)))
	}
	if line[0] != '{' {
		return errors.New(
			`the line is not a JSON object: give one such as {"free":[0,1,5],"size":2}`)
	}
	fields, err := split(line)
	r.id = fields["id"]
	for _, kind := range []ask{askFree, askBusy, askAllocate, askRelease} {
		if value := fields[string(kind)]; value != nil && err == nil {
			err = r.readKind(kind, value, nodes)
		}
	}
	if value := fields["size"]; value != nil && err == nil {
		if r.size, err = wholeNumber("size", value); err == nil && r.size < 1 {
			err = fmt.Errorf("size is %d: a job needs at least one processor", r.size)
		}
	}
	if value := fields["shape"]; value != nil && err == nil {
		err = r.readShape(value, nodes)
	}
	if err != nil {
		return err
	}
	return r.settle(nodes)
}

// split returns the fields of a JSON object. It refuses keys that no request has and keys that are
// given twice.
func split(line []byte) (fields map[string]json.RawMessage, err error) {
	keys := []string{"free", "busy", "allocate", "release", "size", "shape", "id"}
	fields = map[string]json.RawMessage{}
	d := json.NewDecoder(bytes.NewReader(line)) // it finds no error, the line is JSON
	d.Token()
	for d.More() {
		key, _ := d.Token()
		name, value := key.(string), json.RawMessage{}
		d.Decode(&value)
		switch _, twice := fields[name]; {
		case err != nil:
		case twice:
			err = fmt.Errorf("the line has %s twice: give it once", name)
		case !slices.Contains(keys, name):
			err = fmt.Errorf("unknown key %q: %s", name, input.OneOf(name, keys))
		}
		fields[name] = value
	}
	return fields, err
}

// readKind reads what a line asks for: a list of nodes, or the name of a job.
func (r *request) readKind(kind ask, value []byte, nodes int) error {
	if r.kind != "" {
		return fmt.Errorf("both %s and %s: give one of free, busy, allocate and release", r.kind, kind)
	}
	r.kind = kind
	if kind == askFree || kind == askBusy {
		list, err := numbers(string(kind), value, "a list of nodes, such as [0,1,5]")
		for _, n := range list { // Decisions.load refuses duplicates
			if n < 0 || n >= nodes {
				return fmt.Errorf("%s has node %d: the machine has nodes 0 to %d", kind, n, nodes-1)
			}
			r.nodes = append(r.nodes, topology.Node(n))
		}
		return err
	}
	switch c := value[0]; {
	case c == '"': // the name does not depend on how the line escapes it
		var name string
		if err := json.Unmarshal(value, &name); err != nil {
			return err
		}
		r.job = string(encode(name))
	case c == '-' || c >= '0' && c <= '9':
		r.job = string(value)
	default:
		return fmt.Errorf("%s is %s: give the name of a job, a string or a number", kind, excerpt(value))
	}
	return nil
}

// readShape reads the sides of a submesh.
func (r *request) readShape(value []byte, nodes int) (err error) {
	product := 1
	r.shape, err = numbers("shape", value, "a list of sides, such as [2,2]")
	for _, side := range r.shape {
		if side < 1 {
			return fmt.Errorf("shape has a side of %d: each must be at least 1", side)
		}
		if side > nodes/product {
			return fmt.Errorf("shape has more processors than the machine, which has %d", nodes)
		}
		product *= side
	}
	if err == nil && len(r.shape) == 0 {
		err = errors.New("shape is empty: give its sides, such as [2,2], or leave it out")
	}
	return err
}

// settle checks the keys against each other and sets size.
func (r *request) settle(nodes int) error {
	product := 1
	for _, side := range r.shape {
		product *= side // readShape bounds it by the machine's nodes
	}
	switch sized := r.size > 0 || r.shape != nil; {
	case r.kind == "":
		return errors.New("the line does not say which nodes are free: " +
			"give free or busy, a list of nodes, or allocate, the name of a job")
	case r.kind == askRelease && sized:
		return errors.New("release has a size: leave it out, a job returns all of its nodes")
	case r.kind == askRelease:
		return nil
	case !sized:
		return errors.New("the line has no size: " +
			"give size, a number of processors, or shape, such as [2,2]")
	case r.size > nodes:
		return fmt.Errorf("asks for %d processors; the machine has %d", r.size, nodes)
	case r.size > 0 && r.shape != nil && r.size != product:
		return fmt.Errorf("size is %d and the shape has %d processors: leave one out",
			r.size, product)
	case r.size == 0:
		r.size = product
	}
	return nil
}

// numbers reads a list of whole numbers. right completes the error if value is no list.
func numbers(key string, value []byte, right string) (list []int, err error) {
	if value[0] != '[' {
		return nil, fmt.Errorf("%s is %s: give %s", key, excerpt(value), right)
	}
	inside := bytes.TrimSpace(value[1 : len(value)-1])
	for len(inside) > 0 {
		element, rest, _ := bytes.Cut(inside, []byte{','})
		n, err := wholeNumber(key, bytes.TrimSpace(element))
		if err != nil {
			return list, err
		}
		list, inside = append(list, n), rest
	}
	return list, nil
}

// wholeNumber reads an integer.
func wholeNumber(key string, value []byte) (int, error) {
	n, err := strconv.Atoi(string(value))
	if err != nil {
		return 0, fmt.Errorf("%s has %s: give whole numbers", key, excerpt(value))
	}
	return n, nil
}

// excerpt returns the beginning of a value, for messages.
func excerpt(value []byte) string {
	const most = 40
	if len(value) <= most {
		return string(value)
	}
	return string(bytes.ToValidUTF8(value[:most], nil)) + "..."
}
