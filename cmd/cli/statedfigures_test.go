package cli

import (
	"encoding/csv"
	"fmt"
	"math"
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

// timesFaster returns the least and the greatest ratio to BookSim 2 in BENCHMARKS, of the closed
// form and of the rest, whose key is "".
func timesFaster(t *testing.T) (least, most map[string]int) {
	t.Helper()
	ratios := regexp.MustCompile(
		`(?m)^\|[^|]*, (closed form)?[^|]*\| \d+ \| [\d.]+ \| (\d+) to (\d+) \|$`).
		FindAllStringSubmatch(readRepository(t, "docs", "BENCHMARKS.md"), -1)
	least, most = map[string]int{"": math.MaxInt, "closed form": math.MaxInt}, map[string]int{}
	for _, m := range ratios {
		low, _ := strconv.Atoi(m[2])
		high, _ := strconv.Atoi(m[3])
		least[m[1]], most[m[1]] = min(least[m[1]], low), max(most[m[1]], high)
	}
	if len(ratios) < 8 {
		t.Fatalf("BENCHMARKS.md has %d networks beside BookSim 2", len(ratios))
	}
	return least, most
}

// The figures in README's comparison are those of the program, of the page
// of the study booksim and of BENCHMARKS.
func TestReadmeFigures(t *testing.T) {
	within, of, fitted := besideBookSim(t)
	least, most := timesFaster(t)
	names := config.Builtin()
	own := func(table string) int { // exec stands for programs of others
		return len(slices.DeleteFunc(names.NamesIn(table), func(n string) bool { return n == "exec" }))
	}
	states(t, "README.md",
		fmt.Sprintf("%d policies; %d allocators", own("schedulers"), own("allocators")),
		fmt.Sprintf("accepted load at %d of %d points", within["accepted_load"], of["accepted_load"]),
		fmt.Sprintf("network latency at %d of %d below", within["network_latency"],
			of["network_latency"]),
		fitted+" things, ",
		fmt.Sprintf("%d to %d times faster than in BookSim 2", least[""], most[""]),
		fmt.Sprintf("%d to %d times in the closed form", least["closed form"], most["closed form"]))
}

// coverage returns the share of runs within their intervals, and the mean half widths and errors,
// of a metric, in percent.
func coverage(t *testing.T, metric string) (share, half, off string) {
	t.Helper()
	for _, row := range account(t, "fast-forward-coverage", "rule") {
		if row[2] != metric || row[3] != "passed" || !strings.Contains(row[4], "runs within") {
			continue
		}
		_, text, _ := strings.Cut(row[4], "runs within, ")
		if _, err := fmt.Sscanf(strings.ReplaceAll(text, "%", " "), "%s ; half widths %s  and errors %s",
			&share, &half, &off); err != nil {
			t.Fatalf("%q: %v", row[4], err)
		}
		return share, half, off
	}
	t.Fatalf("no rule about intervals of %s that passed", metric)
	return "", "", ""
}

// The figures in the paper are those of the accounts of validation and of BENCHMARKS.
func TestPaperFigures(t *testing.T) {
	within, of, fitted := besideBookSim(t)
	least, _ := timesFaster(t)
	service, _, _ := coverage(t, "service_time")
	blocking, half, off := coverage(t, "packet_blocking_time")
	states(t, "docs/paper.md",
		fmt.Sprintf("accepted load is within 3%% at %d of %d points, and network latency below 80%% of "+
			"saturation at %d of %d", within["accepted_load"], of["accepted_load"],
			within["network_latency"], of["network_latency"]),
		fitted+" things were fitted to BookSim 2",
		fmt.Sprintf("a flit costs a %dth of the time that it costs in BookSim 2, or less", least[""]),
		fmt.Sprintf("intervals hold in %s%% of the mean service times and %s%% of the mean blocking "+
			"times", service, blocking),
		fmt.Sprintf("Those of blocking times are wide, %s%% for errors of %s%%", half, off))
}
