package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/study"
)

// Digests identify the inputs of an outcome: it holds for as long as all of them are the same.
type Digests struct {
	// Rule is of the rule, and of the published numbers, the break-even or the landmark that it is
	// about.
	Rule    string
	Points  string // of the points that it selects
	Results string // of its metric in the golden file of the study
}

// digest returns the first ten hexadecimal digits of the SHA-256 of texts.
func digest(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\n")))
	return hex.EncodeToString(sum[:5])
}

// digestsOf returns the digests of a rule of a built-in study as of today. root is the folder of
// the repository.
func digestsOf(root string, st *study.Study, t *study.Tolerance, names *config.Registry,
) (d Digests, err error) {
	rule := *t
	rule.Why = ""
	text, err := json.Marshal(rule)
	if err != nil {
		return d, err
	}
	parts := []string{string(text)}
	if t.Rule == "ratio" || t.Rule == "difference" {
		parts = append(parts, st.Published.CSV)
	}
	about := []any{} // the break-even or the landmark that the rule is about
	if b := st.BreakEvenNamed(t.Metric); b != nil {
		about = append(about, *b)
	}
	if l := st.LandmarkNamed(t.Metric); l != nil {
		about = append(about, *l)
	}
	for _, of := range about {
		text, err := json.Marshal(of)
		if err != nil {
			return d, err
		}
		parts = append(parts, string(text))
	}
	d.Rule = digest(parts...)
	points, err := pointsOf(st, t, names)
	if err != nil {
		return d, err
	}
	d.Points = digestPoints(points)
	d.Results, err = goldenDigest(root, st.Name, t)
	return d, err
}

// digestPoints returns the digest of points with their labels.
func digestPoints(points []study.Point) string {
	var lines []string
	for _, p := range points {
		lines = append(lines, strings.Join(append(p.Labels, p.Hash), "\t"))
	}
	return digest(lines...)
}

// pointsOf returns the points that a rule selects and the references that it divides them by.
func pointsOf(st *study.Study, t *study.Tolerance, names *config.Registry) (list []study.Point,
	err error) {
	points, err := st.Points()
	if err != nil {
		return nil, err
	}
	where := maps.Clone(t.Where)
	delete(where, t.AmongKey(st))
	for i := range points {
		if study.Matches(&points[i], where) {
			list = append(list, points[i])
		}
	}
	return list, nil
}

// goldenDigest returns the digest of the column of a rule's metric in the golden file of a study,
// or of the whole file: rules about jumps over time need several metrics, and the small version may
// lack one.
func goldenDigest(root, name string, t *study.Tolerance) (string, error) {
	path := filepath.Join(root, "experiments", "testdata", "golden", name+".txt")
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) < 3 {
		return "", fmt.Errorf("%s holds no runs", path)
	}
	column := slices.Index(strings.Split(lines[1], "\t"), t.Metric)
	if column < 0 || t.Covers() {
		return digest(lines...), nil
	}
	var kept []string
	for i, line := range lines[2:] {
		fields := strings.Split(line, "\t")
		if len(fields) <= column {
			return "", fmt.Errorf("%s:%d: %d fields", path, i+3, len(fields))
		}
		kept = append(kept, strings.Join(append(fields[:3:3], fields[column]), "\t"))
	}
	return digest(kept...), nil
}

// Chance is the kind of random draws by which two seeds differ in the points that a rule selects.
type Chance string

const (
	NothingDrawn Chance = "nothing is drawn"
	WindowsDrawn Chance = "windows of a log"
	Drawn        Chance = "drawn"
)

// chanceOf returns the Chance of the points that a rule selects.
func chanceOf(st *study.Study, t *study.Tolerance, names *config.Registry) (Chance, error) {
	points, err := pointsOf(st, t, names)
	if err != nil {
		return "", err
	}
	chance := NothingDrawn
	for i := range points {
		s := &points[i].Spec
		if len(s.Draws()) > 0 {
			return Drawn, nil
		}
		if s.Varies() {
			chance = WindowsDrawn
		}
	}
	return chance, nil
}

// stale names the input of an outcome that has changed since, "" if none has.
func stale(then, now Digests) string {
	switch {
	case then.Rule != now.Rule:
		return "its rule has changed"
	case then.Points != now.Points:
		return "points of the study have changed"
	case then.Results != now.Results:
		return "the golden file of the study has changed"
	}
	return ""
}
