package patterns

import (
	"fmt"
	"slices"
	"testing"

	"contend/internal/must"
)

// On a network in which each message takes 100 cycles a process has its second message from a
// neighbour after it is busy with two of 7 cycles. A barrier of three processes takes two steps of a
// message. The sender of a put is at its next iteration as soon as the message is on its way, and
// waits for room from the third on.
func TestIterationsOfProcesses(t *testing.T) {
	for _, c := range []struct {
		name string
		k    Collective
		want []int64 // lengths that occur, with 3 hosts of 2 nodes with 2 processes and 3 iterations
		n    int     // number of iterations of processes, or of ends of streams
	}{
		{"ring-exchange", Collective{Overhead: 7}, []int64{114}, 3 * 2 * 2 * 3},
		{"ring-exchange", Collective{Overhead: 7, Barrier: true}, []int64{114 + 2*107}, 3 * 2 * 2 * 3},
		{"all-to-all-pairwise", Collective{}, []int64{200}, 3 * 2 * 2 * 3},
		{"put-incast", Collective{Outstanding: 2}, []int64{0, 100}, 2 * 2 * 2 * 2 * 3},
	} {
		c.k.Host, c.k.Processes = 2, 2
		p := must.Have(New(Config{Name: c.name, Collective: c.k, Iterations: 3}, 6, nil, 0, seeded(1)))
		var lengths []int64
		if !p.(Iterating).Iterated(func(cycles int64) { lengths = append(lengths, cycles) }) {
			t.Fatalf("%s does not know its iterations", c.name)
		}
		inTime(t, p, 1000, 100)
		number := len(lengths)
		slices.Sort(lengths)
		if got := slices.Compact(lengths); !slices.Equal(got, c.want) || number != c.n {
			t.Errorf("%s %+v: %d iterations of %v cycles, want %d of %v", c.name, c.k, number, got, c.n,
				c.want)
		}
	}
	plain := must.Have(New(Config{Name: "ring-exchange", Iterations: 3}, 6, nil, 0, nil))
	if plain.(Iterating).Iterated(nil) {
		t.Error("the iterations of a plain pattern are those of its messages")
	}
}

// neighbours returns the partners of each process in an iteration of a ring.
func neighbours(c Code, n Rank, iteration int64) (of [][]Rank) {
	for r := range n {
		var peers []Rank
		for _, o := range partOf(c, nil, r, iteration, 0) {
			if to, _, ok := o.Sends(); ok {
				peers = append(peers, to)
			}
		}
		of = append(of, peers)
	}
	return of
}

// Each ring is one cycle through all processes, lasts as long as it should, and depends on the seed
// and its number alone, whoever asks first.
func TestRedrawnRings(t *testing.T) {
	const n, lasts = 13, 5
	ring := func(seed uint64) Code {
		c := Config{Name: "ring-exchange", Collective: Collective{Redraw: lasts, seed: seed}}
		return must.Have(NewCode(c, n))
	}
	c, seen := ring(1), map[string]int64{}
	for i := range int64(40) {
		of := neighbours(c, n, i)
		if other := neighbours(ring(1), n, i); !slices.EqualFunc(of, other, slices.Equal) {
			t.Fatalf("iteration %d: %v, and asked first %v", i, of, other)
		}
		at, met := Rank(0), 0
		for before := Rank(-1); met == 0 || at != 0; met++ {
			if next := of[at][1]; of[next][0] != at || before >= 0 && of[at][0] != before {
				t.Fatalf("iteration %d: %v is no ring", i, of)
			}
			before, at = at, of[at][1]
		}
		first, known := seen[fmt.Sprint(of)]
		switch {
		case met != n:
			t.Fatalf("iteration %d: a ring of %d in %v", i, met, of)
		case known != (i%lasts > 0) || known && first != i/lasts:
			t.Fatalf("iteration %d: the ring of round %d again: %v", i, first, known)
		}
		seen[fmt.Sprint(of)] = i / lasts
	}
	if slices.EqualFunc(neighbours(c, n, 0), neighbours(ring(2), n, 0), slices.Equal) {
		t.Error("another seed draws the same ring")
	}
	two := Config{Name: "ring-exchange", Collective: Collective{Host: 1, Processes: 2, Redraw: 1}}
	code := must.Have(NewCode(two, n))
	first, second := partOf(code, nil, 0, 0, 0), partOf(code, nil, 0, 0, 1)
	if first[0].peer == second[0].peer && first[1].peer == second[1].peer {
		t.Error("both processes of a node draw the same ring")
	}
	again := must.Have(NewCode(Config{Name: "ring-exchange"}, n))
	if slices.EqualFunc(neighbours(c, n, 0), neighbours(again, n, 0), slices.Equal) {
		t.Error("a drawn ring is in the order of ranks")
	}
}

// Whatever the order of arrival, a stream has as many messages under way as it may, and processes
// send to those of their number on other hosts alone.
func TestStreamsAndHosts(t *testing.T) {
	const hosts, host, processes, outstanding = 4, 3, 2, 2
	for _, name := range []string{"put-incast", "get-broadcast", "all-to-all-pairwise", "ring-exchange",
		"all-reduce-doubling"} {
		p := must.Have(New(Config{Name: name, Iterations: 5, Collective: Collective{Host: host,
			Processes: processes, Outstanding: outstanding, Redraw: 1}}, hosts*host, nil, 0, seeded(1)))
		under, order := p.Start(nil), seeded(2)
		most := map[channelKey]int{}
		for len(under) > 0 {
			count := map[channelKey]int{}
			for _, m := range under {
				key := channelKey{m.From, m.To, m.Tag}
				count[key]++
				most[key] = max(most[key], count[key])
				if m.From%host != m.To%host || m.From == m.To {
					t.Fatalf("%s: %d sends to %d", name, m.From, m.To)
				}
			}
			i := order.IntN(len(under))
			m := under[i]
			under[i] = under[len(under)-1]
			under = p.Delivered(under[:len(under)-1], m)
		}
		streams := name == "put-incast" || name == "get-broadcast"
		for key, n := range most {
			if streams && n != outstanding {
				t.Errorf("%s: up to %d under way from %d to %d", name, n, key.from, key.to)
			}
		}
		if streams && len(most) != (hosts-1)*host*processes || !p.Done() {
			t.Errorf("%s: %d streams; done: %v", name, len(most), p.Done())
		}
	}
}
