package input

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// FindTrace finds a log at the path given, or in one of the folders under its name,
// with or without ".swf" and ".gz". If the log is missing, FindTrace takes the newest
// other version of the same log; TakenInstead says so. The error is a *MissingError.
func FindTrace(name string, folders []string) (string, error) {
	missing := &MissingError{Trace: name}
	if name == "" {
		return "", missing
	}
	missing.Tried = []string{name}
	for _, dir := range folders {
		missing.Tried = append(missing.Tried, filepath.Join(dir, BaseName(name)))
	}
	folder := ""
	for _, path := range missing.Tried {
		for _, p := range spellings(path) {
			info, err := os.Stat(p)
			switch {
			case err != nil:
			case !info.IsDir():
				return p, nil
			case folder == "":
				folder = p
			}
		}
	}
	if p := otherVersion(name, missing.Tried); p != "" {
		return p, nil
	}
	if folder != "" {
		return folder, nil // the reader of the log refuses it
	}
	return "", missing
}

// Pinned returns the SHA-256 of a log. It refuses a log that differs from the recorded digest, ""
// for none.
func Pinned(path, recorded string) (string, error) {
	file, err := Open(path, LogLimits)
	if err != nil {
		return "", Unreadable(err, "give a log that can be read")
	}
	defer file.Close()
	digest := sha256.New()
	if _, err := io.Copy(digest, file); err != nil {
		return "", &Error{Problem: err.Error(), Right: "give a log that can be read"}
	}
	sum := hex.EncodeToString(digest.Sum(nil))
	if recorded != "" && recorded != sum {
		return "", Bad("workload.trace_sha256", "find that log, or take the key out",
			"%s is not the log the spec was resolved with: its SHA-256 is %s, not %s", path, sum, recorded)
	}
	return sum, nil
}

// archive is the address of the Parallel Workloads Archive.
const archive = "https://www.cs.huji.ac.il/labs/parallel/workload/"

// MissingError says which log a study needs and where to get it.
type MissingError struct {
	// Trace is the log as the study names it.
	Trace string
	// Tried are the places where the program looked.
	Tried []string
	// Also are other logs that are missing.
	Also []string
}

// With adds the logs of another MissingError. The receiver may be nil.
func (e *MissingError) With(err error) *MissingError {
	other := err.(*MissingError)
	switch {
	case e == nil:
		return other
	case other.Trace != e.Trace && !slices.Contains(e.Also, other.Trace):
		e.Also = append(e.Also, other.Trace)
	}
	return e
}

func (e *MissingError) Error() string {
	if e.Trace == "" {
		return "the study needs a log in the Standard Workload Format: give one with --trace FILE; " +
			"the Parallel Workloads Archive (" + archive + ") has many"
	}
	also := ""
	if e.Also != nil {
		also = "; also missing: " + strings.Join(e.Also, ", ")
	}
	return fmt.Sprintf("log %s not found; looked in %s%s: "+
		"give the log with --trace FILE or its folder with --traces DIR; "+
		"the Parallel Workloads Archive (%s) has many",
		e.Trace, strings.Join(e.Tried, ", "), also, archive)
}

// NotThisVersion is the part of a sentence of TakenInstead by which it is recognized.
const NotThisVersion = "this version of the log is not there"

// TakenInstead states that the log found is another version than the one requested, "" if it is the
// same.
func TakenInstead(name, path string) string {
	if LogName(path) == LogName(name) {
		return ""
	}
	return fmt.Sprintf("%s: %s, and %s was taken", BaseName(name), NotThisVersion, BaseName(path))
}

// spellings lists the names under which a log may be stored: with or without .swf and .gz.
func spellings(path string) []string {
	bare := strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".swf")
	return []string{path, path + ".gz", bare + ".swf", bare + ".swf.gz"}
}

// archiveName matches names as the Parallel Workloads Archive gives them to logs: the machine
// and its year, the version, and whether it was cleaned.
var archiveName = regexp.MustCompile(`^(.+-\d{4})-(\d+(?:\.\d+)*)(-cln)?(?:\.swf)?(?:\.gz)?$`)

// logVersion is one version of a log.
type logVersion struct {
	log, cleaned string
	version      []int
}

// versionOf splits a name of the archive. It reports false for other names.
func versionOf(file string) (v logVersion, ok bool) {
	parts := archiveName.FindStringSubmatch(BaseName(file))
	if parts == nil {
		return v, false
	}
	v.log, v.cleaned = parts[1], parts[3]
	for part := range strings.SplitSeq(parts[2], ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return v, false
		}
		v.version = append(v.version, n)
	}
	return v, true
}

// otherVersion returns the newest version of a log in the folder of one of the paths,
// or "". It replaces a cleaned log by a cleaned one only, and a log as recorded by one
// as recorded.
func otherVersion(name string, paths []string) string {
	wanted, ok := versionOf(name)
	if !ok {
		return ""
	}
	best, newest := "", []int(nil)
	for _, path := range paths {
		entries, _ := os.ReadDir(filepath.Dir(path)) // sorted by name: x.swf is before x.swf.gz
		for _, e := range entries {
			v, ok := versionOf(e.Name())
			if !ok || e.IsDir() || v.log != wanted.log || v.cleaned != wanted.cleaned ||
				!strings.HasSuffix(strings.TrimSuffix(e.Name(), ".gz"), ".swf") {
				continue
			}
			if best == "" || slices.CompareFunc(v.version, newest, cmp.Compare[int]) > 0 {
				best, newest = filepath.Join(filepath.Dir(path), e.Name()), v.version
			}
		}
	}
	return best
}

// LogName returns the name of a log without its folders, ".gz" and ".swf".
func LogName(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(BaseName(file), ".gz"), ".swf")
}

// BaseName returns the name of a file without its folders; "" stays "".
func BaseName(file string) string {
	if file == "" {
		return ""
	}
	return filepath.Base(file)
}
