package config

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"contend/internal/must"
)

// Every field of a spec has one row in the table, of the section it stands in.
func TestEveryFieldHasItsRow(t *testing.T) {
	var s Settings
	rows := map[any][]string{}
	for _, k := range Keys() {
		if !k.Shorthand {
			at := k.Field(&s).Addr().Interface()
			rows[at] = append(rows[at], k.Path)
		}
	}
	fields := 0
	var walk func(v reflect.Value, section string)
	walk = func(v reflect.Value, section string) {
		for i := range v.NumField() {
			f, name := v.Field(i), v.Type().Field(i).Name
			if f.Type() == reflect.TypeFor[*Registry]() || name == "Given" ||
				section+name == "workload.side.Mean" {
				continue // no value of a study, or how values were given, or always 0
			}
			if f.Kind() == reflect.Struct && parsers[f.Type()] == nil {
				inner := section
				if !v.Type().Field(i).Anonymous {
					inner += strings.ToLower(name) + "."
				}
				walk(f, inner)
				continue
			}
			fields++
			at := f.Addr().Interface()
			if len(rows[at]) != 1 {
				t.Errorf("the field %s of [%s] has the rows %q, not one", name, section, rows[at])
			} else if section != "" && !strings.HasPrefix(rows[at][0], section) {
				t.Errorf("the field %s of [%s] has the row of %s", name, section, rows[at][0])
			}
		}
	}
	walk(reflect.ValueOf(&s.Spec).Elem(), "")
	walk(reflect.ValueOf(&s.Runs).Elem(), "runs.")
	if len(rows) != fields || fields < 100 {
		t.Errorf("%d rows have fields, of which there are %d", len(rows), fields)
	}
}

// A preset sets keys of its section to values they may have, says where each is from. Where it is
// a network of today its buffers keep a link busy and its crossbar is faster than a link.
func TestPresetsSetKeys(t *testing.T) {
	for _, p := range Presets() {
		s := Defaults()
		if err := s.Assign("network.preset", p.Name); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if err := s.Spec.Resolve(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		for _, k := range p.Keys {
			if _, ok := FindKey(k.Path); !ok || !strings.HasPrefix(k.Path, "network.") ||
				k.Source == "" {
				t.Errorf("%s sets %s, from %q", p.Name, k.Path, k.Source)
			}
		}
		n := &s.Spec.Network
		_, today := p.Keys[1].Value.(string)
		if today && n.BufferFlits*n.FlitCycles < n.LinkCycles+n.CreditCycles {
			t.Errorf("%s has buffers of %d flits for %d + %d cycles", p.Name, n.BufferFlits,
				n.LinkCycles, n.CreditCycles)
		}
		if today != (n.InputSpeedup == 2) {
			t.Errorf("%s has an input speedup of %d", p.Name, n.InputSpeedup)
		}
	}
}

// Every Field constant is a key.
func TestFieldConstantsAreKeys(t *testing.T) {
	text := string(must.Have(os.ReadFile("values.go")))
	list := regexp.MustCompile(`(?m)^\tField\w+ +input\.Field = "(.*)"$`).FindAllStringSubmatch(text, -1)
	if len(list) < 50 {
		t.Fatalf("%d constants were found", len(list))
	}
	for _, m := range list {
		if _, ok := FindKey(m[1]); !ok {
			t.Errorf("%s is no key", m[1])
		}
	}
}
