package decide

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"contend/experiments/spec"
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

// requestKeys lists the keys of a request.
var requestKeys = func() []string {
	var keys []string
	for _, k := range RequestInfos() {
		keys = append(keys, k.Name)
	}
	return keys
}()

// decisionRequest is a line that has been read. Later lines reuse its memory.
type decisionRequest struct {
	kind  ask
	id    []byte          // as in the line, nil if there is none
	nodes []topology.Node // nodes of free or busy
	job   string          // name of allocate or release, as JSON
	size  int             // processors
	shape []int           // sides, nil if there are none

	sides []int // memory of shape
	seen  uint  // a bit for each of requestKeys in the line
}

// read parses a line and returns its first error. It sets id even then, if the
// line has one.
func (r *decisionRequest) read(line []byte, nodes int) error {
	r.kind, r.id, r.job, r.size, r.shape, r.seen, r.nodes = "", nil, "", 0, nil, 0, r.nodes[:0]
	line = bytes.TrimSpace(line)
	switch {
	case !utf8.Valid(line):
		return errors.New("the line is not UTF-8")
	case !json.Valid(line):
		return fmt.Errorf("the line is not JSON: %w", jsonError(line))
	case line[0] != '{':
		return errors.New(
			`the line is not a JSON object: give one such as {"free":[0,1,5],"size":2}`)
	}
	var first error
	for rest := line[1:]; ; {
		key, value, after, ok := nextField(rest)
		if !ok {
			break
		}
		if err := r.field(key, value, nodes); err != nil && first == nil {
			first = err
		}
		rest = after
	}
	if first != nil {
		return first
	}
	return r.settle(nodes)
}

// field reads one key with its value.
func (r *decisionRequest) field(name, value []byte, nodes int) (err error) {
	i := slices.IndexFunc(requestKeys, func(k string) bool { return k == string(name) })
	switch {
	case i < 0:
		return fmt.Errorf("unknown key %q: %s", name, spec.OneOf(string(name), requestKeys))
	case r.seen>>i&1 != 0:
		return fmt.Errorf("the line has %s twice: give it once", name)
	}
	r.seen |= 1 << i
	switch key := requestKeys[i]; key {
	case "id":
		r.id = value
	case "size":
		r.size, err = wholeNumber("size", value)
		if err == nil && r.size < 1 {
			err = fmt.Errorf("size is %d: a job needs at least one processor", r.size)
		}
	case "shape":
		return r.readShape(value, nodes)
	default:
		if r.kind != "" {
			return fmt.Errorf("both %s and %s: give one of free, busy, allocate and release",
				r.kind, key)
		}
		r.kind = ask(key)
		if r.kind == askFree || r.kind == askBusy {
			return r.readNodes(value, nodes)
		}
		if c := value[0]; c != '"' && c != '-' && (c < '0' || c > '9') {
			return fmt.Errorf("%s is %s: give the name of a job, a string or a number",
				key, excerpt(value))
		}
		r.job = canonicalName(value)
	}
	return err
}

// canonicalName returns a job's name as JSON. It does not depend on how the line
// escapes the name.
func canonicalName(value []byte) string {
	if value[0] != '"' {
		return string(value)
	}
	return string(appendJSON(nil, string(unquoted(value))))
}

// settle checks the keys against each other and sets size.
func (r *decisionRequest) settle(nodes int) error {
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

// readNodes reads a list of nodes. Decisions.load refuses duplicates.
func (r *decisionRequest) readNodes(value []byte, nodes int) error {
	return eachNumber(string(r.kind), value, "a list of nodes, such as [0,1,5]", func(n int) error {
		if n < 0 || n >= nodes {
			return fmt.Errorf("%s has node %d: the machine has nodes 0 to %d", r.kind, n, nodes-1)
		}
		r.nodes = append(r.nodes, topology.Node(n))
		return nil
	})
}

// readShape reads the sides of a submesh.
func (r *decisionRequest) readShape(value []byte, nodes int) error {
	r.sides = r.sides[:0]
	product := 1
	err := eachNumber("shape", value, "a list of sides, such as [2,2]", func(side int) error {
		if side < 1 {
			return fmt.Errorf("shape has a side of %d: each must be at least 1", side)
		}
		if side > nodes/product {
			return fmt.Errorf("shape has more processors than the machine, which has %d", nodes)
		}
		product *= side
		r.sides = append(r.sides, side)
		return nil
	})
	if err == nil && len(r.sides) == 0 {
		err = errors.New("shape is empty: give its sides, such as [2,2], or leave it out")
	}
	r.shape = r.sides
	return err
}

// eachNumber calls use with each number of a list in valid JSON. right completes
// the error if value is not a list.
func eachNumber(key string, list []byte, right string, use func(n int) error) error {
	if list[0] != '[' {
		return fmt.Errorf("%s is %s: give %s", key, excerpt(list), right)
	}
	for rest := skipTo(list[1:]); rest[0] != ']'; {
		value, after := cutValue(rest)
		n, err := wholeNumber(key, value)
		if err == nil {
			err = use(n)
		}
		if err != nil {
			return err
		}
		rest = skipTo(after)
	}
	return nil
}

// wholeNumber reads an integer.
func wholeNumber(key string, value []byte) (int, error) {
	n, err := strconv.Atoi(string(value))
	if err != nil {
		return 0, fmt.Errorf("%s has %s: give whole numbers", key, excerpt(value))
	}
	return n, nil
}
