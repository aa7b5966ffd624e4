package config

import (
	"fmt"
	"reflect"
	"slices"

	"contend/internal/input"
)

// Mixes, rules, rows of lists and placements are texts in a study. A spec holds them parsed, each
// with the text from which Format and the hash are made.

// parser reads the text of a value of one type.
type parser struct {
	parse func(text string) (fmt.Stringer, error)
	right string // what a text looks like
}

// parserOf returns a parser for a type.
func parserOf[T fmt.Stringer](parse func(string) (T, error), right string) *parser {
	return &parser{func(text string) (fmt.Stringer, error) { return parse(text) }, right}
}

// parsers are those of the types of fields, or of the entries of lists.
var parsers = map[reflect.Type]*parser{
	reflect.TypeFor[Mix](): parserOf(ParseMix,
		"give a name, or names with weights such as all-to-all:2+ring:1"),
	reflect.TypeFor[Rule]():       parserOf(ParseRule, rulesRight),
	reflect.TypeFor[ListedJob]():  parserOf(ParseListed, listRight),
	reflect.TypeFor[Failure]():    parserOf(ParseFailure, failuresRight),
	reflect.TypeFor[SeriesPair](): parserOf(ParseSeriesPair, seriesPairRight),
	reflect.TypeFor[Placement](): parserOf(ParsePlacement,
		"give contiguous, away:T with T from 1, dealt, scattered or random"),
}

// mapPattern makes another pattern of one. It keeps the weight.
type mapPattern func(Weighted) (Weighted, *input.Error)

// patternHolder is a parsed value that names patterns.
type patternHolder interface {
	fmt.Stringer
	patterns() []Weighted
	// each returns the value with what a function makes of each pattern.
	each(of mapPattern) (any, *input.Error)
}

// parseValue reads a text into the type of the key. It checks the patterns that the text names, and
// writes their calls in canonical form.
func (k *Key) parseValue(text string, names *Registry) (any, *input.Error) {
	value, err := k.parser.parse(text)
	if err != nil {
		return nil, input.Bad(k.Path, k.parser.right, "%s is %q, %v", k.Path, text, err)
	}
	v, is := value.(patternHolder)
	if !is {
		return value, nil
	}
	list := names.NamesIn("patterns")
	if k.Path == string(FieldBackground) {
		list = append([]string{backgroundSame, backgroundIdle}, list...)
	}
	for _, w := range v.patterns() {
		if !slices.Contains(list, w.Name) {
			return nil, input.Bad(k.Path, input.OneOf(w.Name, list), "%s is %q", k.Path, w.Name)
		}
	}
	made, bad := v.each(names.canonicalPart)
	if bad != nil {
		bad.Key = k.Path
	}
	return made, bad
}
