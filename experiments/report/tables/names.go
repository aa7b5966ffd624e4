package tables

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"contend/allocation/order"
	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/service/external"
	"contend/internal/input"
)

// displayName returns the name that is printed for a name of a study. It reports false for a text
// that the registry does not have, such as the name of a variant, which stays as it is.
func displayName(r *config.Registry, name string) (string, bool) {
	if display := r.Display(name); display != "" {
		return display, true
	}
	if r.TableOf(name) == "" {
		return name, false
	}
	return input.UpperFirst(strings.ReplaceAll(name, "-", " ")), true
}

// DisplayName returns the name that is printed for a label, or the label itself. A number
// stands in parentheses, as in Paging(0), and a word after a comma, as in First fit, rotate. Of a
// program it is the last file of its command.
func DisplayName(r *config.Registry, label string) string { return displays(r, label)[0] }

// displays lists names to print for a label, the shortest first: longer ones tell apart programs
// with other arguments.
func displays(r *config.Registry, label string) []string {
	if m := logName.FindStringSubmatch(label); m != nil {
		return []string{m[1] + " " + m[2]}
	}
	base, parameters, has := strings.Cut(label, ":")
	if base == config.Program && has {
		return commandNames(label, parameters)
	}
	name, ok := displayName(r, base)
	switch {
	case !ok || strings.Contains(label, "+"): // a mix of patterns
		return []string{label}
	case !has:
		return []string{name}
	case base == "goal" || base == "chakra":
		return []string{path.Base(parameters), label}
	case r.TableOf(base) == "topologies":
		return []string{name + " " + path.Base(parameters), name + " " + parameters}
	case order.LabelWords[parameters] != "":
		return []string{strings.TrimSuffix(name, " (1D)") + ", " + order.LabelWords[parameters]}
	case strings.HasPrefix(base, "npb-"):
		return []string{name + "." + parameters} // as in FT.A
	case base == "away":
		return []string{parameters + " away"}
	case base == "quasi-contiguous":
		return []string{name + " " + parameters + "%"}
	}
	numbers, words := splitParameters(parameters)
	if numbers != "" {
		name += "(" + numbers + ")"
	}
	long := strings.Join(append([]string{name}, words...), ", ")
	return []string{folders.ReplaceAllString(long, ""), long}
}

// folders matches the folders of a file.
var folders = regexp.MustCompile(`[^ =,/]*/`)

// commandNames lists names to print for the command of a program: the last file before its options,
// the same with the arguments behind it, and the whole command.
func commandNames(label, command string) []string {
	c, err := external.ParseCommand(command)
	if err != nil || len(c.Words) == 0 {
		return []string{label}
	}
	isOption := func(word string) bool { return strings.HasPrefix(word, "-") }
	isFile := func(word string) bool {
		return strings.ContainsAny(word, `./\`) && strings.ContainsFunc(word, unicode.IsLetter)
	}
	at := 0
	for i, word := range c.Words {
		if isOption(word) {
			break
		}
		if isFile(word) {
			at = i
		}
	}
	short := path.Base(strings.ReplaceAll(c.Words[at], `\`, "/"))
	return []string{short, strings.Join(append([]string{short}, c.Words[at+1:]...), " "),
		strings.Join(c.Words, " ")}
}

// logName is the file name of a log of the Parallel Workloads Archive: computer, year,
// version.
var logName = regexp.MustCompile(`^([A-Za-z0-9-]+)-(\d{4})-[\d.]+(?:-cln)?\.swf(?:\.gz)?$`)

// splitParameters returns the numbers at the beginning of a list of parameters, and the words
// behind them.
func splitParameters(parameters string) (numbers string, words []string) {
	words = strings.Split(parameters, ",")
	n := 0
	for n < len(words) && strings.Trim(words[n], "0123456789.") == "" {
		n++
	}
	return strings.Join(words[:n], ","), words[n:]
}

// distinguished returns the name of a program with those of its arguments that not all programs of
// this name have, "" for other labels.
func distinguished(i int, of [][]string) string {
	if len(of[i]) < 3 {
		return ""
	}
	var others []string
	for _, list := range of {
		if len(list) == 3 && list[0] == of[i][0] {
			others = append(others, list[1]+" ")
		}
	}
	words := of[i][:1:1]
	for _, word := range strings.Fields(of[i][1])[1:] {
		lacks := func(other string) bool { return !strings.Contains(other, " "+word+" ") }
		if slices.ContainsFunc(others, lacks) {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// isOwnWord reports whether a label is a word that the registry does not have, such as the name of
// a variant or a choice of a key.
func isOwnWord(r *config.Registry, label string) bool {
	base, _, _ := strings.Cut(label, ":")
	_, known := displayName(r, base)
	return !known && !strings.Contains(label, "+") && label != "" && unicode.IsLower(rune(label[0])) &&
		base != config.Program
}

// PrintedNames returns the names to print for the labels of a key: the name in the last given table
// that has one, else the shortest display name that no other label has. Labels without one, and
// labels that are printed as they are, are not in the result. Beside words that are printed as they
// are, names that would have a capital alone are printed as they are too.
func PrintedNames(r *config.Registry, labels []string, given ...map[string]any) map[string]string {
	labels = Unique(labels)
	all := make([][]string, len(labels))
	plain := slices.ContainsFunc(labels, func(label string) bool {
		return isOwnWord(r, label) && !slices.ContainsFunc(given, func(table map[string]any) bool {
			return table[label] != nil
		})
	})
	for i, l := range labels {
		if all[i] = displays(r, l); plain && r.Display(l) == "" &&
			strings.EqualFold(all[i][0], strings.ReplaceAll(l, "-", " ")) {
			all[i] = []string{l}
		}
	}
	of := slices.Clone(all)
	for i := range all {
		if name := distinguished(i, all); name != "" {
			of[i] = slices.Insert(slices.Clone(all[i]), 1, name)
		}
	}
	names := map[string]string{}
	for i, l := range labels {
		own := func(name string) bool {
			users := slices.IndexFunc(of, func(list []string) bool { return slices.Contains(list, name) })
			return users == i && !slices.ContainsFunc(of[i+1:], func(list []string) bool {
				return slices.Contains(list, name)
			})
		}
		if n := slices.IndexFunc(of[i], own); n >= 0 && of[i][n] != l {
			names[l] = of[i][n]
		}
		for _, table := range given {
			if name, ok := table[l]; ok {
				names[l] = fmt.Sprint(name)
			}
		}
	}
	return names
}

// PrintedOf returns the name to print for a label of a key.
func PrintedOf(r *experiments.Results, key, label string, given ...map[string]any) string {
	labels := append(r.Study.LabelsOf(r.Points, key), label)
	given = append([]map[string]any{r.Study.Labels}, given...)
	return cmp.Or(PrintedNames(r.Names, labels, given...)[label], label)
}

// PrintedLabel returns the name to print for a label of an axis.
func PrintedLabel(r *experiments.Results, label string, given ...map[string]any) string {
	for _, key := range r.AxisKeys() {
		if slices.Contains(r.Study.LabelsOf(r.Points, key), label) {
			return PrintedOf(r, key, label, given...)
		}
	}
	return DisplayName(r.Names, label)
}
