package allocation

import (
	"fmt"
	"math/bits"
	"slices"

	"contend/router/topology"
)

// FreeSet is the set of free nodes of a machine: one bit for each node, and a count.
type FreeSet struct {
	words []uint64
	nodes int
	count int
}

// NewFreeSet returns a set in which all nodes of a machine are free.
func NewFreeSet(nodes int) *FreeSet {
	f := &FreeSet{words: make([]uint64, (nodes+63)/64), nodes: nodes}
	f.Fill()
	return f
}

// Nodes returns the number of nodes of the machine.
func (f *FreeSet) Nodes() int { return f.nodes }

// Count returns the number of free nodes.
func (f *FreeSet) Count() int { return f.count }

// Free reports whether node n is free.
func (f *FreeSet) Free(n topology.Node) bool { return f.words[n>>6]>>(n&63)&1 != 0 }

// Words returns the set as bits, with the first node in the lowest bit of the first word. The
// caller must not change the words.
func (f *FreeSet) Words() []uint64 { return f.words }

// Next returns the first free node from n on. It reports false if there is none.
func (f *FreeSet) Next(n topology.Node) (topology.Node, bool) {
	if int(n) >= f.nodes {
		return 0, false
	}
	w := int(n >> 6)
	word := f.words[w] >> (n & 63) << (n & 63)
	for word == 0 {
		if w++; w == len(f.words) {
			return 0, false
		}
		word = f.words[w]
	}
	return topology.Node(w<<6 + bits.TrailingZeros64(word)), true
}

// AppendOf appends the first free nodes of a list, at most limit.
func (f *FreeSet) AppendOf(dst, list []topology.Node, limit int) []topology.Node {
	for _, n := range list {
		if limit == 0 {
			break
		}
		if f.Free(n) {
			dst = append(dst, n)
			limit--
		}
	}
	return dst
}

// Take marks nodes as used. It panics if one of them is not free, because a node has one user at a
// time.
func (f *FreeSet) Take(nodes []topology.Node) {
	for _, n := range nodes {
		if !f.Free(n) {
			panic(fmt.Sprintf("allocation: node %d taken twice", n))
		}
		f.words[n>>6] &^= 1 << (n & 63)
	}
	f.count -= len(nodes)
}

// Release marks nodes as free. It panics if one of them is already free or is not a
// node of the machine.
func (f *FreeSet) Release(nodes []topology.Node) {
	for _, n := range nodes {
		if int(n) >= f.nodes {
			panic(fmt.Sprintf("allocation: node %d released on a machine of %d", n, f.nodes))
		}
		if f.Free(n) {
			panic(fmt.Sprintf("allocation: node %d released twice", n))
		}
		f.words[n>>6] |= 1 << (n & 63)
	}
	f.count += len(nodes)
}

// CheckGrant returns an error unless nodes has at least size nodes, all of them free, each once.
func (f *FreeSet) CheckGrant(nodes []topology.Node, size int) (err error) {
	if len(nodes) < size {
		return fmt.Errorf("it granted %d nodes for %d", len(nodes), size)
	}
	for i, n := range nodes {
		if n < 0 || int(n) >= f.nodes || !f.Free(n) {
			err = fmt.Errorf("node %d is not free", n)
			if slices.Contains(nodes[:i], n) {
				err = fmt.Errorf("node %d was granted twice", n)
			}
			nodes = nodes[:i]
			break
		}
		f.words[n>>6] &^= 1 << (n & 63) // taken for the time of the check
	}
	for _, n := range nodes {
		f.words[n>>6] |= 1 << (n & 63)
	}
	return err
}

// AppendTo appends the free nodes to dst, in order.
func (f *FreeSet) AppendTo(dst []topology.Node) []topology.Node {
	for w, word := range f.words {
		for ; word != 0; word &= word - 1 {
			dst = append(dst, topology.Node(w<<6+bits.TrailingZeros64(word)))
		}
	}
	return dst
}

// All reports whether all of the n nodes from first on are free.
func (f *FreeSet) All(first topology.Node, n int) bool {
	for from := int(first); n > 0; from, n = from+64, n-64 {
		if m := min(n, 64); f.Window(from, m) != ^uint64(0)>>(64-m) {
			return false
		}
	}
	return true
}

// Window returns the n nodes from on as the low bits of a word, with n from 1 to 64.
func (f *FreeSet) Window(from, n int) uint64 {
	w, s := from>>6, from&63
	word := f.words[w] >> s
	if s+n > 64 {
		word |= f.words[w+1] << (64 - s)
	}
	return word & (^uint64(0) >> (64 - n))
}

// Fill makes all nodes free.
func (f *FreeSet) Fill() {
	for i := range f.words {
		f.words[i] = ^uint64(0)
	}
	if r := f.nodes & 63; r != 0 {
		f.words[len(f.words)-1] = 1<<r - 1
	}
	f.count = f.nodes
}

// Copy makes f equal to g, which is a set of the same machine.
func (f *FreeSet) Copy(g *FreeSet) {
	copy(f.words, g.words)
	f.nodes, f.count = g.nodes, g.count
}

// CountIn returns the number of free nodes among the n from first on. Nodes beyond the
// machine are not free.
func (f *FreeSet) CountIn(first, n int) int {
	count, end := 0, min(first+n, f.nodes)
	for from := first; from < end; from += 64 {
		count += bits.OnesCount64(f.Window(from, min(64, end-from)))
	}
	return count
}

// CountBy sets counts to the number of free nodes of each part of the machine; part[n] is the part
// of node n.
func (f *FreeSet) CountBy(counts []int, part []int32) {
	clear(counts)
	for w, word := range f.words {
		for ; word != 0; word &= word - 1 {
			counts[part[w<<6+bits.TrailingZeros64(word)]]++
		}
	}
}

// AppendFirst appends the first free nodes of the n from first on, at most limit.
func (f *FreeSet) AppendFirst(dst []topology.Node, first, n, limit int) []topology.Node {
	end := min(first+n, f.nodes)
	for from := first; from < end && limit > 0; from += 64 {
		for word := f.Window(from, min(64, end-from)); word != 0 && limit > 0; word &= word - 1 {
			dst = append(dst, topology.Node(from+bits.TrailingZeros64(word)))
			limit--
		}
	}
	return dst
}
