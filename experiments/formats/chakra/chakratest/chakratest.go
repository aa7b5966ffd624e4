// Package chakratest writes Chakra execution traces, for tests.
package chakratest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// Node is a node of a trace. Attributes are numbers (int64_val), texts (string_val) or bytes
// (bool_list).
type Node struct {
	ID            uint64
	Kind          Kind
	Micros        uint64
	Control, Data []uint64
	Attributes    map[string]any
}

// Kind is NodeType of the schema.
type Kind uint64

// The types of nodes.
const (
	Metadata   Kind = 1
	Load       Kind = 2
	Compute    Kind = 4
	Send       Kind = 5
	Receive    Kind = 6
	Collective Kind = 7
)

// encode returns the node as a message of the schema.
func (w Node) encode() []byte {
	var b []byte
	number := func(field protowire.Number, v uint64) {
		b = protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
	}
	number(1, w.ID)
	number(3, uint64(w.Kind))
	for _, d := range w.Control { // not packed
		number(4, d)
	}
	var packed []byte
	for _, d := range w.Data {
		packed = protowire.AppendVarint(packed, d)
	}
	b = protowire.AppendBytes(protowire.AppendTag(b, 5, protowire.BytesType), packed)
	number(7, w.Micros)
	for name, value := range w.Attributes {
		a := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), name)
		switch v := value.(type) {
		case string:
			a = protowire.AppendString(protowire.AppendTag(a, 29, protowire.BytesType), v)
		case []byte:
			a = protowire.AppendBytes(protowire.AppendTag(a, 28, protowire.BytesType), v)
		case int:
			a = protowire.AppendVarint(protowire.AppendTag(a, 9, protowire.VarintType), uint64(v))
		}
		b = protowire.AppendBytes(protowire.AppendTag(b, 10, protowire.BytesType), a)
	}
	return b
}

// Encode returns the file of a rank.
func Encode(nodes ...Node) []byte {
	version := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), "0.0.4")
	b := protowire.AppendBytes(nil, version)
	for _, n := range nodes {
		b = protowire.AppendBytes(b, n.encode())
	}
	return b
}

// Write writes the files of a trace and returns its prefix.
func Write(t testing.TB, ranks ...[]Node) string {
	t.Helper()
	prefix := filepath.Join(t.TempDir(), "step")
	for r, nodes := range ranks {
		if err := os.WriteFile(fmt.Sprintf("%s.%d.et", prefix, r), Encode(nodes...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return prefix
}

// ForEach returns the nodes of n ranks.
func ForEach(n int, f func(r int) []Node) (ranks [][]Node) {
	for r := range n {
		ranks = append(ranks, f(r))
	}
	return ranks
}

// Call is a collective, by comm_type of the schema, with further attributes or nil.
func Call(id uint64, kind, size int, more map[string]any, deps ...uint64) Node {
	a := map[string]any{"comm_type": kind, "comm_size": size}
	for k, v := range more {
		a[k] = v
	}
	return Node{ID: id, Kind: Collective, Data: deps, Attributes: a}
}

// Message is a node that sends to another rank or receives from one.
func Message(id uint64, kind Kind, peer, size int, deps ...uint64) Node {
	name := map[Kind]string{Send: "comm_dst", Receive: "comm_src"}[kind]
	return Node{ID: id, Kind: kind, Data: deps,
		Attributes: map[string]any{name: peer, "comm_size": size, "comm_tag": 7}}
}

// Ring returns the traces of an all-reduce round a ring of n ranks as sends and receives, each of
// which waits for the one before it. A sum takes the given microseconds.
func Ring(n, bytes int, micros uint64) [][]Node {
	return ForEach(n, func(r int) (list []Node) {
		var deps []uint64
		add := func(x Node) {
			list = append(list, x)
			deps = []uint64{x.ID}
		}
		for step := range 2 * (n - 1) {
			add(Message(uint64(len(list)), Send, (r+1)%n, bytes/n, deps...))
			add(Message(uint64(len(list)), Receive, (r+n-1)%n, bytes/n, deps...))
			if step < n-1 {
				add(Node{ID: uint64(len(list)), Kind: Compute, Micros: micros, Data: deps})
			}
		}
		return list
	})
}
