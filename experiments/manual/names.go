package manual

import (
	"strings"

	"contend/allocation"
	"contend/allocation/byname"
	"contend/allocation/center"
	"contend/allocation/order"
	"contend/allocation/submesh"
	"contend/experiments/spec"
)

// form is one way to write a name with parameters.
type form struct{ kind, grammar, example, meaning string }

// forms are the short forms that keys and flags take; a test parses each
// example.
var forms = []form{
	{"allocator", "NAME", "mbs", "all parameters at their defaults"},
	{"allocator", "NAME:NUMBER,...", "mc1x1-tie:2,13,20,6", "numbers first, in the order of the " +
		"table below, all or none"},
	{"allocator", "NAME:NUMBER,...,WORD,...", "paging:2,snake", "words in any order"},
	{"allocator", "NAME:WORD", "first-fit:rotate",
		"a flag, or a value of a parameter that takes words"},
	{"allocator", "ORDER/NAME", "hilbert/best-fit-1d", "the order before the name"},
	{"allocator", "ORDER/TURN/NAME", "hilbert/yx/best-fit-1d", "the order turned: the dimensions " +
		"x, y, z, u, v, w in the order in which the curve takes them, each with `-` where it counts " +
		"from its far end"},
	{"mix", "PATTERN", "ring", "every job has this pattern"},
	{"mix", "PATTERN:WEIGHT+...", "all-to-all:2+ring:1", "each job draws one, with probability " +
		"proportional to the weight; a weight that is left out is 1"},
	{"mix", "BENCHMARK:CLASS", "npb-cg:A", "a NAS benchmark of class S, W, A, B or C; without one " +
		"`job.class` says"},
	{"mix", "BENCHMARK:CLASS:WEIGHT+...", "npb-ft:A:2+ring", "both"},
	{"rule", "FIELD VALUE: PATTERN", "user 17: npb-ft:B", "jobs of a log whose size, user or queue " +
		"has the value"},
	{"rule", "FIELD LEAST-GREATEST: PATTERN", "size 2-4: near-neighbour", "the same for a range"},
	{"rule", "FIELD LEAST-: PATTERN", "size 64-: all-to-all", "the same for a range without an end"},
	{"machine", "mesh:AxB...", "mesh:16x16", "routers along each dimension, x first"},
	{"machine", "torus:AxB...", "torus:8x8x4", "the same with the ends joined"},
	{"machine", "hypercube:N", "hypercube:6", "N dimensions, 2^N routers"},
	{"machine", "tree:KxN", "tree:4x4", "a K-ary N-tree: K ports down, N levels, K^N nodes"},
	{"machine", "tree:KxN:U", "tree:4x4:2", "the same with U ports up"},
}

// namesPage has the grammar of short forms and all names but those of
// patterns, which have a page of their own.
func namesPage(names spec.Names) string {
	var b strings.Builder
	b.WriteString(title("Names and their short forms"))
	b.WriteString("Capitals stand for what you fill in. Allocators are read by `allocator`,\n" +
		"`--axis allocator=...`, `scheduler.decision` and `contend allocate --allocator`; mixes by\n" +
		"`job.pattern`, `contend pattern` and `contend speedup`; rules by `job.rules`; machines by\n" +
		"`--machine`. Commas\n" +
		"separate the values of `--axis`; a piece that can only be a parameter belongs to the\n" +
		"allocator before it, so `--axis allocator=paging:1,snake,mbs` has two values.\n")
	kind := ""
	for _, f := range forms {
		if f.kind != kind {
			kind = f.kind
			b.WriteString("\n## Grammar: " + kind + "\n\n")
			table(&b, []string{"form", "example", "meaning"}, nil)
		}
		b.WriteString("| `" + f.grammar + "` | `" + f.example + "` | " + f.meaning + " |\n")
	}
	b.WriteString("\n" +
		"## Parameters of allocators\n\n" +
		"In the order of the short form. The same parameter is a key of\n" +
		"[`[allocator]`](keys.md#allocator).\n\n")
	var rows [][]string
	for _, n := range names["allocators"] {
		if parameters := byname.Parameters(n.Name); parameters != nil {
			rows = append(rows, []string{code(n.Name), strings.Join(parameters, ", ")})
		}
	}
	table(&b, []string{"allocator", "parameters"}, rows)
	b.WriteString("\n")
	table(&b, []string{"parameter", "words, the default first"}, words())
	for _, kind := range spec.SortedKeys(names) {
		if kind != "patterns" {
			b.WriteString("\n## Names: " + kind + "\n\n")
			nameTable(&b, "name", names[kind])
		}
	}
	return b.String()
}

// words returns the rows with the words that parameters accept.
func words() (rows [][]string) {
	for _, p := range []struct {
		name  string
		words []allocation.Info
	}{
		{"order of pages", order.Orders()}, {"order of processors", order.NodeOrders()},
		{"span", order.Spans()}, {"last_shell", center.LastShells()},
		{"corners", center.Corners()}, {"score", submesh.Scores()}, {"start", submesh.Starts()},
	} {
		var list []string
		for _, w := range p.words {
			list = append(list, code(w.Name))
		}
		rows = append(rows, []string{p.name, strings.Join(list, ", ")})
	}
	return append(rows, []string{"rotate", "`rotate`, or nothing"})
}
