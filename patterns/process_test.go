package patterns

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// script is a random script and how it was made.
type script struct {
	n     int
	lists Lists
	sends int
}

// scripts draws a script that ends: it is the record of one execution, in
// which whoever receives does so after the message was sent.
func scripts(t *rapid.T) script {
	s := script{n: rapid.IntRange(1, 6).Draw(t, "n")}
	s.lists = make(Lists, s.n)
	add := func(r Rank, o Operation) { s.lists[r] = append(s.lists[r], o) }
	rank := rapid.IntRange(0, s.n-1)
	var open []route // sent and not received, in the order of sending
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
			open = append(open, route{from, to, tag})
			s.sends++
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

// model is what the scripts mean, worked out anew from all that has happened.
type model struct {
	script
	arrived map[route]map[int32]int // route, flits: how many
}

// available returns how many messages of a route can be received: the first
// ones sent, as long as all of them have arrived.
func (m model) available(k route) int {
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

// sent returns what process r has sent by now: all up to the first receive
// that has to wait.
func (m model) sent(r Rank) []Message {
	var sent []Message
	received := map[route]int{}
	for _, o := range m.lists[r] {
		switch o.kind {
		case sendOperation:
			sent = append(sent, Message{From: r, To: o.peer, Flits: o.flits, Tag: o.tag})
		case receiveOperation:
			k := route{o.peer, r, o.tag}
			if received[k]++; received[k] > m.available(k) {
				return sent
			}
		}
	}
	return sent
}

// Random scripts under random delivery: at every moment each process has sent
// all it can and nothing it may not, and all end.
func TestProcessesSendWhatTheyMay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := scripts(t)
		v, err := Verify(s.n, s.lists)
		if err != nil {
			t.Fatalf("%v: %v", s.lists, err)
		}
		if v.Messages() != int64(s.sends) {
			t.Fatalf("%d messages, want %d", v.Messages(), s.sends)
		}
		m := model{s, map[route]map[int32]int{}}
		p := v.Program()
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
			k := route{f.From, f.To, f.Tag}
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

// A later message that overtakes an earlier one waits for it.
func TestReceivedInOrderOfSending(t *testing.T) {
	s := Lists{
		{Send(1, 5, 0), Send(1, 1, 0), Send(1, 1, 7)},
		{Receive(0, 7), Send(0, 1, 0), Receive(0, 0), Send(0, 2, 0), Receive(0, 0), Send(0, 3, 0)},
	}
	s[0] = append(s[0], Receive(1, 0), Receive(1, 0), Receive(1, 0))
	p, err := NewProcesses(2, s)
	if err != nil {
		t.Fatal(err)
	}
	sent := p.Start(nil)
	long, short, other := sent[0], sent[1], sent[2]
	if got := p.Delivered(nil, short); len(got) != 0 {
		t.Errorf("the second message released %v", got)
	}
	if got := p.Delivered(nil, other); len(got) != 1 || got[0].Flits != 1 {
		t.Errorf("the message with the other tag released %v, want one message", got)
	}
	if got := p.Delivered(nil, long); len(got) != 2 || got[0].Flits != 2 || got[1].Flits != 3 {
		t.Errorf("the first message released %v, want two messages", got)
	}
}

// The phases of any pattern, as scripts in which each process waits for its
// own messages only, have the same messages.
func TestScriptsOfPhases(t *testing.T) {
	for _, i := range phaseNames() {
		t.Run(i.Name, func(t *testing.T) {
			const n = 8
			build := func() [][]Message {
				p, err := NewPattern(Config{Name: i.Name, Repeat: 2}, n, nil, seeded(3))
				if err != nil {
					t.Fatal(err)
				}
				return collect(Iterate(p, 3))
			}
			s := make(Lists, n)
			var all []Message
			for _, phase := range build() {
				for _, m := range phase {
					s[m.From] = append(s[m.From], Send(m.To, m.Flits, m.Tag))
				}
				for _, m := range phase {
					s[m.To] = append(s[m.To], Receive(m.From, m.Tag))
				}
				all = append(all, phase...)
			}
			p, err := NewProcesses(n, s)
			if err != nil {
				t.Fatal(err)
			}
			sent, _ := deliverAll(t, p, n, seeded(4).IntN)
			if !slices.Equal(sorted(sent), sorted(all)) {
				t.Errorf("%d messages, the phases have %d others", len(sent), len(all))
			}
		})
	}
}

// wavefront is a pipelined sweep over a line of processes, one part a step:
// each waits for its left neighbour and sends to its right one.
func wavefront(n, steps int) Script {
	return ScriptFunc(func(dst []Operation, r Rank, k int) ([]Operation, bool) {
		if k == steps {
			return dst, false
		}
		if r > 0 {
			dst = append(dst, Receive(r-1, 0))
		}
		if int(r) < n-1 {
			dst = append(dst, Send(r+1, 2, 0))
		}
		return dst, true
	})
}

// The first process of a sweep runs ahead, the others follow as soon as what
// they wait for is there: delivered in rounds, n processes and s steps take
// n-1 rounds, where barriers would take (n-1)s.
func TestPipeline(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for steps := range 5 {
			p, err := NewProcesses(n, wavefront(n, steps))
			if err != nil {
				t.Fatal(err)
			}
			rounds, messages := 0, 0
			for flight := p.Start(nil); len(flight) > 0; rounds++ {
				messages += len(flight)
				var next []Message
				for _, m := range flight {
					next = p.Delivered(next, m)
				}
				flight = next
			}
			if want := min(steps, 1) * (n - 1); rounds != want || messages != (n-1)*steps || !p.Done() {
				t.Errorf("%d processes, %d steps: %d messages in %d rounds, want %d in %d", n, steps, messages,
					rounds, (n-1)*steps, want)
			}
		}
	}
}

// A process that computes is busy while messages arrive, and computes no
// longer for having waited.
func TestComputeOverlapsWaiting(t *testing.T) {
	s := Lists{
		{Compute(100), Send(1, 1, 0), Receive(1, 0), Compute(5), Send(1, 2, 0)},
		{Send(0, 1, 0), Receive(0, 0), Receive(0, 0)},
	}
	for _, c := range []struct{ start, arrival, delay int64 }{
		{0, 40, 65},      // busy until 100, then 5 more
		{0, 100, 5},      // just done
		{0, 250, 5},      // idle from 100 on
		{1000, 1040, 65}, // whenever the job starts
		{1000, 9000, 5},
	} {
		v, err := Verify(2, s)
		if err != nil {
			t.Fatal(err)
		}
		var p Timed = v.Program()
		p.At(c.start)
		sent := p.Start(nil)
		if len(sent) != 2 || sent[0].Delay != 100 || sent[1].Delay != 0 {
			t.Fatalf("at the start: %v", sent)
		}
		p.At(c.arrival)
		if got := p.Delivered(nil, sent[1]); len(got) != 1 || got[0].Delay != c.delay {
			t.Errorf("started at %d, message at %d: %v, want a delay of %d", c.start,
				c.arrival, got, c.delay)
		}
	}
}

func TestProcessesMisused(t *testing.T) {
	ok := func() *Processes {
		v, err := Verify(2, Lists{{Compute(1), Send(1, 1, 0)}, {Receive(0, 0)}})
		if err != nil {
			t.Fatal(err)
		}
		return v.Program()
	}
	timed := func() *Processes { p := ok(); p.At(5); p.Start(nil); return p }
	for name, f := range map[string]func(){
		"no time":         func() { ok().Start(nil) },
		"time steps back": func() { timed().At(4) },
		"two starts":      func() { timed().Start(nil) },
		"stray route":     func() { timed().Delivered(nil, Message{From: 1, To: 0, Flits: 1}) },
		"stray length":    func() { timed().Delivered(nil, Message{From: 0, To: 1, Flits: 2}) },
		"empty parts only": func() {
			_, _ = Verify(1,
				ScriptFunc(func(dst []Operation, _ Rank, _ int) ([]Operation, bool) { return dst, true }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if s, _ := recover().(string); len(s) < 9 || s[:9] != "patterns:" {
					t.Errorf("panic %q", s)
				}
			}()
			f()
		})
	}
}

// Two processes that answer each other for ever use the memory they have.
func TestProcessesAllocateNothing(t *testing.T) {
	s := ScriptFunc(func(dst []Operation, r Rank, k int) ([]Operation, bool) {
		other := 1 - r
		return append(dst, Send(other, 1, 0), Send(other, 2, 1), Receive(other, 1),
			Receive(other, 0)), k < 1e6
	})
	p := newProcesses(2, s)
	next, spare := p.Start(make([]Message, 0, 16)), make([]Message, 0, 16)
	step := func() {
		waiting := next
		next = spare[:0]
		for _, m := range waiting {
			next = p.Delivered(next, m)
		}
		spare = waiting
	}
	if got := testing.AllocsPerRun(1000, step); got != 0 || len(next) != 4 {
		t.Errorf("%v allocations a step, %d messages under way", got, len(next))
	}
}

// A channel that is never empty does not grow.
func TestChannelsStayShort(t *testing.T) {
	p := newProcesses(2, Lists{slices.Repeat([]Operation{Send(1, 1, 0)}, 3), nil})
	flight := p.Start(nil)
	c := &p.channels[0]
	for range 1000 {
		if !c.arrive(flight[0].Flits) {
			t.Fatal("nothing under way")
		}
		c.transits = append(c.transits, transit{flits: 1})
	}
	if got := len(c.transits) - c.head; got != 3 || cap(c.transits) > 16 {
		t.Errorf("%d under way in room for %d", got, cap(c.transits))
	}
}

func BenchmarkPipeline(b *testing.B) {
	v, err := Verify(64, wavefront(64, 1000))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		p := v.Program()
		order := rand.New(rand.NewPCG(1, 1))
		flight := p.Start(nil)
		for len(flight) > 0 {
			i := order.IntN(len(flight))
			m := flight[i]
			flight[i] = flight[len(flight)-1]
			flight = p.Delivered(flight[:len(flight)-1], m)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(v.Messages()), "ns/message")
}

// Three processes each receive before they send.
func ExampleVerify() {
	_, err := Verify(3, Lists{
		{Receive(2, 5), Send(1, 8, 5)},
		{Receive(0, 5), Send(2, 8, 5)},
		{Receive(1, 5), Send(0, 8, 5)},
	})
	fmt.Println(err)
	// Output: deadlock: 3 processes wait for each other in a cycle: 0 for tag 5 from 2; 2 for tag 5 from 1; 1 for tag 5 from 0
}
