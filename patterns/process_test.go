package patterns

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/must"
)

// Random scripts with random delivery: at every moment each process has sent all it can
// and nothing it may not, and all processes end.
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
	p := must.Have(NewProcesses(2, s))
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
