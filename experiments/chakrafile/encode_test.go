package chakrafile

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// written is a node as tests write it. Attributes are numbers (int64_val), or texts.
type written struct {
	id, kind, micros uint64
	control, data    []uint64
	attributes       map[string]any
}

func (w written) encode() []byte {
	var b []byte
	number := func(field protowire.Number, v uint64) {
		b = protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
	}
	number(1, w.id)
	number(3, w.kind)
	for _, d := range w.control { // one by one
		number(4, d)
	}
	var packed []byte
	for _, d := range w.data {
		packed = protowire.AppendVarint(packed, d)
	}
	b = protowire.AppendBytes(protowire.AppendTag(b, 5, protowire.BytesType), packed)
	number(7, w.micros)
	for name, value := range w.attributes {
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

// encodeTrace returns a file.
func encodeTrace(nodes []written) []byte {
	version := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), "0.0.4")
	b := protowire.AppendBytes(nil, version)
	for _, n := range nodes {
		b = protowire.AppendBytes(b, n.encode())
	}
	return b
}

// write writes the files of a trace and returns its prefix.
func write(t testing.TB, ranks ...[]written) string {
	t.Helper()
	prefix := filepath.Join(t.TempDir(), "step")
	for r, nodes := range ranks {
		if err := os.WriteFile(fmt.Sprintf("%s.%d.et", prefix, r), encodeTrace(nodes), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return prefix
}

// forEach has the same nodes for all ranks, or nodes by rank.
func forEach(n int, f func(r int) []written) (ranks [][]written) {
	for r := range n {
		ranks = append(ranks, f(r))
	}
	return ranks
}

// collective is a node.
func collective(id uint64, kind, size int, more map[string]any, deps ...uint64) written {
	a := map[string]any{"comm_type": kind, "comm_size": size}
	for k, v := range more {
		a[k] = v
	}
	return written{id: id, kind: 7, data: deps, attributes: a}
}

// message is a node that sends to another rank, or receives from one.
func message(id, kind uint64, peer, size int, deps ...uint64) written {
	name := map[uint64]string{5: "comm_dst", 6: "comm_src"}[kind]
	return written{id: id, kind: kind, data: deps,
		attributes: map[string]any{name: peer, "comm_size": size, "comm_tag": 7}}
}
