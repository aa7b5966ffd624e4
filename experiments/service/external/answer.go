package external

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"contend/allocation"
	"contend/internal/input"

	"contend/router/topology"
	"contend/scheduler"
)

// read decodes an answer, which must be one JSON object. Where it is strict, unknown keys are
// errors, which says the keys there are.
func read(line []byte, to any, strict bool, keys string) error {
	if !utf8.Valid(line) {
		return input.Bad("", "write UTF-8", "it is not UTF-8")
	}
	if err := input.CheckJSON(line); err != nil {
		return input.Bad("", "write one JSON object in a line, and other text to standard error",
			"it is not one JSON object: %v", err)
	}
	in := json.NewDecoder(bytes.NewReader(line))
	if strict {
		in.DisallowUnknownFields()
	}
	err := in.Decode(to)
	if err == nil {
		return nil
	}
	var bad *json.UnmarshalTypeError
	switch {
	case errors.As(err, &bad) && bad.Field != "":
		return input.Bad("", "give "+keys, "%s has the %s", bad.Field, bad.Value)
	case errors.As(err, &bad):
		return input.Bad("", "give "+keys, "it is the JSON %s", bad.Value)
	}
	return input.Bad("", "give "+keys, "it has an %s", strings.TrimPrefix(err.Error(), "json: "))
}

// stated is an error that the program states itself.
type stated struct {
	Error *string `json:"error"`
}

func (s *stated) err() error {
	if s.Error == nil {
		return nil
	}
	return input.Bad("", "", "it states an error itself: %s", *s.Error)
}

// readHello reads the answer to the description of the machine.
func readHello(line []byte) error {
	var a stated
	if err := read(line, &a, false, `{}, or the text "error"`); err != nil {
		return err
	}
	return a.err()
}

// measures are what contend allocate says of the nodes that it chose, and of the request.
type measures struct {
	ID         json.RawMessage `json:"id"`
	Sum        json.RawMessage `json:"sum_pairwise_distance"`
	Mean       json.RawMessage `json:"mean_pairwise_distance"`
	Components json.RawMessage `json:"components"`
	Linear     json.RawMessage `json:"span_linear"`
	Ring       json.RawMessage `json:"span_ring"`
	Sides      json.RawMessage `json:"sides"`
	SideSum    json.RawMessage `json:"side_sum"`
	Dispersal  json.RawMessage `json:"dispersal"`
	Weighted   json.RawMessage `json:"weighted_dispersal"`
	CubeRatio  json.RawMessage `json:"bounding_cube_ratio"`
	Level      json.RawMessage `json:"tree_level"`
	Least      json.RawMessage `json:"least_tree_level"`
	Away       json.RawMessage `json:"nodes_away"`
	Groups     json.RawMessage `json:"groups_spanned"`
	Explored   json.RawMessage `json:"explored"`
	Proven     json.RawMessage `json:"proven"`
	Free       json.RawMessage `json:"free"`
}

// allocatorKeys are what an allocator may answer.
const allocatorKeys = `the list "nodes", with "reserved" for further nodes, or the text "refused"`

// readPlace reads the answer of an allocator and appends the nodes to dst. It reports false if the
// request has to wait. The measures and the id that contend allocate adds are read over; any other
// key is an error.
func readPlace(
	dst []topology.Node, line []byte, free *allocation.FreeSet, size int,
) ([]topology.Node, bool, error) {
	var a struct {
		Nodes    *[]topology.Node `json:"nodes"`
		Reserved []topology.Node  `json:"reserved"`
		Refused  *string          `json:"refused"`
		stated
		measures
	}
	err := read(line, &a, true, allocatorKeys)
	if err == nil {
		err = a.err()
	}
	switch {
	case err != nil:
		return dst, false, err
	case (a.Nodes == nil) == (a.Refused == nil):
		return dst, false, input.Bad("", "give "+allocatorKeys,
			"it has neither nodes nor refused, or both")
	case a.Refused != nil:
		return dst, false, nil
	case len(*a.Nodes) != size:
		return dst, false, input.Bad("", fmt.Sprintf("give %d, and further ones in reserved", size),
			"nodes has %s", input.Plural(len(*a.Nodes), "node"))
	}
	first := len(dst)
	dst = append(append(dst, *a.Nodes...), a.Reserved...)
	if err := free.CheckGrant(dst[first:], size); err != nil {
		return dst[:first], false, input.Bad("", "give free nodes, each once", "%v", err)
	}
	return dst, true, nil
}

// decision is the answer of a policy.
type decision struct {
	// Start are waiting jobs to start, in this order, and Kill running jobs to end before that.
	Start []scheduler.JobID `json:"start"`
	Kill  []scheduler.JobID `json:"kill"`
	// Timer is the cycle at which to ask again, 0 for none; nil leaves the timer as it is.
	Timer *scheduler.Cycle `json:"timer"`
	stated
}

// policyKeys are what a policy may answer.
const policyKeys = `the lists of jobs "start" and "kill", and the cycle "timer"`

// readDecision reads the answer of a policy.
func readDecision(line []byte) (d decision, err error) {
	if err = read(line, &d, true, policyKeys); err == nil {
		err = d.err()
	}
	return d, err
}
