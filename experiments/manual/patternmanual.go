package manual

import (
	"fmt"
	"strings"

	"contend/experiments/report"
	"contend/experiments/spec"
	"contend/patterns"
)

// manualProcesses is the number of processes in the figures of PatternManual.
const manualProcesses = 16

// nasBenchmarks and collectives list the patterns with messages in bytes, in the
// order of the manual.
var (
	nasBenchmarks = []string{"npb-ft", "npb-is", "npb-cg", "npb-mg", "npb-lu", "npb-bt", "npb-sp"}
	collectives   = []string{"all-reduce-ring", "all-reduce-doubling", "all-reduce-tree",
		"all-gather-ring", "all-gather-doubling", "reduce-scatter-ring", "reduce-scatter-halving"}
)

// patternSteps describes, for every NAS benchmark, which process waits for which,
// and the step before whose messages a process computes for job.compute_cycles.
var patternSteps = map[string][2]string{
	"npb-ft": {"an all-to-all by pairwise exchange, each step an exchange with one process; then " +
		"a reduction to process 0", "an all-to-all"},
	"npb-is": {"an all-reduce of the buckets' sizes by recursive doubling; an all-to-all of the " +
		"numbers of keys, then of the keys, by pairwise exchange", "the reduction; the keys' " +
		"all-to-all"},
	"npb-cg": {"exchanges along the row of a grid of processes at distance 1, 2, 4, ..., then " +
		"with the transposed process; dot products likewise", "a matrix-vector product"},
	"npb-mg": {"faces to the six neighbours on a 3-D torus, axis after axis, level after level; " +
		"on coarse levels every second, fourth, ... process along an axis", "a level's exchange"},
	"npb-lu": {"a wavefront over a 2-D grid in every plane, from one corner, then from the " +
		"other: a process waits for two neighbours and sends to the other two; then an exchange " +
		"of faces", "a plane"},
	"npb-bt": {"faces to six neighbours at once; then along x, y, z a line solve in q stages " +
		"forth and q back, each waiting for the process before", "a stage"},
	"npb-sp": {"as BT", "a stage"},
}

// PatternManual returns docs/patterns.md: the messages of the patterns with sizes
// in bytes, counted by the program itself.
func PatternManual() (string, error) {
	var b strings.Builder
	b.WriteString(`# Patterns with sizes in bytes

Written by ` + "`contend manual patterns > docs/patterns.md`; the figures by `contend pattern NAME --matrix`" + `.

The NAS Parallel Benchmarks and the collectives below are programs, not phases: each process goes on as soon as the messages it
waits for are there, without a barrier. A job completes the iteration in which its quota of messages is reached. A message of b bytes
is b / ` + "`network.flit_bytes`" + ` flits, rounded up, at least one; ` + "`job.scale`" + ` shrinks the bytes first, ` + "`network.pad_flits`" + ` rounds
the flits up to a multiple. A process may need time to send and to
receive a message, one after the other: ` + "`job.send_cycles`, `job.receive_cycles`" + `. Jobs of a log that communicate for a share of their run
time (` + "`job.communication_share`" + `) compute between iterations, all processes for the same time, so that the share is what it says whoever waits
for whom; those of so many processes that the pattern is none for them only compute.

## NAS Parallel Benchmarks 3.3 (MPI)

Read off the benchmarks' source. An iteration is one pass of the timed loop; what comes before and after the loop is left out, but FT's one FFT
before it counts as an iteration. What a process sends to itself (CG's diagonal, MG on one process an axis) does not enter the network.
MPI's collectives are MPICH's for these sizes. The class is ` + "`job.class`, or part of the name: `npb-ft:B`" + `.

| code | who waits for whom | a step of ` + "`job.compute_cycles`" + ` |
| --- | --- | --- |
`)
	for _, name := range nasBenchmarks {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, patternSteps[name][0], patternSteps[name][1])
	}
	fmt.Fprintf(&b, "\n### One iteration for %d processes\n\n%s", manualProcesses, tableHead)
	var all []report.PatternReport
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
	b.WriteString("\n### Who sends to whom: class A\n\nBytes from each process to each in one " +
		"iteration; white is nothing.\n\n")
	writeGallery(&b, all)
	fmt.Fprintf(&b, `
## Collectives

As MPICH has them (Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005), on a vector of `+"`job.bytes`"+`. Any number of processes: doubling and halving
where it is no power of two, with r processes too many: in all-reduce and reduce-scatter, of the first 2r each even one gives its vector to the
next, sits out, and gets its result at the end; in all-gather, who has no partner gets the blocks from those who had one. A process computes
at the beginning of an iteration.

### One iteration for %d processes, 65536 bytes

%s`, manualProcesses, tableHead)
	_, err := reportRows(&b, strings.Join(collectives, "+"))
	return b.String(), err
}

const tableHead = "| pattern | messages | bytes | bytes a message | partners of a process | " +
	"iterations of a full run |\n| --- | ---: | ---: | ---: | ---: | ---: |\n"

// reportRows writes a row for each pattern of a mix.
func reportRows(b *strings.Builder, mix string) ([]report.PatternReport, error) {
	plan := spec.DefaultSpec()
	plan.Job.Pattern = mix
	reports, err := report.ReportPattern(&plan, manualProcesses)
	for _, r := range reports {
		row := r.Row()
		fmt.Fprintf(b, "| `%s` | %s |\n", row[0], strings.Join(row[2:], " | "))
	}
	return reports, err
}

// writeGallery shows the figures of class A, three in a row.
func writeGallery(b *strings.Builder, reports []report.PatternReport) {
	const wide = 3
	var names, images []string
	flush := func() {
		if names == nil {
			return
		}
		for len(names) < wide {
			names, images = append(names, ""), append(images, "")
		}
		fmt.Fprintf(b, "| %s |\n|%s\n| %s |\n\n", strings.Join(names, " | "),
			strings.Repeat(" --- |", wide), strings.Join(images, " | "))
		names, images = nil, nil
	}
	for _, r := range reports {
		if !strings.HasSuffix(r.Pattern, ":A") {
			continue
		}
		names = append(names, "`"+r.Pattern+"`")
		images = append(images, fmt.Sprintf("![Bytes from each of %d processes to each: "+
			"%s](figures/%s.svg)", r.Matrix.N, r.Pattern, r.Base()))
		if len(names) == wide {
			flush()
		}
	}
	flush()
}
