package patterns

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/call"
	"contend/internal/must"
)

// collectiveCase is a collective with drawn parameters.
type collectiveCase struct {
	Config
	n int
}

// drawCollective draws one of all collectives and its parameters.
func drawCollective(t *rapid.T) collectiveCase {
	var names []string
	for i := range codePatterns {
		if codePatterns[i].bus > 0 {
			names = append(names, codePatterns[i].Name)
		}
	}
	c := collectiveCase{n: rapid.IntRange(1, 14).Draw(t, "n")}
	c.Name = rapid.SampledFrom(names).Draw(t, "name")
	c.Bytes, c.FlitBytes = rapid.Int64Range(1, 150).Draw(t, "bytes"), 1
	k := &c.Collective
	k.Channels = rapid.IntRange(1, 5).Draw(t, "channels")
	if c.Name == "all-reduce-double-tree" {
		k.Channels *= 2
	}
	k.Chunk = rapid.Int64Range(0, 9).Draw(t, "chunk")
	k.Slices = rapid.IntRange(1, 3).Draw(t, "slices")
	if hosts := rapid.IntRange(0, 4).Draw(t, "hosts"); hosts > 0 {
		k.Host = rapid.IntRange(1, 5).Draw(t, "host")
		c.n = k.Host * hosts
	}
	return c
}

// carried is a message under way and the contributions that it carries: for each byte how often
// each process has contributed.
type carried struct {
	first int64
	sums  [][]int
}

// symbolic runs the codes of all threads in any order in which messages allow them to, with sums of
// contributions in place of numbers. It returns the sums that each process has at the end, and the
// bytes and messages that were sent. own tells which bytes a process has at the beginning.
func symbolic(t *rapid.T, c collectiveCase, own func(r Rank) span) (sums [][][]int, bytes,
	messages int64,
) {
	code := must.Have(NewCode(c.Config, c.n))
	threads := code.Threads()
	if code.Parts()%threads != 0 {
		t.Fatalf("%d parts of %d threads", code.Parts(), threads)
	}
	sums = make([][][]int, c.n)
	lists, ready := make([][]Operation, c.n*threads), make([]int, 0, c.n*threads)
	for r := range sums {
		sums[r] = make([][]int, c.Bytes)
		has := own(Rank(r))
		for b := range sums[r] {
			sums[r][b] = make([]int, c.n)
			if int64(b) >= has.first && int64(b) < has.first+has.bytes {
				sums[r][b][r] = 1
			}
		}
		for k := range code.Parts() {
			v := r*threads + k%threads
			lists[v] = code.Part(lists[v], Rank(r), k)
		}
	}
	under := map[channelKey][]carried{}
	order := seeded(rapid.Uint64().Draw(t, "order"))
	for {
		ready := ready[:0]
		left := 0
		for v, l := range lists {
			left += len(l)
			if len(l) > 0 && (l[0].kind != receiveOperation ||
				len(under[channelKey{l[0].peer, Rank(v / threads), l[0].tag}]) > 0) {
				ready = append(ready, v)
			}
		}
		if left == 0 {
			break
		}
		if len(ready) == 0 {
			t.Fatalf("%d operations wait for ever", left)
		}
		v := ready[order.IntN(len(ready))]
		r, o := Rank(v/threads), lists[v][0]
		lists[v] = lists[v][1:]
		if o.kind == sendOperation {
			m := carried{first: o.first}
			for b := o.first; o.first >= 0 && b < o.first+int64(o.flits); b++ {
				m.sums = append(m.sums, slices.Clone(sums[r][b]))
			}
			key := channelKey{r, o.peer, o.tag}
			under[key] = append(under[key], m)
			bytes, messages = bytes+int64(len(m.sums)), messages+1
			continue
		}
		key := channelKey{o.peer, r, o.tag}
		m := under[key][0]
		under[key] = under[key][1:]
		for i, from := range m.sums {
			to := sums[r][m.first+int64(i)]
			for s := range to {
				if !o.adds {
					to[s] = 0
				}
				to[s] += from[s]
			}
		}
	}
	for key, rest := range under {
		if len(rest) > 0 {
			t.Fatalf("%d messages from %d to %d are not received", len(rest), key.from, key.to)
		}
	}
	if want := code.Messages(); messages != want {
		t.Fatalf("%d messages, Messages says %d", messages, want)
	}
	return sums, bytes, messages
}

// Whatever the order in which messages come: after an all-reduce each byte has the contribution of
// every process once, at all processes; after a reduce-scatter at the process whose block it is;
// after an all-gather every process has each byte from the process whose block it is.
func TestCollectivesAreComplete(t *testing.T) { rapid.Check(t, collectivesAreComplete) }

func collectivesAreComplete(t *rapid.T) {
	c := drawCollective(t)
	x := must.Have(c.traffic(c.n))
	gathers := strings.HasPrefix(c.Name, "all-gather")
	scatters := !gathers && !strings.HasPrefix(c.Name, "all-reduce")
	sums, _, _ := symbolic(t, c, func(r Rank) span {
		if gathers {
			return x.blocks(r, r+1)
		}
		return x.whole()
	})
	want := make([]int, c.n)
	for owner := range Rank(c.n) {
		block := x.blocks(owner, owner+1)
		for s := range want {
			want[s] = 1
			if gathers && Rank(s) != owner {
				want[s] = 0
			}
		}
		for b := block.first; b < block.first+block.bytes; b++ {
			for r := range sums {
				if (!scatters || Rank(r) == owner) && !slices.Equal(sums[r][b], want) {
					t.Fatalf("%+v, %d processes: %d has contributions %v to byte %d of %d", c.Config, c.n, r,
						sums[r][b], b, owner)
				}
			}
		}
	}
}

// Bytes and messages of the collectives of libraries in closed form.
func TestTrafficOfCollectives(t *testing.T) { rapid.Check(t, trafficOfCollectives) }

func trafficOfCollectives(t *rapid.T) {
	c := drawCollective(t)
	_, bytes, messages := symbolic(t, c, func(Rank) span { return span{} })
	k := c.Collective
	n, size, channels, slices := int64(c.n), int64(k.Host), int64(k.Channels), int64(k.Slices)
	size = min(max(size, 1), n)
	hosts := n / size
	rounds := func(block int64) int64 {
		if k.Chunk == 0 {
			return 1
		}
		return max(1, up(block, k.Chunk))
	}
	ring := channels * slices * rounds(up(up(c.Bytes, n), channels)) * n * (n - 1)
	hierarchy := channels * slices * rounds(up(up(c.Bytes, channels), size)) *
		(2*n*(size-1) + 2*n*(hosts-1))
	for name, want := range map[string][2]int64{
		"all-reduce-ring":     {2 * (n - 1) * c.Bytes, 2 * ring},
		"all-gather-ring":     {(n - 1) * c.Bytes, ring},
		"reduce-scatter-ring": {(n - 1) * c.Bytes, ring},
		// Each host sends its vector but for a part of each process, and the rings of hosts
		// send all parts of the vector between hosts.
		"all-reduce-hierarchical": {2*hosts*(size-1)*c.Bytes + 2*(hosts-1)*c.Bytes, hierarchy},
		"all-reduce-double-tree": {2 * (n - 1) * c.Bytes,
			2 * (n - 1) * channels * rounds(up(c.Bytes, channels))},
	} {
		if name == c.Name && (bytes != want[0] || messages != want[1]) {
			t.Fatalf("%+v, %d processes: %d bytes in %d messages, want %d", c.Config, c.n, bytes,
				messages, want)
		}
	}
}

// On each ring of h channels a host is entered at each of its h processes once, and left at each
// once, so that all cards of a host send and receive.
func TestRailsOfRings(t *testing.T) {
	for _, name := range []string{"all-reduce-ring", "all-gather-ring", "reduce-scatter-ring"} {
		for hosts := 2; hosts <= 5; hosts++ {
			for size := 1; size <= 8; size++ {
				n := hosts * size
				c := Config{Name: name, Bytes: 1 << 20,
					Collective: Collective{Host: size, Channels: size}}
				in, out := make([]int, n), make([]int, n)
				code := must.Have(NewCode(c, n))
				for r := range n {
					for k := range code.Threads() { // the first step of each channel
						for _, o := range code.Part(nil, Rank(r), k) {
							if to, _, ok := o.Sends(); ok && int(to)/size != r/size {
								out[r]++
								in[to]++
							}
						}
					}
				}
				for r := range n {
					if in[r] != 1 || out[r] != 1 {
						t.Fatalf("%s, %d hosts of %d: %d channels enter at %d and %d leave", name, hosts, size,
							in[r], r, out[r])
					}
				}
			}
		}
	}
}

// Each host is a leaf of one of the two trees, but for one of an odd number; no node has more than
// two children, and the trees are as deep as a binary tree has to be, or one deeper (Sanders et al.
// 2009).
func TestTwoTrees(t *testing.T) {
	for hosts := 1; hosts <= 130; hosts++ {
		code := must.Have(NewCode(Config{Name: "all-reduce-double-tree"}, hosts)).(doubleTree)
		inner := make([]int, hosts)
		for _, tree := range code.trees {
			for i := range hosts {
				depth := 0
				for at := Rank(i); tree.parent[at] >= 0; at = tree.parent[at] {
					if depth++; depth > hosts {
						t.Fatalf("%d hosts: the path from %d has no end", hosts, i)
					}
				}
				if limit := log2(newFold(Rank(hosts)).power) + 1; depth > limit {
					t.Errorf("%d hosts: %d has the depth %d", hosts, i, depth)
				}
				children := tree.children[i]
				if len(children) > 2 || len(children) > 1 && tree.parent[i] < 0 {
					t.Errorf("%d hosts: %d has %d children", hosts, i, len(children))
				}
				for _, child := range children {
					if tree.parent[child] != Rank(i) {
						t.Errorf("%d hosts: %d has the parent %d, and is a child of %d", hosts, child,
							tree.parent[child], i)
					}
				}
				inner[i] += min(1, len(children))
			}
		}
		both := 0
		for _, trees := range inner {
			both += trees / 2
		}
		if both > hosts%2 && hosts > 2 {
			t.Errorf("%d hosts: %d are no leaf of either tree", hosts, both)
		}
	}
}

// Chunks of trees, by hand from the three loops of NCCL: 8 hosts of 8 processes have 10 levels, and
// a channel has at least 80 chunks of more than 131072 bytes, 40 of more than 65536, 10 of more than
// 32768.
func TestChunksOfTrees(t *testing.T) {
	for _, c := range []struct{ bytes, chunk, host, n, want int64 }{
		{8 << 30, 524288, 8, 64, 524288},
		{256e6, 524288, 8, 64, 131072},
		{80 << 20, 131072, 8, 64, 131072}, // 40 chunks
		{80<<20 - 1, 131072, 8, 64, 65536},
		{16 << 20, 524288, 8, 16, 65536}, // 8 levels
		{1 << 20, 524288, 8, 64, 32768},
		{1 << 20, 1000, 8, 64, 1000},
		{64 << 20, 524288, 0, 64, 131072}, // 6 levels
		{1 << 20, 0, 8, 64, 0},
	} {
		code := must.Have(NewCode(Config{Name: "all-reduce-double-tree", Bytes: c.bytes, FlitBytes: 1,
			Collective: Collective{Host: int(c.host), Channels: 16, Chunk: c.chunk}}, int(c.n)))
		if got := code.(doubleTree).Chunk; got != c.want {
			t.Errorf("%+v: chunks of %d bytes", c, got)
		}
	}
}

// A process of a tree is at most a window of chunks ahead of the one that receives them.
func TestWindowOfTrees(t *testing.T) {
	c := Config{Name: "all-reduce-double-tree", FlitBytes: 1, Bytes: 1000, Iterations: 2,
		Collective: Collective{Chunk: 1, Host: 3}}
	p := must.Have(New(c, 6, nil, 0, nil))
	under := p.Start(nil)
	most := 0
	for order := seeded(1); len(under) > 0; {
		i := order.IntN(len(under))
		m := under[i]
		under[i] = under[len(under)-1]
		under = p.Delivered(under[:len(under)-1], m)
		count := map[channelKey]int{}
		for _, m := range under {
			key := channelKey{m.From, m.To, m.Tag}
			count[key]++
			most = max(most, count[key])
		}
	}
	if !p.Done() || most != treeWindow {
		t.Errorf("done: %v; up to %d messages under way between two threads", p.Done(), most)
	}
}

// Processes that do not fill hosts are an error that says so, and jobs smaller than a host are not.
func TestProcessesFillHosts(t *testing.T) {
	for _, i := range codePatterns {
		if !slices.ContainsFunc(i.Parameters, func(p call.Parameter) bool { return p.Name == "host" }) {
			continue
		}
		for n := 1; n <= 33; n++ {
			_, err := NewCode(Config{Name: i.Name, Collective: Collective{Host: 8, Processes: 1}}, n)
			size := (*SizeError)(nil)
			if fills := n <= 8 || n%8 == 0; fills != (err == nil) || !fills && (!errors.As(err, &size) ||
				!strings.Contains(err.Error(), fmt.Sprintf("%d processes do not fill hosts of 8", n))) {
				t.Errorf("%s, %d processes: %v", i.Name, n, err)
			}
		}
	}
	const want = "pattern all-reduce-double-tree: 3 channels, and two trees: take an even number"
	_, err := NewCode(Config{Name: "all-reduce-double-tree", Collective: Collective{Channels: 3}}, 4)
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Error(err)
	}
}

// All threads of a process end an iteration before one begins the next: the last message of a
// channel that waits holds up the others.
func TestThreadsJoin(t *testing.T) {
	c := Config{Name: "all-reduce-ring", FlitBytes: 1, Bytes: 40, Iterations: 2,
		Collective: Collective{Channels: 2}}
	p := must.Have(New(c, 2, nil, 0, nil))
	var slow []Message
	sent := 0
	for under := p.Start(nil); len(under) > 0; {
		m := under[0]
		under = under[1:]
		if m.Tag == 1 { // messages of channel 1 come last
			slow = append(slow, m)
			continue
		}
		sent++
		under = p.Delivered(under, m)
	}
	if sent != 4 {
		t.Errorf("channel 0 sends %d messages while channel 1 waits, want 4 of one iteration", sent)
	}
	for _, m := range p.Delivered(nil, slow[0]) {
		if m.Tag != 1 {
			t.Errorf("%+v does not wait for channel 1", m)
		}
	}
}

// A thread is busy with each message for its overhead and the time of its bytes before it sends the
// message. A message between hosts is created later.
func TestTimesOfMessages(t *testing.T) {
	for _, test := range []struct {
		name        string
		n, host     int
		bytes, want int64
	}{ // each step takes 3 cycles, half a cycle a byte, 7 in the network, and 14 between hosts
		{"all-reduce-ring", 2, 1, 300, 2 * (3 + 75 + 7 + 14)},
		{"all-reduce-ring", 2, 2, 300, 2 * (3 + 75 + 7)},
		{"all-gather-ring", 3, 0, 300, 2 * (3 + 50 + 7)},
		{"all-reduce-double-tree", 2, 1, 300, 2 * (3 + 75 + 7 + 14)},
		{"all-reduce-double-tree", 3, 3, 300, 4 * (3 + 75 + 7)},
		{"all-reduce-hierarchical", 4, 2, 400, 2*(3+100+7) + 2*(3+50+7+14)},
	} {
		c := Config{Name: test.name, FlitBytes: 1, Bytes: test.bytes, Iterations: 1,
			Collective: Collective{Host: test.host, Overhead: 3, CyclesPerByte: 0.5, HostLatency: 14}}
		end := int64(0)
		for _, m := range inTime(t, must.Have(New(c, test.n, nil, 0, nil)), 100, 7) {
			end = max(end, m.at-100)
		}
		if end != test.want {
			t.Errorf("%s of %d: %d cycles, want %d", test.name, test.n, end, test.want)
		}
	}
}
