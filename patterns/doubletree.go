package patterns

import (
	"cmp"
	"fmt"
	"math/bits"
)

// treeWindow is the most chunks on their way between two processes of a tree, the slots of a buffer
// of NCCL (NCCL_STEPS).
const treeWindow = 8

// doubleTree is an all-reduce up and down binary trees of hosts. Each channel has a tree, whose
// nodes in a host are a chain of its processes. One thread adds up chunks on their way to the root,
// another one passes them down; the root does both in one thread.
type doubleTree struct {
	traffic
	size   Rank // of a host
	rounds int64
	trees  [2]binaryTree
}

// allReduceDoubleTree makes the all-reduce of Sanders, Speck and Traeff (Parallel Computing 35(12),
// 2009), as NCCL has it from version 2.4 on: each host but one is a leaf of one of the two trees.
func allReduceDoubleTree(t traffic) (Code, error) {
	hosts, err := t.hosts()
	if err != nil {
		return nil, err
	}
	if t.Channels = cmp.Or(t.Channels, 2); t.Channels%2 != 0 {
		return nil, fmt.Errorf("pattern %s: %d channels, and two trees: take an even number of channels",
			t.name, t.Channels)
	}
	t.Chunk = t.treeChunk(hosts)
	c := doubleTree{traffic: t, size: Rank(t.Host),
		rounds: t.rounds(up(t.bytes, int64(t.Channels)))}
	first := newBinaryTree(hosts)
	// The second tree is the mirror of the first, or its shift by one for an odd number of hosts.
	c.trees = [2]binaryTree{first, first.renamed(func(i Rank) Rank {
		if hosts%2 == 0 {
			return hosts - 1 - i
		}
		return (i + 1) % hosts
	})}
	return c, nil
}

// treeChunk returns the bytes of a chunk as NCCL chooses them (enqueue.cc): half as many and half
// as many again while a channel has too few chunks to keep all levels of its tree busy.
func (t *traffic) treeChunk(hosts Rank) int64 {
	chunk, levels := t.Chunk, int64(t.Host-1+bits.Len(uint(hosts))-1) // connect.cc
	for _, step := range []struct{ chunks, least int64 }{{8, 131072}, {4, 65536}, {1, 32768}} {
		for chunk > step.least && t.bytes/(int64(t.Channels)*chunk) < step.chunks*levels {
			chunk /= 2
		}
	}
	return chunk
}

func (c doubleTree) Threads() int { return 2 * c.Channels }

func (c doubleTree) Parts() int { return c.Threads() * int(c.rounds) }

func (c doubleTree) Messages() int64 {
	return 2 * int64(c.n-1) * int64(c.Channels) * c.rounds
}

func (c doubleTree) Part(dst []Operation, r Rank, k int) []Operation {
	thread := k % c.Threads()
	round := int64(k / c.Threads())
	if round == 0 {
		dst = c.compute(dst)
	}
	channel := thread / 2
	up, down := int32(2*channel), int32(2*channel+1) // threads
	var places [3]Rank
	parent, children := c.around(places[:0], r, channel)
	part := c.whole().part(int64(c.Channels), int64(channel)).part(c.rounds, round)
	if thread%2 == 0 {
		for _, from := range children {
			dst = append(dst, Receive(from, up))
			dst[len(dst)-1].adds = true
		}
		dst = c.copyOut(dst, part)
		if parent >= 0 {
			return c.sendChunk(dst, r, parent, up, part)
		}
	} else if parent >= 0 {
		dst = c.copyOut(append(dst, Receive(parent, down)), part)
	} else {
		return dst
	}
	for _, to := range children {
		dst = c.sendChunk(dst, r, to, down, part)
	}
	return dst
}

// sendChunk appends a message that waits for room.
func (c *doubleTree) sendChunk(dst []Operation, r, to Rank, thread int32, part span) []Operation {
	dst = c.sendOn(dst, r, to, thread, part)
	dst[len(dst)-1].window = treeWindow
	return dst
}

// around returns the parent of process r on the tree of a channel, -1 for the root, and appends its
// children, those on other hosts first.
func (c *doubleTree) around(children []Rank, r Rank, channel int) (Rank, []Rank) {
	h := c.size
	head := Rank(channel/2) % h
	host, place := r/h, (r%h-head+h)%h
	tree := &c.trees[channel%2]
	if place == 0 {
		for _, child := range tree.children[host] {
			children = append(children, child*h+head)
		}
	}
	if place+1 < h {
		children = append(children, host*h+(r%h+1)%h)
	}
	switch {
	case place > 0:
		return host*h + (r%h-1+h)%h, children
	case tree.parent[host] < 0:
		return -1, children
	}
	return tree.parent[host]*h + head, children
}

// binaryTree has the parent of each node, -1 for the root, and its children.
type binaryTree struct {
	parent   []Rank
	children [][]Rank
}

// newBinaryTree returns a tree whose root 0 has one child and whose other nodes are in order. A
// node whose lowest bit that is set is b has the children b/2 below it and b/2 above it. If the
// latter does not exist, its subtree is the child.
func newBinaryTree(n Rank) binaryTree {
	t := binaryTree{make([]Rank, n), make([][]Rank, n)}
	t.parent[0] = -1
	for i := Rank(1); i < n; i++ {
		b := i & -i
		above := (i - b) | 2*b // the parent of a full tree
		if above >= n {
			above = i - b
		}
		t.parent[i] = above
		t.children[above] = append(t.children[above], i)
	}
	return t
}

// renamed returns the tree with another name for each node.
func (t binaryTree) renamed(name func(Rank) Rank) binaryTree {
	x := binaryTree{make([]Rank, len(t.parent)), make([][]Rank, len(t.parent))}
	for i, parent := range t.parent {
		at := name(Rank(i))
		if x.parent[at] = parent; parent >= 0 {
			x.parent[at] = name(parent)
		}
		for _, child := range t.children[i] {
			x.children[at] = append(x.children[at], name(child))
		}
	}
	return x
}
