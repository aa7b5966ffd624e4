package call

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"contend/internal/input"
	"contend/internal/quantity"
)

// Parameter is a value that a call gives to the entry that it names.
type Parameter struct {
	// Name has lower-case letters, digits and underscores.
	Name string
	// Type is Integer, Number, Boolean, Word, Text, File or Digest.
	Type string
	// Default is the value where a call gives none, as it is written in TOML but without quotes. It
	// may be a quantity that the parameter takes.
	Default string
	// Min, Max, Above and Below bound a number; "" where there is no bound.
	Min, Max, Above, Below string
	// Choices are the values that a Word may have.
	Choices []string
	// Read returns a Text, or a Word that has more values than Choices, as a call states it. It may
	// read files that a Text names, and then puts their digest into the text.
	Read func(text string) (string, error)
	// Takes are the kinds of quantities with units that a call may give in place of a number. Such a
	// value is a quantity.Quantity until Values.Resolve.
	Takes []quantity.Kind
	// Bare has calls written with the value alone, without the name: a number always, another
	// value where it is not the default.
	Bare bool
	// Unit, Doc and Source are for the reader.
	Unit, Doc, Source string
}

// The types of parameters. A Text is the only parameter of its entry, and all that stands behind
// the colon of a call.
const (
	Integer = "integer"
	Number  = "number"
	Boolean = "boolean"
	Word    = "string"
	Text    = "text"
	// File is the path of a file. A call has to give it.
	File = "file"
	// Digest is the beginning of the SHA-256 of what a file holds, or "".
	Digest = "digest"
)

var types = []string{Integer, Number, Boolean, Word, Text, File, Digest}

// DigestDigits is the number of digits of a Digest. Files that differ by chance have the same one
// once in 10^19 pairs.
const DigestDigits = 16

// read turns the text of a value into a value: an int64, a float64, a bool or a string.
func (p *Parameter) read(owner, text string) (any, *input.Error) {
	switch at := owner + ":" + p.Name; p.Type {
	case Integer:
		if n, ok := whole(text); ok && p.Fits(float64(n)) {
			return n, nil
		}
	case Number:
		if x, err := strconv.ParseFloat(text, 64); err == nil && p.Fits(x) {
			return x, nil
		}
	case Boolean:
		if text == "true" || text == "false" || text == p.Name {
			return text != "false", nil
		}
	case Word:
		return p.word(at, text)
	case File:
		return text, checkFile(at, text)
	case Digest:
		return text, checkDigest(at, text)
	}
	if p.withUnit(text) {
		q, err := p.ParseQuantity(owner+":"+p.Name, text)
		if err != nil {
			err.Key = ""
		}
		return q, err
	}
	shown := text
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		shown = fmt.Sprintf("the string %q", text)
	}
	return nil, input.Bad("", p.right(), "%s:%s is %s", owner, p.Name, shown)
}

// withUnit reports whether a value of the parameter is meant as a quantity.
func (p *Parameter) withUnit(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err != nil && len(p.Takes) > 0
}

// ParseQuantity reads a value with a unit of one of the kinds that the parameter takes. The error
// names the parameter as at.
func (p *Parameter) ParseQuantity(at, text string) (q quantity.Quantity, bad *input.Error) {
	q, err := quantity.Parse(text)
	switch {
	case err != nil:
		problem := fmt.Sprintf("%s is the string %q", at, text)
		if strings.ContainsAny(text, "0123456789") { // a quantity was meant
			problem += ": " + err.Error()
		}
		return q, &input.Error{Key: at, Problem: problem, Right: p.right()}
	case slices.Contains(p.Takes, q.Kind):
		return q, nil
	}
	return q, p.WrongKind(at, q)
}

// WrongKind is the error for a quantity of a kind that the parameter does not take.
func (p *Parameter) WrongKind(at string, q quantity.Quantity) *input.Error {
	right := "give " + p.TakesText()
	if q.Kind == quantity.Cable {
		right += "; minutes are min"
	}
	return input.Bad(at, right, "%s is %q, %s", at, q.Text, q.Kind.Name())
}

// TakesText says which quantities the parameter takes, each with an example; "" for none.
func (p *Parameter) TakesText() string {
	var parts []string
	for _, kind := range p.Takes {
		parts = append(parts, kind.Name()+` such as "`+kind.Example()+`"`)
	}
	return strings.Join(parts, " or ")
}

// whole reads an integer, also one with a decimal point, such as 500.0.
func whole(text string) (int64, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	x, err := strconv.ParseFloat(text, 64)
	return int64(x), err == nil && x == math.Trunc(x) && math.Abs(x) <= 1<<53
}

// word reads one of Choices, or what Read takes.
func (p *Parameter) word(at, text string) (any, *input.Error) {
	if slices.Contains(p.Choices, text) {
		return text, nil
	}
	if p.Read == nil {
		return nil, input.Bad("", input.OneOf(text, p.Choices), "%s is %q", at, text)
	}
	read, err := p.Read(text)
	if err != nil {
		return nil, input.Bad("", "", "%s is %q: %v", at, text, err)
	}
	return read, nil
}

// right says what a value of the parameter has to be.
func (p *Parameter) right() string {
	s := map[string]string{Integer: "give an integer", Number: "give a number",
		Boolean: "give true or false"}[p.Type]
	if r := p.Range(); r != "" {
		s += " " + r
	}
	if takes := p.TakesText(); takes != "" {
		s += ", or " + takes
	}
	return s
}

// takes reports whether a value without a name may be the parameter's. A number out of bounds
// may: the error is then about the bounds.
func (p *Parameter) takes(text string) bool {
	switch p.Type {
	case Integer, Number:
		if p.withUnit(text) {
			_, err := p.ParseQuantity("", text)
			return err == nil
		}
		_, err := strconv.ParseFloat(text, 64)
		return err == nil
	case Boolean:
		return text == p.Name
	case Word:
		_, err := p.word("", text)
		return err == nil
	}
	return p.Type == File
}

// Fits reports whether a number is within the bounds. A bound that is no number is a bug of the
// declaration and panics.
func (p *Parameter) Fits(x float64) bool {
	bound := func(text string, ok func(b float64) bool) bool {
		if text == "" {
			return true
		}
		b, err := strconv.ParseFloat(text, 64)
		if err != nil {
			panic("call: the parameter " + p.Name + " has a bad bound " + text)
		}
		return ok(b)
	}
	return !math.IsNaN(x) && !math.IsInf(x, 0) &&
		bound(p.Min, func(b float64) bool { return x >= b }) &&
		bound(p.Max, func(b float64) bool { return x <= b }) &&
		bound(p.Above, func(b float64) bool { return x > b }) &&
		bound(p.Below, func(b float64) bool { return x < b })
}

// Range describes the values that the parameter may have, in words; "" where any will do.
func (p *Parameter) Range() string {
	if p.Choices != nil {
		return strings.Join(p.Choices, ", ")
	}
	var parts []string
	bound := func(word, b string) {
		if b != "" {
			parts = append(parts, word+" "+b)
		}
	}
	if p.Min != "" && p.Max != "" {
		parts = append(parts, "from "+p.Min+" to "+p.Max)
	} else {
		bound("at least", p.Min)
		bound("above", p.Above)
		bound("at most", p.Max)
		bound("below", p.Below)
	}
	return strings.Join(parts, " and ")
}

// Describe says which parameters an entry has, for lists.
func Describe(owner string, list []Parameter) string {
	var parts []string
	for i := range list {
		p := &list[i]
		if p.Type == Text {
			return owner + ":" + strings.ToUpper(p.Name) + " " + p.Doc
		}
		about := []string{p.Type}
		if r := p.Range(); r != "" {
			about = append(about, r)
		}
		if p.Unit != "" {
			about = append(about, p.Unit)
		}
		if takes := p.TakesText(); takes != "" {
			about = append(about, "or "+takes)
		}
		text := fmt.Sprintf("%s:%s=%s (%s)", owner, p.Name, cmp.Or(p.Default, "..."),
			strings.Join(about, ", "))
		if p.Doc != "" {
			text += " " + p.Doc
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

var (
	parameterName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	choiceName    = regexp.MustCompile(`^[a-z0-9][a-z0-9.]*(-[a-z0-9.]+)*$`)
)

// Check returns what is wrong with the declarations of parameters.
func Check(owner string, list []Parameter) (wrong []error) {
	seen := map[string]bool{}
	for i := range list {
		p := &list[i]
		problem := func(text string, args ...any) {
			wrong = append(wrong, fmt.Errorf("the parameter %q %s", p.Name, fmt.Sprintf(text, args...)))
		}
		switch {
		case !parameterName.MatchString(p.Name):
			problem("is not a valid name: write lower-case letters, digits and underscores")
		case seen[p.Name]:
			problem("occurs twice")
		case !slices.Contains(types, p.Type):
			problem("has the type %q: take %s", p.Type, strings.Join(types, " or "))
		case p.Type == Text && (len(list) > 1 || p.Read == nil):
			problem("is a text: give it a Read, and no other parameter beside it")
		case p.Type == Text || p.Type == File:
		case p.Type == Word && len(p.Choices) == 0 && p.Read == nil:
			problem("is a word without Choices")
		case slices.ContainsFunc(p.Choices, func(c string) bool { return !choiceName.MatchString(c) }):
			problem("has a choice that is not a valid name: write lower-case letters, digits and hyphens")
		default:
			if _, err := p.read(owner, p.Default); err != nil {
				problem("has a bad default: %s", err.Error())
			}
		}
		seen[p.Name] = true
	}
	return wrong
}

// fileNameMarks separate the parts of a call, of a mix and of a row of a list.
const fileNameMarks = "+:,=;"

// CheckFileName refuses a name of a file that a call cannot hold.
func CheckFileName(name string) *input.Error {
	if !strings.ContainsAny(name, fileNameMarks) {
		return nil
	}
	return input.Bad("", "rename it", "%q has one of the characters %s, which have a meaning where "+
		"the file is named", name, fileNameMarks)
}

func checkFile(at, name string) *input.Error {
	if name == "" {
		return input.Bad("", "give the name of a file", "%s is empty", at)
	}
	if err := CheckFileName(name); err != nil {
		return err
	}
	return input.CheckPrintable(name, at)
}

func checkDigest(at, text string) *input.Error {
	if n := len(text); n != 0 && n != DigestDigits || strings.Trim(text, "0123456789abcdef") != "" {
		return input.Bad("", fmt.Sprintf("give %d hexadecimal digits in lower case, or leave it out",
			DigestDigits), "%s is %q", at, text)
	}
	return nil
}
