package experiments

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"contend/experiments/bounded"
	"contend/experiments/studies"

	"github.com/BurntSushi/toml"
)

// LoadStudy returns the built-in study of that name, or reads the TOML file.
// Published figures that meet no point of it are bad input.
func LoadStudy(name string, names Names) (*Study, error) {
	st, err := loadStudy(name, names)
	if err != nil {
		return nil, err
	}
	return st, st.checkPublished(name, names)
}

func loadStudy(name string, names Names) (*Study, error) {
	if text, ok := studies.TOML(name); ok {
		return ParseStudy(name+".toml", text, names)
	}
	if !strings.ContainsAny(name, "./\\") {
		return nil, &InputError{Problem: fmt.Sprintf("there is no study %s", name), Right: oneOf(name, studies.Names()) + ", or give the path of a TOML file"}
	}
	text, err := bounded.ReadFile(name, bounded.Study)
	if err != nil {
		return nil, unreadable(err, "give a study's name or the path of a TOML file")
	}
	return ParseStudy(name, string(text), names)
}

// ParseStudy reads a study. The first thing that is wrong with it comes back
// as an InputError with file, line and column.
func ParseStudy(file, text string, names Names) (*Study, error) {
	raw, err := decodeTOML(file, text)
	if err != nil {
		return nil, err
	}
	p := studyParser{file: file, found: locate(text), names: names}
	st, problem := p.study(raw)
	if problem != nil {
		return nil, p.place(problem)
	}
	return st, nil
}

func syntaxError(file, text string, err error) error {
	var pe toml.ParseError
	if !errors.As(err, &pe) {
		return &InputError{Where: file, Problem: err.Error()}
	}
	before := text[:min(max(0, pe.Position.Start), len(text))] // the library's own line is one too far at an end of line
	line, column := 1+strings.Count(before, "\n"), len(before)-strings.LastIndexByte(before, '\n')
	return &InputError{Where: fmt.Sprintf("%s:%d:%d", file, line, column), Problem: strings.ReplaceAll(pe.Message, "\n", " ")}
}

type studyParser struct {
	file  string
	found []located
	names Names
}

func (p *studyParser) place(err *InputError) error {
	line, column := position(p.found, err.Key)
	err.Where = fmt.Sprintf("%s:%d:%d", p.file, line, column)
	return err
}

// study decodes what belongs to the study, assigns what belongs to its base
// spec and then tests the whole.
func (p *studyParser) study(raw map[string]any) (*Study, *InputError) {
	st := &Study{}
	base, own := map[string]any{}, map[string]any{}
	fields := studyFields(reflect.TypeFor[Study]())
	for name, v := range raw {
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
	st.Base, st.Runs, st.given = s.spec, s.runs, set
	if err := decodeTable(reflect.ValueOf(st).Elem(), own, ""); err != nil {
		return nil, err
	}
	if st.Name == "" {
		st.Name = strings.TrimSuffix(filepath.Base(p.file), ".toml")
	}
	if st.Primary == nil {
		st.Primary = []string{"finish_time"}
	}
	if err := st.loadPublished(filepath.Dir(p.file)); err != nil {
		return nil, err
	}
	if err := st.check(p.names); err != nil {
		return nil, err
	}
	if len(set) == 0 && st.Axes == nil {
		right := "give at least one key of a run, such as jobs = 100 in [workload], or an axis; contend show demo prints a study"
		return nil, badInput("", right, "the study says nothing of what to run")
	}
	return st, nil
}

// isSection tells whether a top-level name begins the path of a key.
func isSection(name string) bool {
	return slices.ContainsFunc(Keys(), func(k Key) bool { return k.Path == name || strings.HasPrefix(k.Path, name+".") })
}

// firstUnknown finds the first top-level name that is neither a section nor a
// field of a study.
func (p *studyParser) firstUnknown(fields []reflect.StructField, own map[string]any) *InputError {
	for _, f := range p.found {
		if _, ok := own[f.path]; !ok {
			continue
		}
		if !slices.ContainsFunc(fields, func(sf reflect.StructField) bool { return sf.Tag.Get("key") == f.path }) {
			var sections []string
			for _, k := range Keys() {
				if section, _, _ := strings.Cut(k.Path, "."); !slices.Contains(sections, section) {
					sections = append(sections, section)
				}
			}
			for _, sf := range fields {
				sections = append(sections, sf.Tag.Get("key"))
			}
			return badInput(f.path, oneOf(f.path, sections), "unknown key %s", f.path)
		}
	}
	return nil
}

// base assigns the keys of the spec's sections in the order of the file, the
// shorthands first, so that a key given explicitly wins over a preset.
func (p *studyParser) base(sections map[string]any) (settings, []given, *InputError) {
	s := defaults()
	var set []given
	leaves, err := p.leaves("", sections)
	if err != nil {
		return s, nil, err
	}
	slices.SortStableFunc(leaves, func(a, b leaf) int {
		return rank(a.key.Shorthand) - rank(b.key.Shorthand)
	})
	groups := map[string]string{}
	for _, l := range leaves {
		if first, ok := groups[l.key.OneOf]; ok && l.key.OneOf != "" {
			return s, nil, badInput(l.key.Path, "give one of them", "%s and %s exclude each other", first, l.key.Path)
		}
		groups[l.key.OneOf] = l.key.Path
		if err := s.assign(l.key.Path, l.value, p.names); err != nil {
			if l.key.Shorthand {
				err.Key = l.key.Path
			}
			return s, nil, err
		}
		set = append(set, given{path: l.key.Path})
	}
	return s, set, nil
}

func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

type leaf struct {
	key   Key
	value any
}

// leaves lists the keys of the sections with their values, in the order of the
// file.
func (p *studyParser) leaves(prefix string, table map[string]any) ([]leaf, *InputError) {
	names := sortedKeys(table)
	slices.SortStableFunc(names, func(a, b string) int {
		return p.order(join(prefix, a)) - p.order(join(prefix, b))
	})
	var all []leaf
	for _, name := range names {
		path := join(prefix, name)
		inner, isTable := table[name].(map[string]any)
		k, isKey := FindKey(path)
		inside := slices.ContainsFunc(Keys(), func(k Key) bool { return strings.HasPrefix(k.Path, path+".") })
		switch {
		case isTable && inside:
			more, err := p.leaves(path, inner)
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		case isKey:
			all = append(all, leaf{k, table[name]})
		case inside:
			return nil, badInput(path, "it holds keys, see contend list keys", "%s is a table, not %s", path, describe(table[name]))
		default:
			return nil, unknownKey(path)
		}
	}
	return all, nil
}

// order is the rank of the path in the file.
func (p *studyParser) order(path string) int {
	for i, f := range p.found {
		if f.path == path || strings.HasPrefix(f.path, path+".") {
			return i
		}
	}
	return len(p.found)
}
