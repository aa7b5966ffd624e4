package study

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/studies"
	"contend/internal/input"
)

// Load returns the built-in study of that name, or reads a TOML file. It
// refuses published figures that belong to no point of the study.
func Load(name string, names *config.Registry) (*Study, error) {
	st, err := LoadForFlags(name, names)
	if err == nil && st.idle != nil {
		return nil, st.idle.Error
	}
	return st, err
}

// LoadForFlags is Load for a study that flags change. It leaves it to Check to refuse a key that
// acts at no point: flags may make it act.
func LoadForFlags(name string, names *config.Registry) (*Study, error) {
	st, err := load(name, names)
	if err != nil {
		return nil, err
	}
	return st, st.checkPublished(name)
}

// Heading returns the title of a built-in study and what it cites. It reads the keys before the
// first table and checks nothing, as tests of the built-in studies do: Load takes a hundred times
// as long.
func Heading(name string) (title, cites string, err error) {
	text, _ := studies.TOML(name)
	head, _, _ := strings.Cut(text, "\n[")
	t, err := input.ReadTOML(name+".toml", head)
	if err != nil {
		return "", "", err
	}
	title, _ = t.Values["title"].(string)
	cites, _ = t.Values["cites"].(string)
	return title, cites, nil
}

// load is LoadForFlags without the check of published figures.
func load(name string, names *config.Registry) (*Study, error) {
	if text, ok := studies.TOML(name); ok {
		return parse(name+".toml", text, names, "")
	}
	if !strings.ContainsAny(name, "./\\") {
		return nil, &input.Error{Problem: fmt.Sprintf("study %s not found", name),
			Right: input.OneOf(name, studies.Names()) + ", or give the path of a TOML file"}
	}
	text, err := input.ReadFile(name, input.StudyLimits)
	if err != nil {
		return nil, input.Unreadable(err, "give a study's name or the path of a TOML file")
	}
	return parse(name, string(text), names, filepath.Dir(name))
}

// Parse reads a study from a text; file is its name in errors. The error
// is a *input.Error with file, line and column of the first problem.
func Parse(file, text string, names *config.Registry) (*Study, error) {
	st, err := parse(file, text, names, filepath.Dir(file))
	if err == nil && st.idle != nil {
		return nil, st.idle.Error
	}
	return st, err
}

// parse is Parse without the refusal of keys that act at no point. Published figures lie in a
// folder, or only among those of the built-in studies if it is "".
func parse(file, text string, names *config.Registry, folder string) (*Study, error) {
	t, err := input.ReadTOML(file, text)
	if err != nil {
		if single := singleBrackets(&t); single != nil {
			return nil, single
		}
		return nil, err
	}
	p := studyParser{TOML: t, names: names, ranks: ranksOf(&t), folder: folder}
	st, problem := p.study()
	if problem != nil && !strings.HasPrefix(problem.Where, file+":") { // by Study.Place
		problem.Where = p.Place(problem.Key)
	}
	switch {
	case problem == nil:
		return st, nil
	case st != nil && st.idle != nil && st.idle.Error == problem:
		return st, nil
	}
	return nil, problem
}

// singleBrackets returns the error for the first list of tables, such as axes, whose header [axes]
// follows another one of the same list, nil for none. For TOML it is a key that is defined twice.
func singleBrackets(t *input.TOML) *input.Error {
	lists := listsOfTables(reflect.TypeFor[Study](), "")
	for _, k := range config.Keys() {
		if k.TakesTables() {
			lists = append(lists, k.Path)
		}
	}
	seen := map[string]bool{}
	for path, at := range t.Keys() {
		header := t.Text[at:]
		if !strings.HasPrefix(header, "[") {
			continue
		}
		list := string(path)
		if i := strings.LastIndexByte(list, '['); i > 0 && strings.HasSuffix(list, "]") {
			list = list[:i]
		}
		if seen[list] && !strings.HasPrefix(header, "[[") && slices.Contains(lists, list) {
			err := input.NotATable(list)
			err.Where = t.PlaceAt(at)
			return err
		}
		seen[list] = true
	}
	return nil
}

// listsOfTables lists the paths of the fields of a struct of a study that are lists of tables.
func listsOfTables(t reflect.Type, prefix string) (lists []string) {
	for _, f := range input.StudyFields(t) {
		path := input.Join(prefix, f.Tag.Get("key"))
		switch {
		case f.Type.Kind() == reflect.Struct:
			lists = append(lists, listsOfTables(f.Type, path)...)
		case f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct:
			lists = append(lists, path)
		}
	}
	return lists
}

// studyParser reads one study.
type studyParser struct {
	input.TOML
	names *config.Registry
	ranks map[string]int // see ranksOf
	// folder has the published figures; "" if they are built in
	folder string
}

// study decodes the keys of the study, assigns those of its base spec, and tests
// the whole.
func (p *studyParser) study() (*Study, *input.Error) {
	st := &Study{}
	base, own := map[string]any{}, map[string]any{}
	fields := input.StudyFields(reflect.TypeFor[Study]())
	for name, v := range p.Values {
		if isSection(name) {
			base[name] = v
		} else {
			own[name] = v
		}
	}
	if err := p.firstUnknown(fields, own); err != nil {
		return nil, err
	}
	s, set, err := p.base(base)
	if err != nil {
		return nil, err
	}
	st.Base, st.Runs, st.given, st.origin = s.Spec, s.Runs, set, originOf(p.Text)
	st.source = p.TOML
	if err := input.DecodeTable(reflect.ValueOf(st).Elem(), own, ""); err != nil {
		return nil, err
	}
	st.eachValue(func(path string, value any) any {
		if err == nil {
			value, err = p.relativeToStudy(path, value)
		}
		return value
	})
	if err != nil {
		return nil, err
	}
	st.Name = cmp.Or(st.Name, strings.TrimSuffix(filepath.Base(p.File), ".toml"))
	if st.Primary == nil {
		st.defaultMetrics = true
		st.useDefaultMetrics()
	}
	if err := st.loadPublished(p.folder); err != nil {
		return nil, err
	}
	if err := st.check(); err != nil {
		return st, err
	}
	if len(set) == 0 && st.Axes == nil {
		right := "give at least one key of a run, such as jobs = 100 in [workload], or an axis; " +
			"contend show demo prints a study"
		return nil, input.Bad("", right, "the study has neither a key of a run nor an axis")
	}
	return st, nil
}

// relativeToStudy returns a value of a key in which files of patterns are relative to the file of
// the study. In a resolved study they are relative to the folder in which it was run.
func (p *studyParser) relativeToStudy(path string, value any) (any, *input.Error) {
	if strings.HasPrefix(p.Text, resolvedBy) {
		return value, nil
	}
	return p.names.JoinFolder(path, value, filepath.Dir(p.File))
}

// useDefaultMetrics sets the metrics of a study that names none. Traffic has no jobs that could
// end.
func (st *Study) useDefaultMetrics() {
	switch {
	case !st.defaultMetrics:
	case st.Base.Workload.Source == "traffic":
		st.Primary = []string{"latency", "accepted_load"}
	default:
		st.Primary = []string{"finish_time"}
	}
}

// isSection reports whether a top-level name begins the path of a key.
func isSection(name string) bool {
	return slices.ContainsFunc(config.Keys(), func(k config.Key) bool {
		return k.Path == name || strings.HasPrefix(k.Path, name+".")
	})
}

// firstUnknown refuses the first top-level name that is neither a section nor a
// key of a study.
func (p *studyParser) firstUnknown(fields []reflect.StructField, own map[string]any) *input.Error {
	for path := range p.Keys() {
		name := string(path)
		if _, ok := own[name]; !ok {
			continue
		}
		if !slices.ContainsFunc(fields, func(sf reflect.StructField) bool {
			return sf.Tag.Get("key") == name
		}) {
			var sections []string
			for _, k := range config.Keys() {
				if section, _, _ := strings.Cut(k.Path, "."); !slices.Contains(sections, section) {
					sections = append(sections, section)
				}
			}
			for _, sf := range fields {
				sections = append(sections, sf.Tag.Get("key"))
			}
			return input.Bad(name, input.OneOf(name, sections), "unknown key %s", name)
		}
	}
	return nil
}

// base assigns the keys of the spec's sections in the order of the file. It
// assigns shorthands first, so that an explicit key wins over a preset, and before them the
// topology, which says what a file of a network describes.
func (p *studyParser) base(sections map[string]any) (config.Settings, []given, *input.Error) {
	s := config.Defaults()
	s.Spec.Registry = p.names
	var set []given
	leaves, err := p.keyValues("", sections)
	if err != nil {
		return s, nil, err
	}
	slices.SortStableFunc(leaves, func(a, b keyValue) int {
		return cmp.Compare(config.Rank(&a.key), config.Rank(&b.key))
	})
	paths, values := make([]string, len(leaves)), map[string]any{}
	for i, l := range leaves {
		paths[i], values[l.key.Path] = l.key.Path, l.value
	}
	if err := config.Exclusive(paths, values, p.names); err != nil {
		return s, nil, err
	}
	for _, l := range leaves {
		value, err := p.relativeToStudy(l.key.Path, l.value)
		if err == nil {
			err = s.Assign(l.key.Path, value)
		}
		if err != nil {
			if l.key.Shorthand {
				err.Key = l.key.Path
			}
			return s, nil, err
		}
		set = append(set, given{path: l.key.Path})
	}
	return s, set, nil
}

// keyValue is a key with its value.
type keyValue struct {
	key   config.Key
	value any
}

// keyValues lists the keys of the sections in the order of the file.
func (p *studyParser) keyValues(prefix string, table map[string]any) ([]keyValue, *input.Error) {
	names := input.SortedKeys(table)
	slices.SortStableFunc(names, func(a, b string) int {
		return p.order(input.Join(prefix, a)) - p.order(input.Join(prefix, b))
	})
	var all []keyValue
	for _, name := range names {
		path := input.Join(prefix, name)
		inner, isTable := table[name].(map[string]any)
		k, isKey := config.FindKey(path)
		inside := slices.ContainsFunc(config.Keys(), func(k config.Key) bool {
			return strings.HasPrefix(k.Path, path+".")
		})
		if name == "name" && config.HasParameters(prefix) {
			k, isKey = config.FindKey(prefix)
		}
		switch {
		case isTable && (inside || config.HasParameters(path)):
			more, err := p.keyValues(path, inner)
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		case isKey:
			all = append(all, keyValue{k, table[name]})
		case inside:
			return nil, input.Bad(path, "it holds keys, see contend list keys",
				"%s is a table, not %s", path, input.Describe(table[name]))
		default:
			return nil, config.UnknownKey(path)
		}
	}
	return all, nil
}

// order returns the rank of the path in the file.
func (p *studyParser) order(path string) int {
	if rank, ok := p.ranks[path]; ok {
		return rank
	}
	return len(p.Text)
}

// ranksOf returns the byte at which each path, or a path below it, is first in a text. Elements of
// lists and paths below them have none.
func ranksOf(t *input.TOML) map[string]int {
	ranks := map[string]int{}
	for path, at := range t.Keys() {
		for len(path) > 0 {
			if bytes.IndexByte(path, '[') < 0 {
				if _, ok := ranks[string(path)]; ok {
					break // and all paths above it have one
				}
				ranks[string(path)] = at
			}
			path = path[:max(0, bytes.LastIndexByte(path, '.'))]
		}
	}
	return ranks
}

// InFlag sets the place of an error, if there is one: a flag, or a part of the study. It returns
// nil for nil.
func InFlag(err *input.Error, where string) error {
	if err == nil {
		return nil
	}
	return err.By(where)
}

// setting returns the path of a key of runs in the text: its own, or that in the one override that
// sets it.
func setting(t *input.TOML, key string) string {
	path, n, end := key, 0, ".set."+key
	for b := range t.Keys() {
		switch {
		case string(b) == key:
			return key
		case bytes.HasPrefix(b, []byte("overrides[")) && bytes.HasSuffix(b, []byte(end)):
			path, n = string(b), n+1
		}
	}
	if n > 1 {
		return key
	}
	return path
}

// Place gives an error about a key the place where the key was set: the flag, or file, line and
// column. Labels, where there are any, name the point at which it is wrong. Errors that have a
// place stay as they are.
func (st *Study) Place(err error, labels []string) error {
	var bad *input.Error
	if !errors.As(err, &bad) || bad.Where != "" || bad.File != "" {
		return err
	}
	if bad.Key != "" {
		st.placeKey(bad)
	}
	if len(labels) > 0 {
		at := "at " + strings.Join(labels, ", ")
		bad.Where = strings.TrimPrefix(bad.Where+", "+at, ", ")
	}
	return err
}

// placeKey gives an error the place where its key was set.
func (st *Study) placeKey(bad *input.Error) {
	for _, g := range st.given {
		if g.where != "" && (g.path == bad.Key || covers(g.path, bad.Key)) {
			bad.Where = g.where
			return
		}
	}
	at := setting(&st.source, bad.Key)
	for i, a := range st.Axes {
		if a.Key != bad.Key && !covers(a.Key, bad.Key) {
			continue
		}
		if a.where != "" {
			bad.Where = a.where
			return
		}
		at = fmt.Sprintf("axes[%d]", i)
	}
	if st.source.File != "" {
		bad.Where = st.source.Place(at)
	}
}
