package byname

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/allocation"
	"contend/internal/shortform"
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
		case p.standing(&c) && !p.always:
		case p.number != nil:
			parts = append(parts, strconv.Itoa(*p.number(&c)))
		case p.flag != nil:
			parts = append(parts, p.name)
		case p.before:
			name = *p.word(&c) + "/" + name
		default:
			parts = append(parts, *p.word(&c))
		}
	}
	return shortform.Write(name, parts)
}

// Parse parses a short form such as random, paging:2, paging:2,snake, first-fit:rotate
// or mc1x1-tie:2,13,20,6,greedy. All numbers are given or none. An order may also
// precede the name with a slash, as in hilbert/best-fit-1d or hilbert/yx/best-fit-1d.
// The result omits words that are the default.
func Parse(short string) (Config, error) { return Config{}.Parsed(short) }

// Parsed returns the configuration with the name and the parameters of a short form.
func (c Config) Parsed(short string) (Config, error) {
	head, rest, colon := strings.Cut(short, ":")
	slash := strings.LastIndexByte(head, '/')
	c.Name = head[slash+1:]
	e, err := find(c.Name)
	if err != nil {
		return c, err
	}
	call := short[slash+1:]
	switch {
	case slash >= 0 && !colon:
		call += ":order=" + head[:slash]
	case slash >= 0 && rest != "":
		call += ",order=" + head[:slash]
	}
	var list []shortform.Parameter
	numbers, given := 0, 0
	for _, p := range e.parameters {
		if p.number != nil {
			*p.number(&c) = p.standard
			numbers++
		}
		list = append(list, shortform.Parameter{Name: p.name, Values: p.values(), Bare: p.takes,
			Set: func(text string) error {
				if p.number != nil {
					given++
				}
				return p.set(&c, text)
			}})
	}
	if err = shortform.Read(call, list); err == nil && given > 0 && given < numbers {
		err = fmt.Errorf("%s takes %d numbers: write %s", c.Name, numbers, e.parameters[0].example)
	}
	if err != nil {
		return c, fmt.Errorf("allocator %q: %w", short, err)
	}
	return c, nil
}

// takes reports whether a value without a name is meant for the parameter.
func (p *parameter) takes(text string) bool {
	switch {
	case p.number != nil: // and no word
		return text == "" || strings.ContainsRune("+-.0123456789", rune(text[0]))
	case p.flag != nil:
		return text == p.name
	}
	return slices.ContainsFunc(p.words,
		func(w allocation.Info) bool { return w.Name == p.base(text) })
}

// set takes a value of a short form.
func (p *parameter) set(c *Config, text string) error {
	switch {
	case p.number != nil:
		n, err := strconv.Atoi(text)
		if err != nil || n < p.least || p.most > 0 && n > p.most {
			return fmt.Errorf("%s %q is not a whole number %s: write %s", p.title(), text, p.values(),
				p.example)
		}
		*p.number(c) = n
	case p.flag != nil:
		if text != p.name && text != "true" && text != "false" {
			return fmt.Errorf("%s %q is neither true nor false", p.title(), text)
		}
		*p.flag(c) = text != "false"
	case !p.takes(text):
		return p.unknown(p.base(text))
	case text != p.words[0].Name:
		*p.word(c) = text
	}
	return nil
}
