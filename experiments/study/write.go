package study

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"contend/experiments/config"
	"contend/internal/input"
)

// TOML returns the resolved study: with every key of its base spec that acts, so
// that reading it back gives the same study and the same runs. version names the
// program.
func (st *Study) TOML(version string) string {
	w := tomlWriter{}
	fmt.Fprintf(&w.b, resolvedBy+"%s; contend run spec.toml repeats the runs byte for byte.\n",
		version)
	if st.origin != "" {
		w.b.WriteString(resolvedFrom + st.origin + ".\n")
	}
	v := reflect.ValueOf(st).Elem()
	w.values(v)
	acts := st.acting
	if acts == nil { // the study has not been expanded yet
		acts = st.actingAt([]Point{{Spec: st.Base}})
	}
	base := config.Settings{Spec: st.Base, Runs: st.Runs}
	w.fixed = !st.vary(unitKeys) && base.Spec.ResolveAll() == nil
	w.fixedRates = w.fixed && !st.vary(rateKeys)
	w.sections(&base, acts)
	w.tables(v)
	return w.b.String()
}

// tomlWriter collects the text of a study.
type tomlWriter struct {
	b strings.Builder
	// fixed is true if all points have the base spec's lengths of cycles and sizes of flits, so
	// that its quantities are numbers. fixedRates is true if nodes have its rate too, so that those
	// in its calls are.
	fixed, fixedRates bool
}

// sections writes the keys of the base spec that act at some point of the study,
// section by section.
func (w *tomlWriter) sections(s *config.Settings, acting map[string]bool) {
	section := ""
	for _, k := range config.Keys() {
		if k.Shorthand || !s.Stated(k) || !acting[k.Path] {
			continue
		}
		name, rest, inside := strings.Cut(k.Path, ".")
		if !inside {
			rest = "name"
		}
		if name != section {
			section = name
			w.b.WriteString("\n[" + section + "]\n")
		}
		w.b.WriteString(rest + " = " + w.value(&k, s) + "\n")
	}
}

// value writes a key of a run: its number with the quantity that it is as a comment, or the
// quantity where the number depends on the point.
func (w *tomlWriter) value(k *config.Key, s *config.Settings) string {
	text := k.FormatIn(s)
	if !k.Identity {
		return text
	}
	if !w.fixed || k.Names != "" && !w.fixedRates {
		if given, ok := s.Spec.GivenText(k.Path); ok {
			return given
		}
		return text
	}
	if note := s.Spec.Note(k); note != "" {
		text += "  # " + note
	}
	return text
}

// values writes the fields of a table that are no tables.
func (w *tomlWriter) values(v reflect.Value) {
	for _, f := range input.StudyFields(v.Type()) {
		field := v.FieldByIndex(f.Index)
		if field.IsZero() || isTable(f.Type) {
			continue
		}
		w.b.WriteString(f.Tag.Get("key") + " = " + literal(field) + "\n")
	}
}

// tables writes the fields of a study that are tables or arrays of tables.
func (w *tomlWriter) tables(v reflect.Value) { w.tablesIn("", v) }

// tablesIn writes the tables inside of a table whose name is prefix.
func (w *tomlWriter) tablesIn(prefix string, v reflect.Value) {
	for _, f := range input.StudyFields(v.Type()) {
		field, name := v.FieldByIndex(f.Index), input.Join(prefix, f.Tag.Get("key"))
		switch {
		case field.IsZero() || !isTable(f.Type):
		case f.Type.Kind() == reflect.Struct:
			w.b.WriteString("\n[" + name + "]\n")
			w.values(field)
			w.tablesIn(name, field)
		default:
			for i := range field.Len() {
				w.b.WriteString("\n[[" + name + "]]\n")
				w.values(field.Index(i))
			}
		}
	}
}

// isTable reports whether TOML writes a type as a table or an array of tables.
func isTable(t reflect.Type) bool {
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Slice &&
		t.Elem().Kind() == reflect.Struct
}

// literal returns a value of a study as TOML: text of several lines between
// three quotes, maps as inline tables, all else like values of a spec.
func literal(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		return literal(v.Elem())
	case reflect.String:
		if s := v.String(); strings.Contains(s, "\n") && plainText(s) {
			return "\"\"\"\n" + s + "\"\"\""
		}
	case reflect.Map:
		var parts []string
		m := v.Interface().(map[string]any)
		for _, key := range input.SortedKeys(m) {
			parts = append(parts, input.QuoteTOML(key)+" = "+literal(reflect.ValueOf(m[key])))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	case reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = literal(v.Index(i))
		}
		if whole := "[" + strings.Join(parts, ", ") + "]"; len(whole) < 120 ||
			v.Type().Elem().Kind() != reflect.String {
			return whole
		}
		return "[\n  " + strings.Join(parts, ",\n  ") + ",\n]"
	case reflect.Float64:
		text := strconv.FormatFloat(v.Float(), 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") { // or it would be read back as an integer
			text += ".0"
		}
		return text
	}
	return input.FormatValue(v)
}

// plainText reports whether a text can stand between three quotes unescaped.
func plainText(s string) bool {
	for _, r := range s {
		if r == '\\' || r == '"' || r < ' ' && r != '\n' || r == 0x7f || r == 0xfffd {
			return false
		}
	}
	return true
}

// resolvedBy begins spec.toml; the name of the program follows.
const resolvedBy = "# Resolved by contend "

// resolvedFrom begins the second line; the origin of the study follows.
const resolvedFrom = "# From a study whose text has the SHA-256 "

// originOf identifies the text that a study is from. It is the beginning of the SHA-256 of what
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

// Resolver returns the program that resolved a study, "" if its text does not say.
func Resolver(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	name, ok := strings.CutPrefix(first, resolvedBy)
	name, _, found := strings.Cut(name, ";")
	if !ok || !found {
		return ""
	}
	return name
}
