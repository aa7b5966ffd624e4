package manual

import (
	"fmt"
	"strings"

	"contend/experiments/report/figures"
	"contend/experiments/spec"
	"contend/patterns"
)

// manualProcesses is the size of the jobs in the figures of patternsPage.
const manualProcesses = 16

// nasBenchmarks and collectives are the patterns with messages in bytes, in the
// order of the manual.
var (
	nasBenchmarks = []string{"npb-ft", "npb-is", "npb-cg", "npb-mg", "npb-lu", "npb-bt", "npb-sp"}
	collectives   = []string{"all-reduce-ring", "all-reduce-doubling", "all-reduce-tree",
		"all-gather-ring", "all-gather-doubling", "reduce-scatter-ring", "reduce-scatter-halving"}
)

// patternSteps says of every NAS benchmark which processes wait for which, and what a
// step is. A process computes for job.compute_cycles before it sends the messages of a
// step.
var patternSteps = map[string][2]string{
	"npb-ft": {"an all-to-all by pairwise exchange, with one process in each step; then a " +
		"reduction to process 0", "an all-to-all"},
	"npb-is": {"an all-reduce of the bucket sizes by recursive doubling; an all-to-all of the " +
		"numbers of keys, then of the keys, by pairwise exchange",
		"the reduction; the all-to-all of the keys"},
	"npb-cg": {"exchanges at distance 1, 2, 4, ... along a row of the process grid, then with the " +
		"transposed process; dot products in the same way", "a matrix-vector product"},
	"npb-mg": {"faces to the six neighbours on a 3-D torus, axis by axis and level by level; " +
		"coarse levels use every second, fourth, ... process along an axis", "the exchange of a level"},
	"npb-lu": {"a wavefront over a 2-D grid in each plane, from one corner and then from the " +
		"opposite one: a process waits for two neighbours and sends to the other two; then an " +
		"exchange of faces", "a plane"},
	"npb-bt": {"faces to six neighbours at once; then a line solve along each of x, y, z in q " +
		"stages forward and q back, in which a process waits for the one before it", "a stage"},
	"npb-sp": {"as BT", "a stage"},
}

// patternsPage lists all patterns and counts the messages of those with sizes in bytes.
func patternsPage(names spec.Names) (string, error) {
	var b strings.Builder
	b.WriteString(title("Traffic patterns"))
	b.WriteString("" +
		"`job.pattern` takes these names, alone or as a [mix](names.md#grammar-mix). n is the number\n" +
		"of processes of a job, ranks count from 0.\n\n")
	nameTable(&b, "pattern", names["patterns"])
	b.WriteString(bytesText)
	for _, name := range nasBenchmarks {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, patternSteps[name][0], patternSteps[name][1])
	}
	writeOperations(&b)
	fmt.Fprintf(&b, "\n### One iteration for %d processes\n\n%s", manualProcesses, tableHead)
	var all []figures.PatternReport
	for _, name := range nasBenchmarks {
		var parts []string
		for _, class := range patterns.Classes() {
			parts = append(parts, name+":"+class)
		}
		reports, err := reportRows(&b, strings.Join(parts, "+"))
		if err != nil {
			return "", err
		}
		all = append(all, reports...)
	}
	b.WriteString("\n" +
		"### Who sends to whom: class A\n\n" +
		"Bytes from each process to each in one iteration. White is nothing.\n" +
		"`contend pattern NAME --matrix` draws such figures.\n\n")
	writeGallery(&b, all)
	fmt.Fprintf(&b, collectivesText, manualProcesses, tableHead)
	_, err := reportRows(&b, strings.Join(collectives, "+"))
	return b.String(), err
}

// bytesText explains the patterns that are programs.
const bytesText = `
## Patterns with sizes in bytes

The NAS Parallel Benchmarks and the collectives are programs without barriers: a process continues
as soon as the messages it waits for have arrived. A job completes the iteration in which it reaches
its quota of messages. A message of b bytes has b / ` + "`network.flit_bytes`" + ` flits, rounded
up, and at least one. ` + "`job.scale`" + ` multiplies the bytes first;
` + "`network.pad_flits`" + ` rounds the flits up to a multiple. ` + "`job.send_cycles`" + ` and
` + "`job.receive_cycles`" + ` are the times in which a process sends or receives one message at a
time. A job of a log that communicates for a share of its run time
(` + "`job.communication_share`" + `), or whose iterations take a given time
(` + "`job.iteration`" + `), computes between iterations. All its processes compute for the
same time, so the share does not depend on who waits for whom. Jobs whose size the pattern does not
support only compute.

### NAS Parallel Benchmarks 3.3 (MPI)

The dependencies and sizes come from the source of the benchmarks. An iteration is one pass of the
timed loop. What precedes and follows the loop is left out, except for the one FFT that FT does
before it, which counts as an iteration. A message of a process to itself (CG's diagonal, MG with
one process along an axis) does not enter the network. The collectives are those of MPICH for these
sizes. ` + "`job.class` gives the class, or the name does: `npb-ft:B`" + `.

| code | who waits for whom | a step of ` + "`job.compute_cycles`" + ` |
| --- | --- | --- |
`

// operationsText explains the operations of the benchmarks.
const operationsText = `
### Full runs and their operations

` + "`job.quota.benchmarks = 1`" + ` is a full run: all iterations of the timed part. The table
has its operations, in millions. They are the number that a benchmark divides by its time to print
Mop/s, by the formulas in ft.f, cg.f, mg.f, lu.f, bt.f, sp.f and is.c. IS counts keys ranked, which
are integers; all others count operations in floating point. At a rate of
` + "`job.flop_rate`" + ` each of n processes computes for operations / (iterations n rate) seconds
in an iteration. Its steps are equally long, in whole cycles, and what is left over is between two
iterations. On coarse levels of MG only some processes compute; the others do less than their share.

`

// writeOperations writes a table of the iterations and operations of full runs.
func writeOperations(b *strings.Builder) {
	b.WriteString(operationsText)
	header := []string{"code", "full run"}
	for _, class := range patterns.Classes() {
		header = append(header, "class "+class)
	}
	var rows [][]string
	for _, name := range nasBenchmarks {
		times, work := []string{code(name), "iterations"}, []string{"", "millions of operations"}
		for _, class := range patterns.Classes() {
			iterations, _ := patterns.Iterations(name, class)
			operations, _ := patterns.Operations(name, class)
			times = append(times, fmt.Sprint(iterations))
			work = append(work, fmt.Sprintf("%.2f", operations/1e6))
		}
		rows = append(rows, times, work)
	}
	table(b, header, rows)
}

const collectivesText = `
### Collectives

The algorithms are those of MPICH (Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005). They work on
a vector of ` + "`job.bytes`" + ` and any number of processes. If that number exceeds a power of two
by r, doubling and halving first reduce it. In all-reduce and reduce-scatter, each even process of
the first 2r gives its vector to the next one, takes no part, and receives its result at the end. In
all-gather, a process without a partner receives the blocks from those that had one. A process
computes at the beginning of an iteration.

### One iteration of a collective for %d processes, 65536 bytes

%s`

const tableHead = "" +
	"| pattern | messages | bytes | bytes a message | partners of a process | " +
	"iterations of a full run |\n" +
	"| --- | ---: | ---: | ---: | ---: | ---: |\n"

// reportRows writes a row for each pattern of a mix.
func reportRows(b *strings.Builder, mix string) ([]figures.PatternReport, error) {
	plan := spec.DefaultSpec()
	plan.Job.Pattern = mix
	reports, err := figures.ReportPattern(&plan, manualProcesses)
	for _, r := range reports {
		row := r.Row()
		fmt.Fprintf(b, "| `%s` | %s |\n", row[0], strings.Join(row[2:], " | "))
	}
	return reports, err
}

// writeGallery shows the figures of class A, three in a row.
func writeGallery(b *strings.Builder, reports []figures.PatternReport) {
	const wide = 3
	var names, images []string
	flush := func() {
		if names == nil {
			return
		}
		for len(names) < wide {
			names, images = append(names, ""), append(images, "")
		}
		fmt.Fprintf(b, "| %s |\n|%s\n| %s |\n\n", strings.Join(names, " | "), strings.Repeat(" --- |",
			wide), strings.Join(images, " | "))
		names, images = nil, nil
	}
	for _, r := range reports {
		if !strings.HasSuffix(r.Pattern, ":A") {
			continue
		}
		names = append(names, "`"+r.Pattern+"`")
		images = append(images, fmt.Sprintf("![Bytes from each of %d processes to each: "+
			"%s](../figures/%s.svg)", r.Matrix.N, r.Pattern, r.Base()))
		if len(names) == wide {
			flush()
		}
	}
	flush()
}
