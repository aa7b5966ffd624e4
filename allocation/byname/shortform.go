package byname

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/allocation"
)

// String returns the short form that Parse reads: the name, a colon and the parameters.
// It omits parameters at their defaults except some numbers.
func (c Config) String() string {
	e, err := find(c.Name)
	if err != nil {
		return c.Name
	}
	var parts []string
	name := c.Name
	for _, p := range e.parameters {
		switch {
		case p.number != nil:
			if n := *p.number(&c); p.always || n != p.standard && !(n == 0 && p.unset0) {
				parts = append(parts, strconv.Itoa(n))
			}
		case p.word != nil:
			switch w := *p.word(&c); {
			case p.standing(&c):
			case p.before:
				name = w + "/" + name
			default:
				parts = append(parts, w)
			}
		case *p.flag(&c):
			parts = append(parts, p.name)
		}
	}
	if parts == nil {
		return name
	}
	return name + ":" + strings.Join(parts, ",")
}

// Parse parses a short form such as random, paging:2, paging:2,snake, first-fit:rotate
// or mc1x1-tie:2,13,20,6,greedy. Numbers come first, all or none. An order may also
// precede the name with a slash, as in hilbert/best-fit-1d or hilbert/yx/best-fit-1d.
// The result omits words that are the default.
func Parse(short string) (Config, error) { return Config{}.Parsed(short) }

// Parsed returns the configuration with the name and the parameters of a short form.
func (c Config) Parsed(short string) (Config, error) {
	head, rest, given := strings.Cut(short, ":")
	slash := strings.LastIndexByte(head, '/')
	name, ordered := head[slash+1:], slash >= 0
	c.Name = name
	e, err := find(name)
	if err != nil {
		return c, err
	}
	for _, p := range e.parameters {
		if p.number != nil {
			*p.number(&c) = p.standard
		}
	}
	var arguments []string
	if given {
		arguments = strings.Split(rest, ",")
	}
	if ordered {
		if !e.has("order") {
			return c, fmt.Errorf("allocator %q: %s takes no order", short, name)
		}
		i := slices.IndexFunc(e.parameters, func(p parameter) bool { return p.name == "order" })
		if p := &e.parameters[i]; !p.takes(head[:slash]) {
			return c, fmt.Errorf("allocator %q: %w", short,
				allocation.Unknown("order", p.base(head[:slash]), listed(p.words)))
		}
		arguments = append(arguments, head[:slash])
	}
	if err := e.parse(&c, arguments); err != nil {
		return c, fmt.Errorf("allocator %q: %w", short, err)
	}
	return c, nil
}

// parse sets the parameters of a short form.
func (e *entry) parse(c *Config, arguments []string) error {
	if len(arguments) > 0 && len(e.parameters) == 0 {
		return fmt.Errorf("%s takes no parameters", e.Name)
	}
	numbers := slices.DeleteFunc(slices.Clone(e.parameters),
		func(p parameter) bool { return p.number == nil })
	others := slices.DeleteFunc(slices.Clone(e.parameters),
		func(p parameter) bool { return p.number != nil })
	given := 0
	for given < len(arguments) && looksNumeric(arguments[given]) {
		given++
	}
	if given > 0 && given != len(numbers) {
		return fmt.Errorf("%s%s", e.takesNumbers(numbers), writeExample(numbers))
	}
	for i, argument := range arguments[:given] {
		p := &numbers[i]
		n, err := strconv.Atoi(argument)
		if err != nil || n < p.least || p.most > 0 && n > p.most {
			return fmt.Errorf("%s %q is not a whole number %s%s", p.title(), argument, p.bounds(),
				writeExample(numbers))
		}
		*p.number(c) = n
	}
	for _, argument := range arguments[given:] {
		i := slices.IndexFunc(others, func(p parameter) bool { return p.takes(argument) })
		if i < 0 {
			return e.notKnown(argument, numbers, others)
		}
		others[i].set(c, argument)
		others = slices.Delete(others, i, i+1)
	}
	return nil
}

// looksNumeric reports whether an argument is meant as a number rather than a word.
func looksNumeric(argument string) bool {
	return argument == "" || strings.ContainsRune("+-.0123456789", rune(argument[0]))
}

func (e *entry) takesNumbers(numbers []parameter) string {
	var names []string
	for _, p := range numbers {
		names = append(names, p.title())
	}
	switch len(numbers) {
	case 0:
		return e.Name + " takes no number"
	case 1:
		return e.Name + " takes one number, the " + names[0]
	}
	return fmt.Sprintf("%s takes %d numbers, %s", e.Name, len(numbers), strings.Join(names, ", "))
}

func writeExample(numbers []parameter) string {
	if len(numbers) == 0 {
		return ""
	}
	return ": write " + numbers[0].example
}

func (p *parameter) takes(argument string) bool {
	if p.flag != nil {
		return argument == p.name
	}
	return slices.ContainsFunc(p.words,
		func(w allocation.Info) bool { return w.Name == p.base(argument) })
}

func (p *parameter) set(c *Config, argument string) {
	switch {
	case p.flag != nil:
		*p.flag(c) = true
	case argument != p.words[0].Name:
		*p.word(c) = argument
	}
}

// notKnown returns the error for an argument that is not one of the remaining words.
func (e *entry) notKnown(argument string, numbers, left []parameter) error {
	switch {
	case len(left) == 1 && left[0].word != nil:
		return left[0].unknown(argument)
	case len(left) == 1:
		return fmt.Errorf("unknown parameter %q: %s takes %s only", argument, e.Name, left[0].name)
	}
	return fmt.Errorf("unknown parameter %q%s", argument, writeExample(numbers))
}
