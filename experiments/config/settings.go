package config

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"contend/experiments/formats/netfile"
	"contend/internal/call"
	"contend/internal/input"
	"contend/internal/quantity"
	"contend/router/topology"
)

// The table is put together here, for its rows refer to functions that read it.
func init() {
	keys = slices.Concat(machineKeys, networkKeys, workloadKeys, drawnKeys, logKeys, jobKeys,
		jobMixKeys, jobTimeKeys, schedulerKeys, allocatorKeys, runsKeys, studyKeys, shortKeys)
	fields := map[any]Key{}
	addFields(fields, reflect.ValueOf(&layout).Elem(), "", nil)
	for i := range keys {
		k := &keys[i]
		k.Type, k.place = "string", i
		if at, ok := fields[k.field]; ok {
			k.goPath, k.index, k.of = at.goPath, at.index, at.of
			k.describeField()
		}
	}
}

// Assign sets one key to a value as the TOML library gives it. If several keys exclude each other,
// setting one resets the others. A shorthand sets all keys it stands for. A quantity with a unit
// waits for Spec.Resolve where its number depends on other keys.
func (s *Settings) Assign(path string, raw any) *input.Error {
	k, ok := FindKey(path)
	if !ok {
		return UnknownKey(path)
	}
	if texts, is := k.withUnits(raw); is {
		return s.assignQuantities(&k, texts)
	}
	if k.owner != nil {
		return s.assignParameter(&k, raw)
	}
	value, err := k.convert(raw, s.Spec.Registry)
	if err != nil {
		return err
	}
	if k.assign != nil {
		return k.assign(s, value.(string))
	}
	if value, err = k.canonical(value, s.Spec.Registry); err != nil {
		return err
	}
	if k.read != nil {
		if value, err = k.read(value.(string)); err != nil {
			return err
		}
	}
	s.storeExclusive(&k, value)
	s.keepCall(&k)
	return nil
}

// storeExclusive stores a value and resets the keys that exclude it. A 0 that says that another
// key is in force leaves that one.
func (s *Settings) storeExclusive(k *Key, value any) {
	if k.OneOf == "" || k.Default != "0" || !reflect.ValueOf(value).IsZero() {
		s.clearAlternatives(k)
		k.store(s, value)
	} else if !k.Field(s).IsZero() { // it is no longer in force
		s.unset(k)
	}
}

// unset sets a key, and the keys that exclude it, to their defaults.
func (s *Settings) unset(k *Key) {
	standard := Defaults()
	k.Field(s).Set(k.Field(&standard))
	if k.OneOf == "" {
		return
	}
	for _, other := range Keys() {
		if other.OneOf == k.OneOf {
			other.Field(s).Set(other.Field(&standard))
		}
	}
}

// clearAlternatives prepares the settings for another value of a key: it drops the quantity of the
// key, and resets the keys that exclude it.
func (s *Settings) clearAlternatives(k *Key) {
	s.Spec.dropGiven(k.Path)
	if k.OneOf == "" {
		return
	}
	for _, other := range Keys() {
		if other.OneOf == k.OneOf {
			s.Spec.dropGiven(other.Path)
			other.Field(s).SetZero()
		}
	}
}

// assignQuantities stores the number of a key in model units, or its quantities for Resolve where
// the number depends on other keys.
func (s *Settings) assignQuantities(k *Key, texts []string) *input.Error {
	var list []quantity.Quantity
	depends := k.Type == listOfIntegers
	for i, text := range texts {
		entry := k.entry(i)
		q, err := entry.parseQuantity(text)
		if err != nil {
			return err
		}
		c, err := entry.conversionOf(q)
		if err != nil {
			return err
		}
		list, depends = append(list, q), depends || c.dependsOnSpec()
	}
	s.clearAlternatives(k)
	if depends {
		s.Spec.keepGiven(k.Path, GivenValue{quantities: list})
		return nil
	}
	value, err := k.inModelUnits(list, scale{})
	if err == nil {
		k.store(s, value)
	}
	return err
}

// parseQuantity reads a quantity for the key.
func (k *Key) parseQuantity(text string) (quantity.Quantity, *input.Error) {
	q, err := k.parameter().ParseQuantity(k.Path, text)
	if err != nil && q.Text == "" { // it is none of any kind
		err.Right = k.right() + ", or " + k.takesText()
	}
	return q, err
}

// keepGiven keeps a value of a key as it was given. Specs share their maps, so it makes another.
func (s *Spec) keepGiven(path string, value GivenValue) {
	all := maps.Clone(s.Given)
	if all == nil {
		all = map[string]GivenValue{}
	}
	all[path] = value
	s.Given = all
}

// dropGiven drops the value of a key as it was given.
func (s *Spec) dropGiven(path string) {
	if _, is := s.Given[path]; !is {
		return
	}
	s.Given = maps.Clone(s.Given)
	delete(s.Given, path)
	if len(s.Given) == 0 {
		s.Given = nil
	}
}

// keepCall keeps the call of a key that has a parameter whose number depends on other keys.
func (s *Settings) keepCall(k *Key) {
	if !strings.HasPrefix(k.Path, "network.") || k.Names == "" {
		return
	}
	text := k.value(&s.Spec).String()
	e, _ := s.Spec.Registry.find(k.Names, text)
	if slices.ContainsFunc(e.parameters, func(p call.Parameter) bool { return len(p.Takes) > 0 }) {
		s.Spec.keepGiven(k.Path, GivenValue{call: text})
	}
}

// assignParameter sets a parameter of the call that another key holds.
func (s *Settings) assignParameter(k *Key, raw any) *input.Error {
	v, owners := k.owner.values(&s.Spec), s.Spec.Registry.entriesWith(k.owner.Names, k.ownParameter)
	switch {
	case owners == "":
		return UnknownKey(k.Path)
	case !v.Has(k.ownParameter):
		return input.Bad(k.Path, "it is a parameter of "+owners, "%s has no parameter %s", v.Owner(),
			k.ownParameter)
	}
	text, ok := input.Text(raw)
	if !ok {
		return input.Bad(k.Path, "give a value", "%s is %s", k.Path, input.Describe(raw))
	}
	v, err := v.With(k.ownParameter, text)
	if err != nil {
		err.Key = k.Path
		return err
	}
	k.owner.store(s, v.String())
	return nil
}

// assignMachine sets the keys that a value of machine.topology stands for.
func (s *Settings) assignMachine(short string) *input.Error {
	keys, err := s.Spec.Registry.MachineKeys(short)
	if err != nil {
		return err
	}
	s.Spec.Machine.Topology = keys[string(FieldTopology)].(string)
	delete(keys, string(FieldTopology))
	for _, path := range input.SortedKeys(keys) {
		if err := s.Assign(path, keys[path]); err != nil {
			err.Key = string(FieldTopology)
			return err
		}
	}
	return nil
}

// readGraph sets machine.graph from a file.
func (s *Settings) readGraph(path string) *input.Error {
	if path == "" {
		return nil
	}
	n, err := netfile.ReadFile(path)
	if err != nil {
		return networkFileError(err)
	}
	if _, err := topology.NewGraph(n.Config()); err != nil {
		bad := GraphRefused(err, path).(*input.Error)
		bad.Key = string(FieldFile)
		return bad
	}
	s.Spec.Machine.Graph = n.Lines()
	return nil
}

// applyPreset sets the keys of a preset.
func (s *Settings) applyPreset(name string) *input.Error {
	for _, p := range presets {
		if p.Name != name {
			continue
		}
		for _, k := range p.Keys {
			if err := s.Assign(k.Path, k.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

// assignTrace sets workload.trace. Another log has another digest.
func (s *Settings) assignTrace(name string) *input.Error {
	w := &s.Spec.Workload
	if w.Trace != "" && input.LogName(name) != input.LogName(w.Trace) {
		w.TraceSHA256 = ""
	}
	w.Trace = name
	return nil
}

// assignCalibrateOn sets job.calibrate_on to a text that can be assigned.
func (s *Settings) assignCalibrateOn(text string) *input.Error {
	standard := Defaults()
	standard.Spec.Registry = s.Spec.Registry
	err := standard.assignReference(text)
	if err == nil {
		s.Spec.Job.CalibrateOn = text
	}
	return err
}

// assignReference sets the keys that a text of job.calibrate_on gives.
func (s *Settings) assignReference(text string) *input.Error {
	if text == "" || text == CalibrateEach {
		return nil
	}
	for part := range strings.SplitSeq(text, ";") {
		path, value, ok := strings.Cut(part, "=")
		path = strings.TrimSpace(path)
		k, isKey := FindKey(path)
		switch {
		case !ok:
			return input.Bad("job.calibrate_on", "give each, or keys such as network.buffer_flits = 4; "+
				"machine.dims = [8, 8]",
				"job.calibrate_on is %q", text)
		case !isKey:
			err := UnknownKey(path)
			err.Key = "job.calibrate_on"
			return err
		case !IsReference(path):
			return input.Bad("job.calibrate_on", "give keys of [machine], [network], job.send_cycles or "+
				"job.receive_cycles",
				"job.calibrate_on has %s, which is not part of a machine or network", path)
		}
		if err := s.Assign(path, ParseFlagValue(k, strings.TrimSpace(value))); err != nil {
			err.Key = "job.calibrate_on"
			return err
		}
	}
	return nil
}

// Rank orders keys that are set together: the topology, which says what a file of a network
// describes, shorthands, all others, so that a key takes precedence over a preset, and parameters
// of what those name.
func Rank(k *Key) int {
	switch {
	case k.Path == string(FieldTopology):
		return 0
	case k.Shorthand:
		return 1
	case k.owner != nil:
		return 3
	}
	return 2
}

// InOrder lists the keys of a table in the order in which to set them.
func InOrder(set map[string]any) []string {
	paths := input.SortedKeys(set)
	slices.SortStableFunc(paths, func(a, b string) int {
		k, _ := FindKey(a)
		l, _ := FindKey(b)
		return cmp.Compare(Rank(&k), Rank(&l))
	})
	return paths
}

// Exclusive refuses keys that are set together although one resets the other. values has their
// values.
func Exclusive(paths []string, values map[string]any, names *Registry) *input.Error {
	first := map[string]string{}
	short, _ := values[string(FieldTopology)].(string)
	sized, _ := names.MachineKeys(short) // Assign says what is wrong
	for _, path := range paths {
		if _, ok := sized[path]; ok && path != string(FieldTopology) {
			return input.Bad(path, "leave it out, or the size behind the colon",
				"machine.topology = %q sets %s too", short, path)
		}
		k, _ := FindKey(path)
		if k.OneOf == "" {
			continue
		}
		if other, ok := first[k.OneOf]; ok {
			return input.Bad(path, "give one of them", "%s and %s exclude each other", other, path)
		}
		first[k.OneOf] = path
	}
	return nil
}

// Stated reports whether to write the key: of several that exclude each other
// only the one in force.
func (s *Settings) Stated(k Key) bool {
	if k.OneOf == "" || !k.Field(s).IsZero() {
		return true
	}
	for _, other := range Keys() {
		if other.OneOf == k.OneOf && !other.Field(s).IsZero() {
			return false
		}
	}
	return k.Default != "0" // none is: write the one that is by default
}

// Overwritten reports whether a key has another value or quantity than before. A shorthand has
// neither.
func (s *Settings) Overwritten(path string, before *Settings) bool {
	k, _ := FindKey(path)
	if k.Shorthand {
		return false
	}
	now, given := s.Spec.Given[path]
	then := before.Spec.Given[path]
	return !reflect.DeepEqual(now, then) || !given && k.FormatIn(s) != k.FormatIn(before)
}

// CanonicalAllocator returns the text of a call of an allocator in canonical form.
func (r *Registry) CanonicalAllocator(text string) (string, *input.Error) {
	s := Defaults()
	s.Spec.Registry = r
	err := s.Assign("allocator", text)
	return s.Spec.Allocator, err
}

// HasQuantity reports whether a value of a key, as the TOML library gives it, is a call with a
// parameter whose number depends on other keys.
func (r *Registry) HasQuantity(path string, raw any) bool {
	s := Defaults()
	s.Spec.Registry = r
	return s.Assign(path, raw) == nil && s.Spec.Given[path].call != ""
}
