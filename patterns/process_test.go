package patterns

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Random scripts with random delivery: at every moment each process has sent all it can
// and nothing it may not, and all processes end.
func TestProcessesSendWhatTheyMay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := scripts(t)
		m := model{s, map[channelKey]map[int32]int{}}
		p := NewProcesses(s.n, s.lists.Part)
		p.At(0)
		sent := make([][]Message, s.n)
		flight := p.Start(nil)
		all := slices.Clone(flight)
		for {
			for _, f := range all {
				f.Delay = 0
				sent[f.From] = append(sent[f.From], f)
			}
			for r := range Rank(s.n) {
				if want := m.sent(r); !slices.Equal(sent[r], want) {
					t.Fatalf("process %d sent %v, want %v", r, sent[r], want)
				}
			}
			if len(flight) == 0 {
				break
			}
			if p.Done() {
				t.Fatal("done with messages under way")
			}
			i := rapid.IntRange(0, len(flight)-1).Draw(t, "delivered")
			f := flight[i]
			flight = slices.Delete(flight, i, i+1)
			k := channelKey{f.From, f.To, f.Tag}
			if m.arrived[k] == nil {
				m.arrived[k] = map[int32]int{}
			}
			m.arrived[k][f.Flits]++
			all = p.Delivered(nil, f)
			flight = append(flight, all...)
		}
		if !p.Done() {
			t.Fatal("not done")
		}
	})
}

// script is a random script and how it was made.
type script struct {
	n     int
	lists Lists
}

// scripts draws a script that ends. It is the record of one execution, in which every
// process receives a message after it was sent.
func scripts(t *rapid.T) script {
	s := script{n: rapid.IntRange(1, 6).Draw(t, "n")}
	s.lists = make(Lists, s.n)
	add := func(r Rank, o Operation) { s.lists[r] = append(s.lists[r], o) }
	rank := rapid.IntRange(0, s.n-1)
	var open []channelKey // sent and not received, in order of sending
	for range rapid.IntRange(0, 40).Draw(t, "steps") {
		switch rapid.IntRange(0, 4).Draw(t, "step") {
		case 0:
			add(Rank(rank.Draw(t, "computes")), Compute(int64(rapid.IntRange(0, 9).Draw(t, "cycles"))))
		case 1, 2:
			from, to := Rank(rank.Draw(t, "from")), Rank(rank.Draw(t, "to"))
			if from == to {
				continue
			}
			tag := int32(rapid.IntRange(0, 1).Draw(t, "tag"))
			add(from, Send(to, int32(rapid.IntRange(1, 3).Draw(t, "flits")), tag))
			open = append(open, channelKey{from, to, tag})
		default:
			if len(open) == 0 {
				continue
			}
			i := rapid.IntRange(0, len(open)-1).Draw(t, "received")
			add(open[i].to, Receive(open[i].from, open[i].tag))
			open = slices.Delete(open, i, i+1)
		}
	}
	for _, o := range open {
		add(o.to, Receive(o.from, o.tag))
	}
	return s
}

// model is the meaning of the scripts, recomputed from all events so far.
type model struct {
	script
	arrived map[channelKey]map[int32]int // number by route and flits
}

// available returns the number of messages of a channel that can be received: the first
// ones sent, as long as all of them have arrived.
func (m model) available(k channelKey) int {
	left := map[int32]int{}
	for flits, count := range m.arrived[k] {
		left[flits] = count
	}
	count := 0
	for _, o := range m.lists[k.from] {
		if o.kind != sendOperation || o.peer != k.to || o.tag != k.tag {
			continue
		}
		if left[o.flits] == 0 {
			break
		}
		left[o.flits]--
		count++
	}
	return count
}

// sent returns all messages that process r has sent so far: those up to the first
// receive that has to wait.
func (m model) sent(r Rank) []Message {
	var sent []Message
	received := map[channelKey]int{}
	for _, o := range m.lists[r] {
		switch o.kind {
		case sendOperation:
			sent = append(sent, Message{From: r, To: o.peer, Flits: o.flits, Tag: o.tag})
		case receiveOperation:
			k := channelKey{o.peer, r, o.tag}
			if received[k]++; received[k] > m.available(k) {
				return sent
			}
		}
	}
	return sent
}
