package service

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"contend/allocation"
	"contend/experiments/service/external"
	"contend/internal/input"
	"contend/internal/written"
	"contend/router/topology"
)

// Key is a key of a line and its meaning.
type Key struct{ Name, Doc string }

// Request is a kind of request: the key that names it, and the keys that may stand beside it.
type Request struct {
	Key
	Beside []Key
}

// Requests lists the kinds of requests.
var Requests = []Request{
	{Key{"machine", "a machine of this many `nodes`: the first line of a run to its program. The " +
		"answer is `{}`, or an error if this machine has other nodes"}, nil},
	{Key{"free", "the free nodes. The allocator chooses nodes for a job among them; nothing is kept"},
		placementKeys},
	{Key{"allocate", "the name of a job, a string or a number. The allocator chooses nodes for it " +
		"among those that no job has; the job keeps them until it ends"}, placementKeys},
	{Key{"start", "the name of a job, which starts now"}, append([]Key{
		{"nodes", "its nodes, rank 0 first; without them it has those that `allocate` gave it"},
		{"shape", "the sides of its submesh, for patterns that need one"},
		{"iterations", "its length. Without a length it runs until `end`; a graph of tasks needs one"},
		{"messages", "its length, in place of iterations"},
		{"cycles", "in place of both: it sends nothing and ends after this many cycles"},
		{"seed", "the seed of what its pattern draws; by default from its name and `--seed`"}},
		jobKeys...)},
	{Key{"advance", "a cycle, or `\"next\"` for the next end of a job. Time advances to that cycle, " +
		"or to the first cycle in which jobs end if that is earlier"}, slowdownKeys},
	{Key{"end", "the name of a job, which returns its nodes now; the messages that it has sent " +
		"still arrive"}, nil},
	{Key{"status", "the name of a running job, or true for all"}, slowdownKeys},
	{Key{"save", "the name of a file, to which the state is written; it must not exist yet"}, nil},
	{Key{"load", "the name of a file, whose state replaces this one"}, nil},
}

// placementKeys are the keys of requests for nodes, slowed those of requests that can measure
// slowdowns.
var (
	placementKeys = []Key{{"size", "the number of nodes that the job needs"},
		{"shape", "the sides of the submesh that it asks for, x first"}}
	slowdownKeys = []Key{{"slowdown", "true: answer also how much slower jobs are than alone"}}
)

// jobKeys are the keys of [job] that start takes: those of the traffic of a job.
var jobKeys = jobKeysOf("pattern", "flits", "order", "repeat", "grid", "cycle", "bits", "bodies",
	"class", "bytes", "scale", "cut", "compute_cycles")

// jobKeysOf returns keys of [job] with their documentation.
func jobKeysOf(names ...string) (keys []Key) {
	for _, name := range names {
		keys = append(keys, Key{name, KeyOfJob(name)})
	}
	return keys
}

// KeyOfJob documents a key of start that is one of [job].
func KeyOfJob(name string) string { return "`job." + name + "`, by default that of the study" }

// Answers lists the keys of answers.
var Answers = []Key{
	{"id", "the id of the request"},
	{"line", "with `error`: the number of the line, from 1"},
	{"error", "what is wrong with the request, and what would be right; nothing has changed"},
	{"nodes", "the nodes of the job, rank 0 first"},
	{"reserved", "further nodes that no other job gets while it has these"},
	{"measures", "the measures of its placement that the machine has: the " +
		"[metrics](metrics.md) of placements, for this job alone"},
	{"refused", "in place of nodes: why the job has to wait"},
	{"now", "the cycle after the request"},
	{"job", "the name of the job"},
	{"ended", "the jobs that have ended"},
	{"jobs", "the jobs that run"},
	{"free", "the number of nodes that no job has"},
	{"start", "the cycle in which the job started"},
	{"end", "the cycle in which it ended"},
	{"service", "its cycles from start to end"},
	{"received", "its messages that have arrived"},
	{"messages", "all messages that it sends, if it ends by itself"},
	{"alone", "the cycles that the same job takes on the same nodes of an empty machine to its end " +
		"or, while it runs, to the same number of messages"},
	{"slowdown", "the time that this took here, divided by `alone`"},
	{"waits", "the cycles in which its head flits waited for a virtual channel, by the job `for` " +
		"whose packets held it, the longest first; these can be its own packets"},
	{"for", "the job that held the channel"},
	{"cycles", "the cycles waited"},
	{"packets", "its packets"},
	{"latency", "the sum of the times of its packets from creation to arrival"},
	{"packet_blocking_time", "the sum over its packets of the cycles in which head flits waited"},
	{"foreign_blocking_time", "the part of it owed to other jobs"},
	{"channels", "the ten channels on which head flits waited longest for packets of other jobs"},
	{"link", "the number of the channel"},
	{"kind", "network, injection or ejection"},
	{"from", "the router, or the node, at its begin"},
	{"to", "the router, or the node, at its end"},
	{"node", "the node of an injection or ejection channel"},
	{"foreign", "the cycles in which head flits waited on it for packets of other jobs, since " +
		"cycle 0"},
	{"flits", "the flits that it carried"},
	{"saved", "the file that was written"},
	{"loaded", "the file that was read"},
	{"running", "the names of the jobs that run"},
}

// request is a line of a client.
type request struct {
	input.Object                 // its keys, except for id
	kind         string          // the key that names the request
	id           json.RawMessage // nil for none
	line         []byte          // as read, valid until the next line
}

// readRequest parses a line and checks its keys. Even after an error it returns the id of the line.
func readRequest(line []byte) (*request, error) {
	r := &request{line: line}
	var err error
	if r.Object, err = input.ReadObject(line); err != nil {
		return r, err
	}
	r.id = r.Object["id"]
	delete(r.Object, "id")
	var names, allowed []string
	for _, k := range Requests {
		names = append(names, k.Name)
		if _, has := r.Object[k.Name]; !has {
			continue
		}
		if r.kind != "" {
			return r, fmt.Errorf("both %s and %s: give one", r.kind, k.Name)
		}
		r.kind, allowed = k.Name, []string{k.Name}
		for _, b := range k.Beside {
			allowed = append(allowed, b.Name)
		}
	}
	if r.kind == "" {
		return r, fmt.Errorf("no request: give one of %s", strings.Join(names, ", "))
	}
	return r, r.Only(allowed...)
}

// readLength reads the length of a job: one of three keys, "" if there is none, and its value.
func (r *request) readLength() (key string, n int64, err error) {
	what := fmt.Sprintf("a whole number from 1 to %d", int64(maxCount))
	for _, k := range []string{"messages", "iterations", "cycles"} {
		if _, has := r.Object[k]; !has {
			continue
		}
		if key != "" {
			return key, n, errors.New("several of messages, iterations and cycles: give one")
		}
		key = k
		if err := r.Read(key, what, &n); err != nil {
			return key, n, err
		}
		if n < 1 || n > maxCount {
			return key, n, fmt.Errorf("%s is %d: give %s", key, n, what)
		}
	}
	return key, n, nil
}

// maxCount bounds counts and cycles, so that sums of them fit.
const maxCount = 1 << 52

// jobName returns the name of the job of a request as JSON, independent of how the line escapes it.
func (r *request) jobName() (string, error) {
	const what = "the name of a job, a string or a number"
	text := r.Object[r.kind]
	var name any
	if err := r.Read(r.kind, what, &name); err != nil { // a number without bounds
		return "", err
	}
	switch name.(type) {
	case string:
		return string(written.JSON(name)), nil
	case float64:
		return string(text), nil
	}
	return "", fmt.Errorf("%s is %s: give %s", r.kind, input.Shortened(text), what)
}

// keyValue converts a JSON value to the type that the TOML library would return for it.
func keyValue(text json.RawMessage) any {
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	var v any
	if in.Decode(&v) != nil {
		return nil
	}
	n, is := v.(json.Number)
	if !is {
		return v
	}
	if whole, err := n.Int64(); err == nil {
		return whole
	}
	x, _ := n.Float64()
	return x
}

// grant is the nodes of a job: it uses the first size of them, and the others are reserved.
type grant struct {
	nodes []topology.Node
	size  int
}

// compareMachine answers machine: it refuses a number of nodes other than that of this machine.
func (v *Service) compareMachine(r *request) (any, error) {
	var m external.Machine
	if err := r.Read("machine", `an object, such as {"nodes":64}`, &m); err != nil {
		return nil, err
	}
	if n := v.plan.Machine.Nodes(); m.Nodes != n {
		return nil, fmt.Errorf("the machine has %d nodes, and this one %d: give --machine what fits, "+
			"such as mesh:8x8", m.Nodes, n)
	}
	return struct{}{}, nil
}

// chooseFree answers free: the nodes of a job if exactly those of the request were free.
func (v *Service) chooseFree(r *request) (any, error) {
	var list []topology.Node
	if err := r.Read("free", "a list of nodes, such as [0,1,5]", &list); err != nil {
		return nil, err
	}
	free := allocation.NewFreeSet(v.plan.Machine.Nodes())
	free.Take(free.AppendTo(nil))
	for i, n := range list {
		if n < 0 || int(n) >= free.Nodes() || free.Free(n) {
			return nil, fmt.Errorf("free has node %d: give nodes of 0 to %d, each once", n, free.Nodes()-1)
		}
		free.Release(list[i : i+1])
	}
	_, answer, err := v.placeJob(r, free)
	if err == nil {
		v.recordEvent(r, "")
	}
	return answer, err
}

// allocate answers allocate: a job gets nodes and keeps them.
func (v *Service) allocate(r *request) (any, error) {
	s := v.state
	name, err := r.jobName()
	if err != nil {
		return nil, err
	}
	if _, held := s.granted[name]; held || s.jobs[name] != nil {
		return nil, fmt.Errorf("the job %s has its nodes already: end it, or give another name", name)
	}
	g, answer, err := v.placeJob(r, s.free)
	if err != nil {
		return nil, err
	}
	v.recordEvent(r, "")
	if g.nodes != nil {
		s.free.Take(g.nodes)
		s.granted[name] = g
	}
	return answer, nil
}

// placeJob lets the allocator choose nodes, none if the job has to wait, and returns the answer.
func (v *Service) placeJob(r *request, free *allocation.FreeSet,
) (g grant, a external.Placement, err error) {
	alloc := v.state.allocator
	if alloc == nil {
		return g, a, errors.New("this machine has no allocator: start contend network with --allocator " +
			"NAME")
	}
	var req allocation.Request
	err = cmp.Or(r.Read("size", "a number of nodes", &req.Size),
		r.Read("shape", "a list of sides, such as [2,2]", &req.Shape))
	if err != nil {
		return g, a, err
	}
	if err = alloc.Check(req); err != nil {
		return g, a, fmt.Errorf("the job %w", err)
	}
	nodes, placed := alloc.Allocate(nil, free, req)
	if !placed {
		a.Refused = fmt.Sprintf("asks for %s; %d are free", input.Plural(req.Size, "node"), free.Count())
		if req.Size <= free.Count() {
			a.Refused += ", but not where the allocator could use them"
		}
		return g, a, nil
	}
	if err := free.CheckGrant(nodes, req.Size); err != nil {
		return g, a, fmt.Errorf("the allocator broke its contract: %w", err)
	}
	return grant{nodes, req.Size}, external.Placement{Nodes: nodes[:req.Size],
		Reserved: nodes[req.Size:], Measures: v.meter.Named(nodes, req.Size)}, nil
}
