package allocation

import (
	"fmt"
	"strings"
)

// Nearest returns the name of least edit distance to the one given, case
// aside, of equally near ones the first; "" when there are no names.
func Nearest(name string, names []string) string {
	nearest, least := "", 0
	for i, candidate := range names {
		if d := editDistance(strings.ToLower(name), strings.ToLower(candidate)); i == 0 || d < least {
			nearest, least = candidate, d
		}
	}
	return nearest
}

// editDistance counts the bytes to insert, delete or replace to turn a into b
// (Levenshtein), a row of the table at a time.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// known returns nil for a name that is listed.
func known(kind, name string, listed []Info) error {
	for _, info := range listed {
		if info.Name == name {
			return nil
		}
	}
	return unknown(kind, name, listed)
}

// unknown is the error for a name that is not listed.
func unknown(kind, name string, listed []Info) error {
	names := make([]string, len(listed))
	for i, info := range listed {
		names[i] = info.Name
	}
	return fmt.Errorf("unknown %s %q: did you mean %q?", kind, name, Nearest(name, names))
}
