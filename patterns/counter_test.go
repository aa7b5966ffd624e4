package patterns

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/must"
)

// Under any order of entries and deliveries the processes draw the quota to the message, each its
// own messages in their order, one at a time. With barriers a phase begins when all messages of the
// one before have arrived.
func TestCounterUnderAnyDelivery(t *testing.T) { rapid.Check(t, counterUnderAnyDelivery) }

// counterUnderAnyDelivery checks one drawn program.
func counterUnderAnyDelivery(r *rapid.T) {
	c, n, quota, seed := configs(r)
	c.Cut = rapid.SampledFrom([]string{CutCounter, CutCounterBarriers}).Draw(r, "counter")
	p := must.Have(New(c, n, nil, quota, seeded(seed))).(Entering)
	order := seeded(rapid.Uint64().Draw(r, "order"))
	var sent, queued, flight []Message
	take := func(list []Message) {
		for _, m := range list {
			if slices.ContainsFunc(queued, func(q Message) bool { return q.From == m.From }) {
				r.Fatalf("%+v is drawn while another one has not entered", m)
			}
			if c.Cut == CutCounter && slices.ContainsFunc(slices.Concat(queued, flight),
				func(f Message) bool { return f.Tag != m.Tag }) {
				r.Fatalf("%+v is drawn while another phase is under way", m)
			}
			sent, queued = append(sent, m), append(queued, m)
		}
	}
	remove := func(list *[]Message) Message {
		i := order.IntN(len(*list))
		m := (*list)[i]
		*list = slices.Delete(*list, i, i+1)
		return m
	}
	for take(p.Start(nil)); len(queued)+len(flight) > 0; {
		if p.Done() {
			r.Fatal("done with messages under way")
		}
		if len(flight) == 0 || len(queued) > 0 && order.IntN(2) == 0 {
			m := remove(&queued)
			flight = append(flight, m)
			take(p.Entered(nil, m))
			continue
		}
		take(p.Delivered(nil, remove(&flight)))
	}
	if !p.Done() {
		r.Fatal("not done though nothing is under way")
	}
	checkDrawn(r, sent, c, n, quota, seed)
}

// checkDrawn asserts that each process has drawn the first of its messages, and all of them as many
// as the quota or the iterations have.
func checkDrawn(r *rapid.T, sent []Message, c Config, n int, quota int64, seed uint64) {
	of := func(list []Message) string {
		text := make([]string, n)
		for _, m := range list {
			text[m.From] += fmt.Sprintf(" %d(%d)", m.To, m.Flits)
		}
		return fmt.Sprint(text)
	}
	pattern := must.Have(NewPattern(c, n, nil, seeded(seed)))
	all := int64(len(sent))
	want := quota
	if most := c.Iterations * pattern.Messages(); c.Iterations > 0 && (quota == 0 || most < quota) {
		want = most
	}
	if pattern.Messages() == 0 {
		want = 0
	}
	if all != want {
		r.Fatalf("%d messages, want %d", all, want)
	}
	owed := make([][]string, n)
	for _, m := range sent {
		owed[m.From] = append(owed[m.From], fmt.Sprint(m.To, m.Flits))
	}
	for i, left := 0, all; left > 0; i++ {
		for _, m := range pattern.Phase(nil, i%pattern.Phases()) {
			if list := owed[m.From]; len(list) > 0 {
				if list[0] != fmt.Sprint(m.To, m.Flits) {
					r.Fatalf("process %d sends to %s, want %d: %s", m.From, list[0], m.To, of(sent))
				}
				owed[m.From] = list[1:]
				left--
			}
		}
	}
}

// Three processes, all to all, a quota of 4 by hand. The message of process 2 stays in its queue,
// so 0 draws its second message and nobody another one.
func TestCounterByHand(t *testing.T) {
	p := must.Have(New(Config{Name: "all-to-all", Cut: CutCounter}, 3, nil, 4, nil)).(Entering)
	ends := func(list []Message) (text string) {
		for _, m := range list {
			text += fmt.Sprintf("%d>%d ", m.From, m.To)
		}
		return text
	}
	first := p.Start(nil)
	if got := ends(first); got != "0>1 1>0 2>0 " {
		t.Errorf("at the start %s", got)
	}
	second := p.Entered(nil, first[0])
	if got := ends(second); got != "0>2 " {
		t.Errorf("when the message of 0 enters: %s", got)
	}
	for _, m := range []Message{first[1], second[0], first[2]} {
		if got := p.Entered(nil, m); got != nil {
			t.Errorf("beyond the quota: %s", ends(got))
		}
	}
	for i, m := range append(first, second...) {
		if p.Done() {
			t.Errorf("done after %d messages", i)
		}
		p.Delivered(nil, m)
	}
	if !p.Done() {
		t.Error("not done")
	}
}

// Without barriers the root of a broadcast goes on when its messages have entered, a receiver when
// its message has arrived; with barriers both wait for all.
func TestCounterWithoutBarriers(t *testing.T) {
	for cut, want := range map[string]int{CutCounter: 0, CutCounterBarriers: 1} {
		b := newCounterProgram(phaseLists{{{From: 0, To: 1, Flits: 1}, {From: 0, To: 2, Flits: 1}},
			{{From: 1, To: 0, Flits: 1}}}, 3, Config{Cut: cut}, 9)
		first := b.Start(nil)
		second := b.Entered(nil, first[0])
		if got := b.Delivered(nil, first[0]); len(got) != want {
			t.Errorf("%s: process 1, which has its message, sends %v", cut, got)
		}
		if len(second) != 1 || second[0].To != 2 {
			t.Errorf("%s: the root sends %v next", cut, second)
		}
	}
}
