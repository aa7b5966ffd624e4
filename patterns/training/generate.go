package training

import (
	"cmp"
	"fmt"

	"contend/patterns"
	"contend/patterns/tasks"
)

// Graph returns the tasks of a step of a job of n ranks.
func (s Step) Graph(n int) (*tasks.Graph, error) {
	s, err := s.Fit(n)
	if err != nil {
		return nil, err
	}
	made := map[codeKey]patterns.Code{}
	g := &tasks.Graph{Ranks: make([][]tasks.Task, n)}
	for r := range n {
		w := &writer{Step: &s, codes: made, place: s.placeOf(r)}
		for a := range w.groups {
			w.groups[a], w.members[a] = s.axis(w.place, axis(a))
		}
		if w.step(); w.err != nil {
			return nil, w.err
		}
		g.Ranks[r] = w.list
	}
	return g, nil
}

// codeKey identifies a code, which all ranks share.
type codeKey struct {
	kind  Kind
	n     int
	bytes int64
}

// writer writes the tasks of a rank.
type writer struct {
	*Step
	codes map[codeKey]patterns.Code
	place
	groups  [4]Group // by axis
	members [4]int
	list    []tasks.Task
	// done are the tasks that the rank's next task of a pass waits for. summed are those that the
	// next sum of gradients waits for: the messages of a group follow each other.
	done, summed []int32
	// dense and expert are the bytes of gradients that wait for their bucket: of all ranks along
	// data, and of ranks with the same expert.
	dense, expert int64
	err           error // the first error of a collective
}

// pass is a forward or backward pass of a microbatch.
type pass struct {
	backward bool
	last     bool // the last one of a step
}

// passes returns the passes of a stage in the order 1F1B.
func (s *Step) passes(stage int) (list []pass) {
	ahead := min(s.Pipeline-1-stage, s.Microbatches)
	for range ahead {
		list = append(list, pass{})
	}
	for range s.Microbatches - ahead {
		list = append(list, pass{}, pass{backward: true})
	}
	for range ahead {
		list = append(list, pass{backward: true})
	}
	list[len(list)-1].last = true
	return list
}

// step writes the passes of the rank.
func (w *writer) step() {
	for _, p := range w.passes(w.stage) {
		from, to, tag := w.stage-1, w.stage+1, forwardTag
		if p.backward {
			from, to, tag = to, from, backwardTag
		}
		w.receive(from, tag)
		for k := range w.stageLayers() {
			if ranks := w.Ranks(); len(w.list) > MaxTasks/ranks {
				w.err = fmt.Errorf("a step of %d ranks has more than %d tasks: take fewer layers or "+
					"microbatches, or an algorithm of fewer messages", ranks, MaxTasks)
				return
			}
			if p.backward {
				w.backward(p, k == w.stageLayers()-1)
			} else {
				w.forward()
			}
		}
		w.send(to, tag)
	}
}

// forward writes a layer of a forward pass.
func (w *writer) forward() {
	attention, perceptron := w.times()
	w.compute(attention, "forward pass")
	w.collective(AllReduce, tensorAxis)
	w.collective(AllToAll, expertAxis)
	w.compute(perceptron, "forward pass")
	w.collective(AllReduce, tensorAxis)
	w.collective(AllToAll, expertAxis)
}

// backward writes a layer of a backward pass, the last of its stage or not.
func (w *writer) backward(p pass, last bool) {
	attention, perceptron := w.times()
	w.collective(AllToAll, expertAxis)
	w.compute(2*perceptron, "backward pass")
	w.collective(AllReduce, tensorAxis)
	w.collective(AllToAll, expertAxis)
	w.compute(2*attention, "backward pass")
	w.collective(AllReduce, tensorAxis)
	if !p.last {
		return
	}
	dense, expert := w.gradients()
	if w.Expert == 1 {
		dense, expert = dense+expert, 0
	}
	w.dense, w.expert = w.dense+dense, w.expert+expert
	if last || w.dense+w.expert >= w.Bucket {
		w.sum()
	}
}

// sum writes the sums of a bucket of gradients, beside the passes that follow.
func (w *writer) sum() {
	if w.summed == nil {
		w.summed = w.done
	} else {
		w.summed = append(w.done[:len(w.done):len(w.done)], w.summed...)
	}
	w.summed = w.append(AllReduce, dataAxis, w.dense, w.summed, "sum of gradients")
	if w.expert > 0 {
		w.summed = w.append(AllReduce, sameExpertAxis, w.expert, w.summed, "sum of gradients of experts")
	}
	w.dense, w.expert = 0, 0
}

// compute writes a computation that the pass waits for.
func (w *writer) compute(time int64, name string) {
	w.add(tasks.Task{Kind: tasks.Calc, CPU: ComputeStream, Time: time, After: w.done, Name: name})
	w.done = []int32{int32(len(w.list)) - 1}
}

// collective writes a collective on activations that the pass waits for.
func (w *writer) collective(k Kind, of axis) {
	w.done = w.append(k, of, w.activation(), w.done, "collective of activations")
}

// append writes a collective that begins after the given tasks and returns the tasks that end it.
func (w *writer) append(k Kind, of axis, bytes int64, after []int32, name string) []int32 {
	g := w.groups[of]
	if len(g) == 1 {
		return after
	}
	key := codeKey{k, len(g), bytes}
	code := w.codes[key]
	if code == nil {
		var err error
		if code, err = Code(k, w.Algorithm, len(g), bytes); err != nil {
			w.err = cmp.Or(w.err, err)
			return after
		}
		w.codes[key] = code
	}
	w.list, after = AppendCollective(w.list, code, g, w.members[of], int32(of), after, name)
	return after
}

// receive makes the pass wait for activations of another stage, or for their gradients.
func (w *writer) receive(stage int, tag axis) {
	if stage < 0 || stage >= w.Pipeline {
		return
	}
	w.add(tasks.Task{Kind: tasks.Receive, Peer: w.other(stage), Tag: int32(tag),
		Name: "receive from another stage"})
	w.done = append(w.done[:len(w.done):len(w.done)], int32(len(w.list))-1)
}

// send sends the result of a pass to another stage. Nothing waits for it.
func (w *writer) send(stage int, tag axis) {
	if stage < 0 || stage >= w.Pipeline {
		return
	}
	w.add(tasks.Task{Kind: tasks.Send, CPU: MessageStream, Peer: w.other(stage), Tag: int32(tag),
		Bytes: w.activation(), After: w.done, Name: "send to another stage"})
}

// other returns the rank at the same place of another stage.
func (w *writer) other(stage int) patterns.Rank {
	return w.rankAt(place{w.tensor, w.place.data, stage})
}

// add adds a task to the rank.
func (w *writer) add(t tasks.Task) { w.list = append(w.list, t) }
