package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"contend/internal/input"
	"contend/internal/lifetime"
	"contend/patterns"
	"contend/patterns/tasks"
)

// Question is the line to a program that is a pattern: what do the processes of a job send?
type Question struct {
	// Processes is their number, at least 1.
	Processes int `json:"processes"`
	// Shape is the submesh that the job requests, x first, or nil.
	Shape []int `json:"shape,omitempty"`
	// FlitBytes is the number of bytes in a flit, PacketFlits the largest number of flits in a packet.
	FlitBytes   int `json:"flit_bytes"`
	PacketFlits int `json:"packet_flits"`
}

// Traffic is one iteration of a job: phases or, if Tasks is not nil, a graph of tasks.
type Traffic struct {
	Phases patterns.Phases
	Tasks  *tasks.Graph
	// refused is why the program has no answer for this number of processes, or "".
	refused string
}

// maxTrafficBytes bounds the answer of a pattern.
const maxTrafficBytes = 64 << 20

// Pattern is a pattern that is a program. Several goroutines may use it at the same time.
type Pattern struct {
	command  string
	maxBytes int // of an answer, maxTrafficBytes except in tests

	mu      sync.Mutex
	life    *lifetime.Run // of the program; nil while there is none
	program runProgram
}

// NewPattern returns the pattern of a command. The program starts with the first question.
func NewPattern(command string) *Pattern {
	return &Pattern{command: command, maxBytes: maxTrafficBytes}
}

// Ask returns the answer of the program to a question. It is a *patterns.SizeError if the program
// refuses the number of processes. After another error the program ends, and the next question
// starts it again.
func (p *Pattern) Ask(q Question) (t Traffic, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.life == nil {
		life := lifetime.New(context.Background())
		if p.program, err = newProgram(p.command, life, p.maxBytes); err != nil {
			return t, err
		}
		p.life = life
	}
	p.program.ask(nil, q, func(answer []byte) (err error) {
		t, err = q.readTraffic(answer)
		return err
	})
	if err = p.life.Err(); err != nil {
		p.end()
	} else if t.refused != "" {
		err = patterns.NewSizeError(fmt.Sprintf("%s refuses processes = %d: %s",
			p.program.command.Line(), q.Processes, t.refused))
	}
	return t, err
}

// End ends the program.
func (p *Pattern) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
}

// end is End for a caller that holds the lock.
func (p *Pattern) end() {
	if p.life != nil {
		p.life.End()
		p.life = nil
	}
}

// Key is a key of an object in a line and its meaning.
type Key struct{ Name, Doc string }

// Object is the keys of a kind of object.
type Object struct {
	// What says which object it is.
	What string
	Keys []Key
}

// The objects of the lines of a pattern.
var (
	questionKeys = []Key{
		{"processes", "the number of processes of the job, from 1; ranks are 0 to `processes` - 1"},
		{"shape", "the sides of the submesh that the job asks for, x first; left out where it has none"},
		{"flit_bytes", "`network.flit_bytes`"},
		{"packet_flits", "`network.packet_flits`"}}
	trafficKeys = []Key{
		{"phases", "a list of phases, each a list of messages: a phase begins when all messages of " +
			"the one before have arrived"},
		{"tasks", "in place of phases: for each rank the list of its tasks, as in " +
			"[GOAL](../howto/task-graphs.md)"},
		{"refused", "in place of both: why the pattern does not run on this number of processes"},
		{"error", "in place of all: what keeps the program from answering; it ends the study"}}
	messageKeys = []Key{
		{"from", "the rank that sends"},
		{"to", "the rank that receives, another one"},
		{"bytes", "the length, from 0; at least one flit is sent"}}
	taskKeys = []Key{
		{"calc", "it computes for this number of nanoseconds"},
		{"send", "it sends a message of this number of bytes"},
		{"receive", "it waits for a message of at most this number of bytes, 0 for any length"},
		{"to", "of send: the rank that receives"},
		{"from", "of receive: the rank that sends"},
		{"tag", "of send and receive: a number from 0, by default 0; a receive takes messages with its " +
			"tag"},
		{"cpu", "of calc and send: the processor of the rank, from 0, by default 0; each does one task " +
			"at a time"},
		{"after", "tasks that have to end before, by their places in the list of the rank, from 0"},
		{"with", "tasks that have to begin before"}}
)

// PatternObjects lists the objects in the lines to and from a program that is a pattern.
var PatternObjects = []Object{{"the line", questionKeys}, {"the answer", trafficKeys},
	{"a message", messageKeys}, {"a task", taskKeys}}

// only returns an error if an object has a key that is not in a list.
func only(o input.Object, keys []Key) error {
	var names []string
	for _, k := range keys {
		names = append(names, k.Name)
	}
	return o.Only(names...)
}

// readTraffic parses and checks the answer to the question.
func (q *Question) readTraffic(line []byte) (a Traffic, err error) {
	o, err := readAnswer(line)
	if err == nil {
		err = only(o, trafficKeys)
	}
	if err != nil {
		return a, err
	}
	given := 0
	for _, key := range []string{"phases", "tasks", "refused"} {
		if o[key] != nil {
			given++
		}
	}
	switch {
	case given != 1:
		return a, errors.New(`it has none of phases, tasks and refused, or several: give the list ` +
			`"phases", the list "tasks" or the text "refused"`)
	case o["phases"] != nil:
		a.Phases, err = q.readPhases(o)
	case o["tasks"] != nil:
		a.Tasks, err = q.readTasks(o)
	default:
		if err = o.Read("refused", "a text", &a.refused); err == nil && a.refused == "" {
			err = errors.New("refused is empty: say which numbers of processes there are")
		}
	}
	return a, err
}

// readPhases parses the phases of an answer.
func (q *Question) readPhases(o input.Object) (patterns.Phases, error) {
	var lists [][]json.RawMessage
	if err := o.Read("phases", "a list of lists of messages", &lists); err != nil {
		return nil, err
	}
	phases := make(patterns.Phases, len(lists))
	for k, list := range lists {
		if list == nil {
			return nil, fmt.Errorf("phases[%d] is null: give a list of messages", k)
		}
		phases[k] = make([]patterns.Transfer, len(list))
		for i, text := range list {
			var err error
			if phases[k][i], err = q.readMessage(text); err != nil {
				return nil, fmt.Errorf("phases[%d][%d]: %w", k, i, err)
			}
		}
		slices.SortStableFunc(phases[k], func(a, b patterns.Transfer) int {
			return int(a.From - b.From)
		})
	}
	return phases, nil
}

// readMessage parses a message of a phase.
func (q *Question) readMessage(text []byte) (m patterns.Transfer, err error) {
	r := objectReader{}
	if r.Object, r.err = input.ReadObject(text); r.err == nil {
		r.err = only(r.Object, messageKeys)
	}
	m.From, m.To = r.rank("from", q), r.rank("to", q)
	m.Bytes = r.number("bytes", 0, q.maxBytes(), required)
	if r.err == nil && m.From == m.To {
		r.err = fmt.Errorf("from and to are both %d: leave out what a process keeps", m.From)
	}
	return m, r.err
}

// readTasks parses and checks the tasks of an answer.
func (q *Question) readTasks(o input.Object) (*tasks.Graph, error) {
	var lists [][]json.RawMessage
	if err := o.Read("tasks", "a list of lists of tasks", &lists); err != nil {
		return nil, err
	}
	if len(lists) != q.Processes {
		return nil, fmt.Errorf("tasks has %s: give one for each of the %s",
			input.Plural(len(lists), "list"), input.Plural(q.Processes, "rank"))
	}
	g := &tasks.Graph{Ranks: make([][]tasks.Task, len(lists))}
	for r, list := range lists {
		g.Ranks[r] = make([]tasks.Task, len(list))
		for i, text := range list {
			var err error
			if g.Ranks[r][i], err = q.readTask(text, len(list)); err != nil {
				return nil, fmt.Errorf("tasks[%d][%d]: %w", r, i, err)
			}
		}
	}
	if err := g.Check(); err != nil {
		return nil, fmt.Errorf("%w: give each send one receive and each receive one send, and no tasks "+
			"that wait for each other", err)
	}
	return g, nil
}

// kindKeys are the keys of each kind of task beside after and with.
var kindKeys = [...][]string{tasks.Calc: {"calc", "cpu"}, tasks.Send: {"send", "to", "tag", "cpu"},
	tasks.Receive: {"receive", "from", "tag"}}

// readTask parses a task of a rank that has a number of tasks.
func (q *Question) readTask(text []byte, tasksOfRank int) (t tasks.Task, err error) {
	r := objectReader{}
	if r.Object, r.err = input.ReadObject(text); r.err == nil {
		r.err = only(r.Object, taskKeys)
	}
	if r.err != nil {
		return t, r.err
	}
	kinds := 0
	for k, keys := range kindKeys {
		if r.Object[keys[0]] != nil {
			t.Kind, kinds = tasks.Kind(k), kinds+1
		}
	}
	if kinds != 1 {
		return t, errors.New("it has none of calc, send and receive, or several: give one")
	}
	if err := r.Only(append(slices.Clone(kindKeys[t.Kind]), "after", "with")...); err != nil {
		return t, err
	}
	switch t.Kind {
	case tasks.Calc:
		t.Time = r.number("calc", 0, tasks.MaxTime, required)
	case tasks.Send:
		t.Bytes, t.Peer = r.number("send", 0, q.maxBytes(), required), r.rank("to", q)
	case tasks.Receive:
		t.Bytes, t.Peer = r.number("receive", 0, q.maxBytes(), required), r.rank("from", q)
	}
	t.Tag, t.CPU = int32(r.number("tag", 0, math.MaxInt32, 0)), int32(r.number("cpu", 0, maxCPU, 0))
	t.After, t.With = r.places("after", tasksOfRank), r.places("with", tasksOfRank)
	return t, r.err
}

// maxCPU is the greatest number of a processor of a rank.
const maxCPU = 1<<16 - 1

// maxBytes returns the length of the longest message.
func (q *Question) maxBytes() int64 { return (math.MaxInt32 - 1) * int64(q.FlitBytes) }

// required has objectReader.number refuse an absent key.
const required = -1

// objectReader reads the values of an object. After an error it returns zeros.
type objectReader struct {
	input.Object
	err error
}

// number returns a whole number within bounds, or absent if the key is left out.
func (r *objectReader) number(key string, low, high, absent int64) int64 {
	n, what := absent, fmt.Sprintf("a whole number from %d to %d", low, high)
	if r.err == nil {
		r.err = r.Read(key, what, &n)
	}
	switch text := r.Object[key]; {
	case r.err != nil:
		return 0
	case text == nil && absent == required:
		r.err = fmt.Errorf("%s is missing: give %s", key, what)
	case text != nil && (n < low || n > high):
		r.err = fmt.Errorf("%s is %d: give %s", key, n, what)
	}
	return n
}

// rank returns the rank that a key has.
func (r *objectReader) rank(key string, q *Question) patterns.Rank {
	return patterns.Rank(r.number(key, 0, int64(q.Processes-1), required))
}

// places returns the places of tasks in the list of their rank.
func (r *objectReader) places(key string, tasks int) (list []int32) {
	what := fmt.Sprintf("a list of places from 0 to %d", tasks-1)
	if r.err == nil {
		r.err = r.Read(key, what, &list)
	}
	for _, at := range list {
		if r.err == nil && (at < 0 || int(at) >= tasks) {
			r.err = fmt.Errorf("%s has the place %d: give %s", key, at, what)
		}
	}
	return list
}
