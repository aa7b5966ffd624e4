package config

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"contend/allocation/mapping"
	"contend/internal/call"
	"contend/internal/input"
	"contend/netsim"
)

// entry has what all entries of a registry have in common.
type entry struct {
	table, name, display, doc, source string
	parameters                        []call.Parameter
	// section has the keys that are parameters of all entries of the table; "" for none.
	section string
	of      any  // a pointer to the Topology, Routing, Allocator, Pattern or Policy
	made    bool // there is a constructor
	digest  func(v call.Values) (string, error)
	files   *input.Files // opens files
}

// entries lists everything in the registry but the metrics.
func (r *Registry) entries() (all []entry) {
	add := func(e entry) { all = append(all, e) }
	for i := range r.Topologies {
		x := &r.Topologies[i]
		e := entry{table: "topologies", name: x.Name, display: x.Display, doc: x.Doc, source: x.Source,
			parameters: x.Parameters, of: x, made: x.New != nil || x.newFromKeys != nil}
		if x.newFromKeys != nil {
			e.section = "machine"
		}
		add(e)
	}
	for i := range r.Routings {
		x := &r.Routings[i]
		add(entry{table: "routings", name: x.Name, display: x.Display, doc: x.Doc, source: x.Source,
			parameters: withQuantities(x.Name, x.Parameters), of: x, made: x.New != nil || x.Makers != nil})
	}
	for i := range r.Allocators {
		x := &r.Allocators[i]
		add(entry{table: "allocators", name: x.Name, display: x.Display, doc: x.Doc, source: x.Source,
			parameters: x.Parameters, of: x, made: x.New != nil})
	}
	for i := range r.Patterns {
		x := &r.Patterns[i]
		e := entry{table: "patterns", name: x.Name, display: x.Display, doc: x.Doc, source: x.Source,
			parameters: x.Parameters, of: x, digest: x.Digest, files: &r.files,
			made: x.New != nil || x.Tasks != nil || x.program != nil}
		if !e.made {
			e.section = "job"
		}
		add(e)
	}
	for i := range r.Policies {
		x := &r.Policies[i]
		e := entry{table: "schedulers", name: x.Name, display: x.Display, doc: x.Doc, source: x.Source,
			parameters: x.Parameters, of: x, made: x.New != nil || x.newFromKeys != nil}
		if x.newFromKeys != nil {
			e.section = "scheduler"
		}
		add(e)
	}
	for i := range netsim.ControlKinds() {
		x := &netsim.ControlKinds()[i]
		add(entry{table: controlTable, name: x.Name, display: x.Display, doc: x.Doc, source: x.Source,
			parameters: withQuantities(x.Name, x.Parameters), of: x, made: true})
	}
	return all
}

var (
	wellNamed    = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	wellMeasured = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
)

// reserved are names that have another meaning in a study.
var reserved = map[string][]string{"patterns": {backgroundSame, backgroundIdle}}

// Check returns everything that is wrong with the registry, or nil.
func (r *Registry) Check() error {
	var wrong []error
	seen := map[string]bool{}
	add := func(table, name, doc string, made, good bool) {
		problem := func(text string, args ...any) {
			wrong = append(wrong, fmt.Errorf("registry: %s: %q %s", table, name, fmt.Sprintf(text, args...)))
		}
		if seen[table+" "+name] {
			problem("occurs twice")
		}
		seen[table+" "+name] = true
		switch {
		case !good:
			problem("is not a valid name: %s", rightName(table))
		case doc == "":
			problem("has no Doc: say in a line what it is")
		case !made:
			problem("has no New")
		}
	}
	for _, e := range r.entries() {
		if _, plain := builtin().find(e.table, e.name); plain && !seen[e.table+" "+e.name] {
			seen[e.table+" "+e.name] = true
			continue
		}
		add(e.table, e.name, e.doc, e.made, e.wellNamed())
		for _, err := range call.Check(e.name, e.parameters) {
			wrong = append(wrong, fmt.Errorf("registry: %s: %q: %w", e.table, e.name, err))
		}
	}
	wrong = append(wrong, r.checkRoutings()...)
	for _, m := range r.Metrics {
		add("metrics", m.Name, m.Doc, true, wellMeasured.MatchString(m.Name))
		if m.Min != nil && (math.IsNaN(*m.Min) || math.IsInf(*m.Min, 0)) {
			wrong = append(wrong, fmt.Errorf("registry: metrics: %q has a Min of %v: leave it out for"+
				" a metric without a minimum", m.Name, *m.Min))
		}
	}
	return errors.Join(wrong...)
}

// checkRoutings returns what is wrong with the routings that topologies name.
func (r *Registry) checkRoutings() (wrong []error) {
	names := map[string]bool{}
	for _, x := range r.Routings {
		names[x.Name] = true
	}
	for _, t := range r.Topologies {
		if len(t.Routings) == 0 {
			wrong = append(wrong, fmt.Errorf(
				"registry: topologies: %q has no Routings: name those that fit it", t.Name))
		}
		for _, text := range t.Routings {
			_, err := r.canonical("routings", text)
			switch {
			case !names[call.Name(text)]:
				wrong = append(wrong, fmt.Errorf(
					"registry: topologies: %q names the routing %q, which there is not", t.Name, text))
			case err != nil:
				wrong = append(wrong, fmt.Errorf("registry: topologies: %q: %w", t.Name, err))
			}
		}
	}
	return wrong
}

// wellNamed reports whether the name of the entry is valid and not reserved.
func (e *entry) wellNamed() bool {
	return wellNamed.MatchString(e.name) && !strings.HasPrefix(e.name, "npb-") &&
		!slices.Contains(reserved[e.table], e.name)
}

// rightName says what names of a table look like.
func rightName(table string) string {
	if table == "metrics" {
		return "write lower-case letters, digits and underscores, such as longest_wait"
	}
	return "write lower-case letters, digits and hyphens, such as corner-first;" +
		" npb-, same and idle are reserved"
}

// controlTable is the name of the table.
const controlTable = "congestion-controls"

// parse reads the parameters of a call of the entry.
func (e *entry) parse(text string) (call.Values, *input.Error) {
	v, err := call.Parse(text, e.parameters)
	if err != nil && e.section != "" && len(e.parameters) == 0 {
		err.Right = "the keys of [" + e.section + "] are its parameters"
	}
	if e.files != nil {
		v = v.Through(*e.files)
	}
	return v, err
}

// A spec holds what a study names as the canonical text of a call, such as corner:from=2. The
// registry of the spec has its entry.

// registered returns the registry, or that of the unchanged program for nil.
func (r *Registry) registered() *Registry {
	if r == nil {
		return builtin()
	}
	return r
}

// builtin is the registry of the unchanged program.
var builtin = sync.OnceValue(Builtin)

// named returns the entry that a call names in one table, nil if there is none.
func named[T any](r *Registry, table, text string) *T {
	e, _ := r.find(table, text)
	found, _ := e.of.(*T)
	return found
}

// allocator returns the entry of an allocator that a call names, or nil.
func (r *Registry) allocator(text string) *Allocator {
	return named[Allocator](r, "allocators", text)
}

// pattern returns the entry of a pattern that a call names, or nil.
func (r *Registry) pattern(text string) *Pattern { return named[Pattern](r, "patterns", text) }

// topology returns the entry of a topology that a call names, or nil.
func (r *Registry) topology(text string) *Topology { return named[Topology](r, "topologies", text) }

// policy returns the entry of a policy that a call names, or nil.
func (r *Registry) policy(text string) *Policy { return named[Policy](r, "schedulers", text) }

// makeIndex indexes entries and names once, for conditions of keys look them up at every point.
func (r *Registry) makeIndex() {
	r.indexed.Do(func() {
		r.index, r.names = map[[2]string]entry{}, map[string][]string{}
		for _, e := range r.entries() {
			r.index[[2]string{e.table, e.name}] = e
		}
		r.displays = r.displayNames()
		for table, list := range r.Tables() {
			for _, n := range list {
				r.names[table] = append(r.names[table], n.Name)
			}
		}
	})
}

// displayNames returns the names that figures and tables print, of all that a study can name and
// that has one.
func (r *Registry) displayNames() map[string]string {
	names := map[string]string{}
	add := func(name, display string) {
		if names[name] == "" && display != "" {
			names[name] = display
		}
	}
	for _, e := range r.entries() {
		add(e.name, e.display)
	}
	for _, k := range netsim.TrafficKinds() {
		add(k.Name, k.Display)
	}
	for _, m := range mapping.Mappings() {
		add(m.Name, m.Display)
	}
	for _, k := range placementKinds {
		add(k.name, k.display)
	}
	return names
}

// Display returns the name that figures and tables print for a name, "" if its entry has none.
func (r *Registry) Display(name string) string {
	r = r.registered()
	r.makeIndex()
	return r.displays[name]
}

// find returns the entry that a call of one table names.
func (r *Registry) find(table, text string) (entry, bool) {
	r = r.registered()
	r.makeIndex()
	e, ok := r.index[[2]string{table, call.Name(text)}]
	return e, ok
}

// TableOf returns a table that has an entry of the name, "" if none has. Topologies come first.
func (r *Registry) TableOf(name string) string {
	r = r.registered()
	r.makeIndex()
	tables := slices.Sorted(maps.Keys(r.names))
	for _, table := range append([]string{"topologies"}, tables...) {
		if slices.Contains(r.names[table], name) {
			return table
		}
	}
	return ""
}

// Tables documents everything that a study can name, by table: the lists of the registry but
// the metrics, the orders of nodes and the traffic patterns.
func (r *Registry) Tables() map[string][]Name {
	tables := map[string][]Name{"orders": nodeOrders(), trafficTable: traffics()}
	for _, e := range r.registered().entries() {
		tables[e.table] = append(tables[e.table], Name{e.name, e.doc, e.source, e.parameters})
	}
	return tables
}

// NamesIn lists the names of one table. A missing table is a caller's bug.
func (r *Registry) NamesIn(table string) []string {
	r = r.registered()
	r.makeIndex()
	names, ok := r.names[table]
	if !ok {
		panic("experiments: there is no table of " + table)
	}
	return names
}

// entriesWith lists the entries of a table that have a parameter; "" for none.
func (r *Registry) entriesWith(table, parameter string) string {
	var names []string
	for _, e := range r.registered().entries() {
		if e.table == table && slices.ContainsFunc(e.parameters, func(p call.Parameter) bool {
			return p.Name == parameter
		}) {
			names = append(names, e.name)
		}
	}
	return strings.Join(names, ", ")
}

// canonical returns the canonical text of a call, or the text itself if it names no entry.
func (r *Registry) canonical(table, text string) (string, *input.Error) {
	e, ok := r.find(table, text)
	if !ok {
		return text, nil
	}
	v, err := e.parse(text)
	if err == nil && e.digest != nil {
		v, err = addDigest(v, e.digest)
	}
	return v.String(), err
}

// values returns the parameters of a call, which was checked when it was read.
func (r *Registry) values(table, text string) call.Values {
	e, _ := r.find(table, text)
	v, err := e.parse(text)
	if err != nil {
		panic("spec: " + err.Error())
	}
	return v
}

// canonicalPart returns a pattern with its parameters in canonical form.
func (r *Registry) canonicalPart(w Weighted) (Weighted, *input.Error) {
	e, ok := r.find("patterns", w.Name)
	if w.Parameters == "" && (!ok || e.digest == nil && !call.IsText(e.parameters)) {
		return w, nil
	}
	text, err := r.canonical("patterns", w.Label())
	return w.withCall(text), err
}

// addDigest returns v with its digest parameter set to digest(v), or v unchanged if it has no such
// parameter or already gives a digest.
func addDigest(v call.Values,
	digest func(call.Values) (string, error)) (call.Values, *input.Error) {
	name, given := v.Given(call.Digest)
	if name == "" || given != "" {
		return v, nil
	}
	sum, err := digest(v)
	if err != nil {
		return v, networkFileError(err)
	}
	return v.With(name, sum)
}

// checkDigest returns an error if v gives a digest and its files are unreadable or differ from it.
func checkDigest(v call.Values, digest func(call.Values) (string, error)) error {
	_, given := v.Given(call.Digest)
	if given == "" {
		return nil
	}
	sum, err := digest(v)
	if err == nil && sum != given {
		err = &input.Error{Problem: fmt.Sprintf("%s: what it names has the digest %s now", v, sum),
			Right: "find the files as they were, or take the digest out"}
	}
	return err
}

// digestOf returns the Digest of a pattern, or nil.
func (r *Registry) digestOf(w Weighted) func(call.Values) (string, error) {
	if p := r.pattern(w.Name); p != nil {
		return p.Digest
	}
	return nil
}
