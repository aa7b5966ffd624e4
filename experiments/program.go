package experiments

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
)

// Every line of runs.jsonl names the program that made the run. A folder holds the
// runs of one program only, because other code may give other results.

// resolvedBy begins spec.toml; the name of the program follows.
const resolvedBy = "# Resolved by contend "

// resolvedFrom begins the second line; the origin of the study follows.
const resolvedFrom = "# From a study whose text has the SHA-256 "

// originOf tells studies apart that have the same name. It is the beginning of the SHA-256 of what
// the user wrote, whatever flags made of it since.
func originOf(text string) string {
	if resolved, ok := strings.CutPrefix(text, resolvedBy); ok {
		_, rest, _ := strings.Cut(resolved, "\n")
		line, _, _ := strings.Cut(rest, "\n")
		origin, _ := strings.CutPrefix(line, resolvedFrom)
		if origin != line {
			return strings.TrimSuffix(origin, ".")
		}
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// ProgramOf returns the program that wrote a folder last, "" where it does not say.
func ProgramOf(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, specFile))
	first, _, _ := strings.Cut(string(text), "\n")
	name, ok := strings.CutPrefix(first, resolvedBy)
	name, _, found := strings.Cut(name, ";")
	if err != nil || !ok || !found {
		return ""
	}
	return name
}

// Program returns the program that made the runs, "" if there are none.
func (r *Results) Program() string {
	for _, made := range r.Folder.Records {
		return made.Version
	}
	return ""
}
