package cli

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/studies"
	"contend/internal/must"
)

// readRepository returns a file of the repository.
func readRepository(t *testing.T, path ...string) string {
	t.Helper()
	text := must.Have(os.ReadFile(filepath.Join(append([]string{"..", ".."}, path...)...)))
	return string(text)
}

// states fails unless a document has each of some texts, wherever its lines end.
func states(t *testing.T, document string, texts ...string) {
	t.Helper()
	words := strings.Join(strings.Fields(readRepository(t, strings.Split(document, "/")...)), " ")
	for _, want := range texts {
		if !strings.Contains(words, want) {
			t.Errorf("%s does not say %q", document, want)
		}
	}
}

// account returns the rows of a kind of the account of a page of validation.
func account(t *testing.T, page, kind string) (rows [][]string) {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(readRepository(t, "docs", "validation",
		page+".csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range all {
		if row[0] == kind {
			rows = append(rows, row)
		}
	}
	return rows
}

// besideBookSim counts the cells of the account of the study booksim that are within tolerance,
// and all, by metric. fitted is the number of fitted things that the study states, in words.
func besideBookSim(t *testing.T) (within, of map[string]int, fitted string) {
	t.Helper()
	within, of = map[string]int{}, map[string]int{}
	for _, row := range account(t, "booksim", "rule") {
		var a, b int
		if _, err := fmt.Sscanf(row[4], "%d of %d published cells within", &a, &b); err == nil {
			within[row[2]], of[row[2]] = within[row[2]]+a, of[row[2]]+b
		}
	}
	text, _ := studies.TOML("booksim")
	m := regexp.MustCompile(`(\w+) things are fitted`).FindStringSubmatch(text)
	if m == nil || of["accepted_load"] == 0 {
		t.Fatalf("no cells, or nothing about fitted things: %v, %v", of, m)
	}
	return within, of, strings.ToLower(m[1])
}

// besideRow is a row of the table beside other programs in BENCHMARKS.
type besideRow struct {
	program, network string
	least, most      float64 // ratio of times
	texts            [2]string
}

// timesFaster returns the rows of the table beside other programs, by ascending least ratio, and of
// those that count packets those of htsim, with and without its acknowledgements, and those of
// CODES. Names of networks are without the number of virtual channels.
func timesFaster(t *testing.T) (rows, htsim, acknowledged, codes []besideRow) {
	t.Helper()
	channels := regexp.MustCompile(`, V = \d+`)
	for _, m := range regexp.MustCompile(
		`(?m)^\| ([^|]+) \| ([^|]+) \| \d+ \| [\d.]+ \| ([\d.]+) to ([\d.]+) \|$`).
		FindAllStringSubmatch(readRepository(t, "docs", "BENCHMARKS.md"), -1) {
		r := besideRow{program: m[1], network: channels.ReplaceAllString(m[2], ""),
			texts: [2]string{m[3], m[4]}}
		r.least, r.most = must.Have(strconv.ParseFloat(m[3], 64)), must.Have(strconv.ParseFloat(m[4], 64))
		switch {
		case r.program == "CODES":
			codes = append(codes, r)
		case r.program != "htsim":
			rows = append(rows, r)
		case strings.Contains(r.network, "acknowledgements"):
			acknowledged = append(acknowledged, r)
		default:
			htsim = append(htsim, r)
		}
	}
	for _, list := range [][]besideRow{rows, htsim, acknowledged, codes} {
		if len(list) < 2 {
			t.Fatalf("BENCHMARKS.md has %d networks beside other programs, %d rows of htsim, %d with "+
				"acknowledgements and %d of CODES", len(rows), len(htsim), len(acknowledged), len(codes))
		}
		slices.SortFunc(list, func(a, b besideRow) int { return cmp.Compare(a.least, b.least) })
	}
	return rows, htsim, acknowledged, codes
}

// greatest returns the row with the greatest ratio.
func greatest(rows []besideRow) besideRow {
	return slices.MaxFunc(rows, func(a, b besideRow) int { return cmp.Compare(a.most, b.most) })
}

// The figures in the comparison with other programs are those of the program, of the page of the
// study booksim and of BENCHMARKS.
func TestComparisonFigures(t *testing.T) {
	within, of, fitted := besideBookSim(t)
	rows, htsim, acknowledged, codes := timesFaster(t)
	nearest, farthest, networks := rows[0], greatest(rows), len(rows)
	cycles := greatest(slices.DeleteFunc(rows, func(r besideRow) bool {
		return strings.Contains(r.network, "closed form")
	}))
	names := config.Builtin()
	own := func(table string) int { // exec stands for programs of others
		return len(slices.DeleteFunc(names.NamesIn(table), func(n string) bool { return n == "exec" }))
	}
	states(t, "README.md", fmt.Sprintf("%s to %s times [faster per flit]"+
		"(docs/BENCHMARKS.md#beside-other-programs) than %s and %s, below saturation",
		nearest.texts[0], farthest.texts[1], nearest.program, farthest.program),
		fmt.Sprintf("%s to %s times per packet than htsim (%s to %s with its acknowledgements counted) "+
			"and %s to %s than CODES", htsim[0].texts[0], greatest(htsim).texts[1],
			acknowledged[0].texts[0], greatest(acknowledged).texts[1], codes[0].texts[0],
			greatest(codes).texts[1]))
	states(t, "docs/comparison.md",
		fmt.Sprintf("%d policies; %d allocators", own("schedulers"), own("allocators")),
		fmt.Sprintf("accepted load at %d of %d points", within["accepted_load"], of["accepted_load"]),
		fmt.Sprintf("network latency, less one cycle, at %d of %d points below",
			within["network_latency"], of["network_latency"]),
		fitted+" things, ",
		fmt.Sprintf("On %d networks below saturation a flit over a router takes it from a %sth of the "+
			"processor time of %s (%s) to a %sth of that of %s (%s; cycle by cycle a %sth)",
			networks, nearest.texts[0], nearest.program, nearest.network, farthest.texts[1],
			farthest.program, farthest.network, cycles.texts[1]))
}

// coverage returns the number of runs within their intervals, that of all judged, and the median
// half width and the errors, in percent, of a metric.
func coverage(t *testing.T, metric string) (within, of int, half, off string) {
	t.Helper()
	for _, row := range account(t, "fast-forward-coverage", "rule") {
		if row[2] != metric || !strings.Contains(row[4], "means within") {
			continue
		}
		var share string
		if _, err := fmt.Sscanf(strings.ReplaceAll(row[4], "%", " "), "%d of %d means within, %s ; "+
			"median half width %s , errors %s", &within, &of, &share, &half, &off); err != nil {
			t.Fatalf("%q: %v", row[4], err)
		}
		return within, of, half, off
	}
	t.Fatalf("no rule about intervals of %s", metric)
	return 0, 0, "", ""
}

// The figures in the paper are those of the accounts of validation and of BENCHMARKS.
func TestPaperFigures(t *testing.T) {
	within, of, fitted := besideBookSim(t)
	rows, _, _, _ := timesFaster(t)
	nearest := slices.IndexFunc(rows, func(r besideRow) bool { return r.program == "BookSim 2" })
	service, ofServices, half, off := coverage(t, "service_time")
	blocking, ofBlocking, _, _ := coverage(t, "packet_blocking_time")
	states(t, "docs/paper.md",
		fmt.Sprintf("accepted load is within 3%% at %d of %d points, and network latency below 80%% of "+
			"saturation, less one cycle, at %d of %d", within["accepted_load"], of["accepted_load"],
			within["network_latency"], of["network_latency"]),
		fitted+" things were fitted to BookSim 2",
		fmt.Sprintf("a flit costs a %dth of the time that it costs in BookSim 2, or less",
			int(rows[nearest].least)),
		fmt.Sprintf("intervals hold for %d of %d mean service times and %d of %d mean blocking times",
			service, ofServices, blocking, ofBlocking),
		fmt.Sprintf("a median half width of %s%% for errors of %s%% (root mean square)", half, off))
}
