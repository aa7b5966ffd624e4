package config

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"contend/internal/call"
	"contend/internal/input"
)

// Canonical returns the text that identifies the run. It has a line for each key that
// acts in the run and differs from its default, in the order of Keys. The text leaves out
// defaults so that stored results remain valid when a key is added.
func (s *Spec) Canonical() string { return s.CanonicalOf(func(string) bool { return true }) }

// CanonicalOf returns the lines of Canonical for the keys that keep accepts.
func (s *Spec) CanonicalOf(keep func(path string) bool) string {
	return joinLines(s.canonicalLines(), keep)
}

// canonicalLine is a line of Canonical.
type canonicalLine struct{ path, text string }

// canonicalLines returns the lines of Canonical.
func (s *Spec) canonicalLines() (lines []canonicalLine) {
	keys := Keys()
	written := s.withQuotaLine()
	for i := range keys {
		if text := s.canonicalLineOf(&keys[i], written); text != "" {
			lines = append(lines, canonicalLine{keys[i].Path, text})
		}
	}
	if s.drawsIterations() {
		lines = append(lines, canonicalLine{string(FieldIterations), "job.quota counts whole iterations\n"})
	}
	return lines
}

// canonicalLineOf returns the line of Canonical of a key, "" if it has none. The spec written is
// that of withQuotaLine.
func (s *Spec) canonicalLineOf(k *Key, written *Spec) string {
	if !k.Identity || k.isDefault(written) {
		return ""
	}
	v := k.Format(written)
	if k.Path == "workload.trace" { // the log may move to another folder
		v = input.QuoteTOML(input.BaseName(s.Workload.Trace))
	}
	if k.namesPatterns() {
		v = withoutFolders(v)
	}
	if v == k.defaultText() || k.isStandard != nil && k.isStandard(s, v) || !k.Acts(s) {
		return ""
	}
	return k.Path + " = " + v + "\n"
}

// SameRun reports whether the text that identifies the run is that of another spec, which differs
// in one key above all: the line of this key is compared first.
func (s *Spec) SameRun(other *Spec, path string) bool {
	if k, ok := keysByPath()[path]; ok && s.canonicalLineOf(&k, s.withQuotaLine()) !=
		other.canonicalLineOf(&k, other.withQuotaLine()) {
		return false
	}
	return s.Canonical() == other.Canonical()
}

// drawsIterations reports whether jobs draw the number of their iterations.
func (s *Spec) drawsIterations() bool {
	q := &s.Job.Quota
	return s.Job.Run == RunMessages && drawnJobs.Holds(s) && q.Distribution == "exponential" &&
		(q.Iterations > 0 || q.Benchmarks > 0)
}

// withQuotaLine returns the spec whose values canonicalLines writes. A mean about which quotas are
// drawn, job.quota.mean_iterations, stands in the line of job.quota.iterations, and drawn iterations
// have a line of their own: results are stored in which job.quota.iterations is that mean, and they
// remain valid.
func (s *Spec) withQuotaLine() *Spec {
	q := s.Job.Quota
	if q.MeanIterations == 0 || q.Distribution != "exponential" {
		return s
	}
	written := *s
	written.Job.Quota.Iterations, written.Job.Quota.MeanIterations = q.MeanIterations, 0
	return &written
}

// joinLines joins the lines of the keys that keep accepts.
func joinLines(lines []canonicalLine, keep func(path string) bool) string {
	var b strings.Builder
	for _, l := range lines {
		if keep(l.path) {
			b.WriteString(l.text)
		}
	}
	return b.String()
}

// Hash returns the first 16 hex digits of the SHA-256 of the canonical text.
func (s *Spec) Hash() string {
	h := sha256.Sum256([]byte(s.Canonical()))
	return hex.EncodeToString(h[:8])
}

// Normalize sets every key that does not act to its default, so that it cannot
// act by accident: first the gates, on which conditions of other keys depend.
func (s *Spec) Normalize() {
	for changed := true; changed; {
		changed = false
		for _, k := range gateKeys() {
			changed = s.resetIdle(k) || changed
		}
	}
	keys := Keys()
	for i := range keys {
		s.resetIdle(&keys[i])
	}
}

// gateKeys lists the keys on which conditions of other keys depend, lower gates first.
var gateKeys = sync.OnceValue(func() (list []*Key) {
	keys := Keys()
	for i := range keys {
		if keys[i].gate > 0 {
			list = append(list, &keys[i])
		}
	}
	slices.SortStableFunc(list, func(a, b *Key) int { return cmp.Compare(a.gate, b.gate) })
	return list
})

// resetIdle sets a key that does not act to its default and reports whether it had
// another value.
func (s *Spec) resetIdle(k *Key) bool {
	if _, given := s.Given[k.Path]; !k.Identity || k.isDefault(s) && !given || k.Acts(s) ||
		s.converts(k.Path) {
		return false
	}
	s.dropGiven(k.Path)
	if k.isDefault(s) {
		return false
	}
	at := Settings{Spec: *s}
	at.unset(k)
	*s = at.Spec
	return true
}

// Pinned returns value in canonical form, with sha256=D added to each pattern that reads a file.
func (r *Registry) Pinned(path string, value any) (any, *input.Error) {
	k, _ := FindKey(path)
	return mapTexts(&k, value, func(text string) (string, *input.Error) {
		if path == string(FieldTraffic) {
			return pinnedTraffic(text)
		}
		if e, ok := r.find(k.Names, text); ok && !k.namesPatterns() && call.IsText(e.parameters) {
			return r.canonical(e.table, text)
		}
		return mapPatterns(&k, text, r.canonicalPart)
	})
}

// JoinFolder returns value with each relative file name in its patterns joined to folder.
func (r *Registry) JoinFolder(path string, value any, folder string) (any, *input.Error) {
	return r.MapFiles(path, value, func(file string) (string, *input.Error) {
		if filepath.IsAbs(file) {
			return file, nil
		}
		file = filepath.Join(folder, file)
		return file, call.CheckFileName(file)
	})
}

// MapFiles returns value with of applied to the file name in each of its patterns.
func (r *Registry) MapFiles(path string, value any,
	of func(file string) (string, *input.Error)) (any, *input.Error) {
	k, _ := FindKey(path)
	value, err := mapTexts(&k, value, func(text string) (string, *input.Error) {
		return mapPatterns(&k, text, func(w Weighted) (Weighted, *input.Error) {
			return r.mapFile(w, of)
		})
	})
	if err != nil {
		err.Key = path
	}
	return value, err
}

// mapFile returns w with of applied to its file name, or unchanged if w reads no file.
func (r *Registry) mapFile(w Weighted, of func(string) (string, *input.Error)) (Weighted,
	*input.Error) {
	e, ok := r.find("patterns", w.Name)
	if !ok || e.digest == nil {
		return w, nil
	}
	v, err := e.parse(w.Label())
	if err != nil {
		return w, nil
	}
	name, file := v.Given(call.File)
	made, err := of(file)
	if err == nil {
		v, err = v.With(name, made)
	}
	if err != nil {
		return w, err
	}
	return w.withCall(v.String()), nil
}

// mapTexts returns value with of applied to each string in it, in nested lists, and to each row of
// a list of tables.
func mapTexts(k *Key, value any, of func(text string) (string, *input.Error)) (any,
	*input.Error) {
	if k.parser != nil && k.parser.tables {
		value = rowTexts(value)
	}
	switch v := value.(type) {
	case string:
		return of(v)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			var err *input.Error
			if list[i], err = mapTexts(k, v[i], of); err != nil {
				return value, err
			}
		}
		return list, nil
	}
	return value, nil
}

// mapPatterns returns text with of applied to each pattern in it, or unchanged if it does not
// parse.
func mapPatterns(k *Key, text string, of mapPattern) (string, *input.Error) {
	if !k.namesPatterns() {
		return text, nil
	}
	value, err := k.parser.parse(text)
	if err != nil {
		return text, nil
	}
	made, bad := value.(patternHolder).each(of)
	return made.(patternHolder).String(), bad
}

// folders matches the folder of a file in a call.
var folders = regexp.MustCompile(`\bfile=[^+:,;"]*[/\\]`)

// withoutFolders returns calls without the folders of their files: those may move, and the digest
// identifies the content.
func withoutFolders(text string) string { return folders.ReplaceAllString(text, "file=") }

// Calibration turns the run times of a log into messages (job.quota.per_second = auto),
// seconds into cycles (job.cycles_per_second = auto), or a load of drawn jobs that send messages
// into the time between their submissions (workload.system_load). It measures how long the
// messages of a job take if the job has a machine to itself. All points with the same
// jobs share that machine and its network as a reference: a study that compares
// machines or networks must give all of them the same jobs.

// CalibrateEach is the value of job.calibrate_on that calibrates every point on
// its own machine and network.
const CalibrateEach = "each"

// ReferenceText lists the keys a reference consists of that are not at their
// defaults.
func (s *Spec) ReferenceText() string {
	text := strings.TrimSpace(s.CanonicalOf(IsReference))
	if text == "" {
		return "machine.topology = " + input.QuoteTOML(s.Machine.Topology) // "" would be the point's own
	}
	return strings.ReplaceAll(text, "\n", "; ")
}

// Reference returns the spec with the machine and the network its jobs are
// calibrated on.
func (s *Spec) Reference() (*Spec, error) {
	if s.Job.CalibrateOn == "" {
		return s, nil
	}
	base, standard := *s, DefaultSpec()
	base.Machine, base.Network = standard.Machine, standard.Network
	base.Job.SendCycles, base.Job.ReceiveCycles = standard.Job.SendCycles, standard.Job.ReceiveCycles
	base.Network.Engine, base.Network.Cycle = s.Network.Engine, s.Network.Cycle
	base.Failures = nil
	base.Given = nil // the reference is in plain numbers
	return base.ReferenceBy(s.Job.CalibrateOn)
}

// ReferenceBy changes the keys that job.calibrate_on gives.
func (s *Spec) ReferenceBy(text string) (*Spec, error) {
	at := Settings{Spec: *s}
	at.Spec.Job.CalibrateOn = ""
	if err := at.assignReference(text); err != nil {
		return nil, err
	}
	err := at.Spec.Resolve()
	if err == nil {
		err = at.Spec.Check()
	}
	if err != nil {
		return nil, input.Bad("job.calibrate_on", err.Right, "job.calibrate_on: %s", err.Problem)
	}
	return &at.Spec, nil
}

// IsReference reports whether the key belongs to the reference machine and network of the
// calibration.
func IsReference(path string) bool {
	switch path {
	case "job.send_cycles", "job.receive_cycles":
		return true
	case "network.engine", cyclePath: // change no number of cycles
		return false
	}
	return isMachine(path) || strings.HasPrefix(path, "network.")
}

// isMachine reports whether the key describes the machine as it is built. Failures do not.
func isMachine(path string) bool {
	return strings.HasPrefix(path, "machine.") && path != failuresPath
}

// MakesJobs reports whether the key affects the jobs of a run. The length of a cycle does: it
// says how many cycles the run time of a log has.
func MakesJobs(path string) bool {
	switch path {
	case cyclePath:
		return true
	case "job.assumed_speedup", "job.calibrate_on", "job.mapping":
		return false
	}
	return !IsReference(path) &&
		(strings.HasPrefix(path, "workload.") || strings.HasPrefix(path, "job."))
}

// SameJobs returns a text that two specs share if their jobs are the same: the keys that make jobs
// and, of drawn jobs whose arrival depends on the reference, the sides of which they draw theirs.
func (s *Spec) SameJobs() (string, error) {
	text := s.CanonicalOf(MakesJobs)
	w := &s.Workload
	size := w.sizes()
	if !s.MeasuresLoad() || size.Distribution != "" && !size.DependsOnMachine() {
		return text, nil
	}
	sides := s.Machine.Sides()
	if sides == nil || size.Distribution != "" {
		machine, err := s.Registry.NewMachine(&s.Machine)
		if err != nil {
			return "", err
		}
		if size.Distribution != "" {
			return fmt.Sprintln(text, machine.Nodes()), nil
		}
		sides = SidesOf(machine)
	}
	if d := w.Side.Distribution; d == "fixed" || d == "uniform" && w.Side.Max > 0 {
		return fmt.Sprintln(text, len(sides)), nil // no side depends on the machine's
	}
	return fmt.Sprintln(text, sides), nil
}

// JobKeys is the part of a spec about its jobs.
func (s *Spec) JobKeys() string {
	return s.CanonicalOf(func(path string) bool {
		return MakesJobs(path) || isMachine(path) // whose sides jobs draw
	})
}

// ProgramKeys is the part of a spec that says what the processes of its jobs do.
func (s *Spec) ProgramKeys() string {
	return s.CanonicalOf(func(path string) bool {
		return MakesJobs(path) && !strings.HasPrefix(path, "workload.")
	})
}

// MachineKeys is the part of a spec about its machine.
func (s *Spec) MachineKeys() string {
	return s.CanonicalOf(isMachine)
}

// StreamSeed returns the two words that seed the PCG of one random stream of one
// replication. They depend only on runs.seed, the replication and the name of the
// stream. Runs that differ in anything else are therefore compared on common random
// numbers (Law, Simulation Modeling and Analysis, sec. 11.2): the same jobs, of the
// same sizes, patterns, quotas and submission times, as far as the keys of their own
// distributions are the same.
func (s *Spec) StreamSeed(replication int, stream string) (uint64, uint64) {
	text := fmt.Sprintf("seed = %d\nreplication = %d\nstream = %q\n", s.Seed, replication, stream)
	h := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(h[:8]), binary.LittleEndian.Uint64(h[8:16])
}
