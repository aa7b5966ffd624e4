package netfile

import (
	"fmt"
	"strconv"
	"strings"
)

// expandHostlist returns the names of a Slurm hostlist, such as srv[01-03,7],login: names behind
// commas, with ranges of numbers in brackets. Numbers keep their leading zeros. A name may have
// several brackets; the last one counts fastest. More names than the limit are an error.
func expandHostlist(list string, limit int) (names []string, err error) {
	for list != "" {
		entry, rest, err := cutEntry(list)
		if err != nil {
			return nil, err
		}
		list = rest
		if names, err = expandEntry(names, "", entry, limit); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// cutEntry cuts a list at its first comma outside of brackets.
func cutEntry(list string) (entry, rest string, err error) {
	inside := false
	for i, c := range list {
		switch {
		case c == '[' && inside || c == ']' && !inside:
			return "", "", fmt.Errorf("%q has a %c out of place", list, c)
		case c == '[' || c == ']':
			inside = !inside
		case c == ',' && !inside:
			return list[:i], list[i+1:], nil
		}
	}
	if inside {
		return "", "", fmt.Errorf("%q has no ] behind its [", list)
	}
	return list, "", nil
}

// expandEntry appends the names of an entry of a list, each behind a prefix.
func expandEntry(names []string, prefix, entry string, limit int) ([]string, error) {
	head, rest, ranges := strings.Cut(entry, "[")
	prefix += head
	if !ranges {
		if !validName(prefix) {
			return nil, fmt.Errorf("%q is no name", prefix)
		}
		if len(names) == limit {
			return nil, fmt.Errorf("there are more than %d names", limit)
		}
		return append(names, prefix), nil
	}
	inside, rest, _ := strings.Cut(rest, "]")
	for part := range strings.SplitSeq(inside, ",") {
		first, last, is := strings.Cut(part, "-")
		if !is {
			last = first
		}
		from, err := strconv.ParseUint(first, 10, 31)
		to, err2 := strconv.ParseUint(last, 10, 31)
		if err != nil || err2 != nil || to < from {
			return nil, fmt.Errorf("%q is no number or range of numbers", part)
		}
		for n := from; n <= to; n++ {
			name := fmt.Sprintf("%s%0*d", prefix, len(first), n)
			if names, err = expandEntry(names, name, rest, limit); err != nil {
				return nil, err
			}
		}
	}
	return names, nil
}

// Hostlist writes names as a Slurm hostlist: runs of names that differ in a last number become a
// range.
func Hostlist(names []string) string {
	var out strings.Builder
	for i := 0; i < len(names); {
		stem, digits := splitNumber(names[i])
		number, _ := strconv.ParseUint(digits, 10, 63)
		end := i + 1
		for ; digits != "" && end < len(names); end++ {
			if names[end] != fmt.Sprintf("%s%0*d", stem, len(digits), number+uint64(end-i)) {
				break
			}
		}
		if i > 0 {
			out.WriteByte(',')
		}
		if end == i+1 {
			out.WriteString(names[i])
		} else {
			_, last := splitNumber(names[end-1])
			fmt.Fprintf(&out, "%s[%s-%s]", stem, digits, last)
		}
		i = end
	}
	return out.String()
}

// splitNumber splits a name before the digits that it ends with.
func splitNumber(name string) (stem, digits string) {
	stem = strings.TrimRight(name, "0123456789")
	return stem, name[len(stem):]
}
