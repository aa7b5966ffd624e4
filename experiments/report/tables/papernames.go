package tables

import (
	"fmt"
	"regexp"
	"strings"
)

// paperNames has the names that papers print for allocators, patterns, policies and
// placements whose names in studies are words of a command line.
var paperNames = map[string]string{
	"random": "Random", "paging": "Paging", "buddy2d": "2D Buddy", "mbs": "MBS",
	"gabl": "GABL", "anca": "ANCA",
	"first-fit": "First Fit", "best-fit": "Best Fit", "frame-sliding": "Frame Sliding",
	"mc": "MC", "mc1x1": "MC1x1", "mc1x1-tie": "MC1x1", "gen-alg": "Gen-Alg", "mm": "MM",
	"mm-inc": "MM+Inc", "optimal": "Optimal",
	"free-list": "Free List", "first-fit-1d": "First Fit (1D)", "best-fit-1d": "Best Fit (1D)",
	"sum-of-squares": "Sum of Squares", "sequential": "Sequential", "contiguous": "Contiguous",
	"quasi-contiguous": "Quasi-contiguous", "isolated": "Isolated", "by-router": "Fewest Routers",
	"by-group": "Fewest Groups", "level-spread": "Level-Spread",
	"random-routers": "Random Routers", "random-groups": "Random Groups", "rows": "Rows",
	"diagonal": "Diagonal", "subcube": "Subcube",

	"fft": "FFT", "npb-ft": "FT", "npb-is": "IS", "npb-cg": "CG", "npb-mg": "MG", "npb-lu": "LU",
	"npb-bt": "BT", "npb-sp": "SP",

	"scattered": "Scattered", "away": "away",

	"fcfs": "FCFS", "easy": "EASY", "sjf": "SJF",
}

// curveNames has the names of the curves that number processors.
var curveNames = map[string]string{"hilbert": "Hilbert", "snake": "snake", "linear": "linear"}

// PaperName returns the name that papers print for a label, or the label itself. A number
// stands in parentheses, as in Paging(0), and a word after a comma, as in First Fit, rotate.
func PaperName(label string) string {
	if m := logName.FindStringSubmatch(label); m != nil {
		return m[1] + " " + m[2]
	}
	base, parameters, has := strings.Cut(label, ":")
	name, ok := paperNames[base]
	switch {
	case !ok:
		return label
	case !has:
		return name
	case curveNames[parameters] != "":
		return strings.TrimSuffix(name, " (1D)") + ", " + curveNames[parameters]
	case strings.HasPrefix(base, "npb-"):
		return name + "." + parameters // as in FT.A
	case base == "away":
		return parameters + " away"
	case base == "quasi-contiguous":
		return name + " " + parameters + "%"
	}
	numbers, words := split(parameters)
	if numbers != "" {
		name += "(" + numbers + ")"
	}
	return strings.Join(append([]string{name}, words...), ", ")
}

// logName is the file name of a log of the Parallel Workloads Archive: computer, year,
// version.
var logName = regexp.MustCompile(`^([A-Za-z0-9-]+)-(\d{4})-[\d.]+(?:-cln)?\.swf(?:\.gz)?$`)

// split returns the numbers at the beginning of a list of parameters, and the rest.
func split(parameters string) (numbers string, words []string) {
	words = strings.Split(parameters, ",")
	n := 0
	for n < len(words) && strings.Trim(words[n], "0123456789.") == "" {
		n++
	}
	return strings.Join(words[:n], ","), words[n:]
}

// PrintedNames returns the names to print for labels: those of the last table that has one, or
// those of papers. A name of papers that two labels share is not used.
func PrintedNames(labels []string, given ...map[string]any) map[string]string {
	users := map[string]int{}
	for _, l := range Unique(labels) {
		users[PaperName(l)]++
	}
	names := map[string]string{}
	for _, l := range labels {
		if name := PaperName(l); name != l && users[name] == 1 {
			names[l] = name
		}
		for _, table := range given {
			if name, ok := table[l]; ok {
				names[l] = fmt.Sprint(name)
			}
		}
	}
	return names
}
