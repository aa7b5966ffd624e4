package allocation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// parameter is a value of a Config as the short form and the messages show it: a
// number, a word of a list, or a flag, whichever field is not nil.
type parameter struct {
	name   string
	number func(c *Config) *int
	word   func(c *Config) *string
	flag   func(c *Config) *bool

	least    int    // least value of a number
	most     int    // greatest value of a number; 0 if there is no bound
	standard int    // value of a number that the short form omits
	unset0   bool   // a number of 0 means standard
	always   bool   // the short form shows the number even if it is standard
	words    []Info // the first is the default, and "" means the default
	turned   bool   // a word may continue after a slash: a turned order
	before   bool   // the word precedes the name in the short form
	idle     *Info  // a word that has no effect, and why; it is refused
	example  string // example of a short form with numbers
}

func page() parameter {
	return parameter{name: "page", number: func(c *Config) *int { return &c.Page }, always: true,
		example: "paging:2 or paging:2,snake"}
}

func order() parameter {
	return parameter{name: "order", word: func(c *Config) *string { return &c.Order }, words: Orders()}
}

// nodeOrder is the order of a packer. NewOrder knows how to turn it.
func nodeOrder() parameter {
	p := order()
	p.words, p.turned, p.before = append(NodeOrders(), Info{Name: Morton}), true, true
	return p
}

func span() parameter {
	return parameter{name: "span", word: func(c *Config) *string { return &c.Span }, words: Spans()}
}

func percent() parameter {
	return parameter{name: "qct", number: func(c *Config) *int { return &c.Percent }, most: 100,
		always: true, example: "quasi-contiguous:20"}
}

func rotate() parameter {
	return parameter{name: "rotate", flag: func(c *Config) *bool { return &c.Rotate }}
}

func lastShell() parameter {
	return parameter{name: "last_shell", word: func(c *Config) *string { return &c.LastShell },
		words: LastShells()}
}

func corners() parameter {
	return parameter{name: "corners", word: func(c *Config) *string { return &c.Corners },
		words: Corners()}
}

func score() parameter {
	return parameter{name: "score", word: func(c *Config) *string { return &c.Score }, words: Scores()}
}

func start() parameter {
	return parameter{name: "start", word: func(c *Config) *string { return &c.Start }, words: Starts()}
}

// medianShell is lastShell for allocators whose shells have equal L1 distance.
func medianShell() parameter {
	p := lastShell()
	p.words = medianShells()
	p.idle = &Info{LastShellL1,
		"settles nothing: all processors of its last shell are equally far in L1"}
	return p
}

// tieExample holds the weights that [Johnson et al. 2010, sec. III] found to improve
// all logs.
const tieExample = "mc1x1-tie:2,13,20,6"

func scanRadius() parameter {
	return parameter{name: "scan_radius", number: func(c *Config) *int { return &c.ScanRadius },
		standard: 2, always: true, example: tieExample}
}

func available() parameter {
	return parameter{name: "available", number: func(c *Config) *int { return &c.Available },
		standard: 13, always: true, example: tieExample}
}

func wall() parameter {
	return parameter{name: "wall", number: func(c *Config) *int { return &c.Wall }, standard: 20,
		always: true, example: tieExample}
}

func border() parameter {
	return parameter{name: "border", number: func(c *Config) *int { return &c.Border }, standard: 6,
		always: true, example: tieExample}
}

func limit() parameter {
	return parameter{name: "limit", number: func(c *Config) *int { return &c.Limit }, least: 1,
		standard: DefaultLimit, unset0: true, example: "optimal:1000"}
}

func strips() parameter {
	return parameter{name: "m", number: func(c *Config) *int { return &c.Strips }, least: 2,
		standard: DefaultStrips, unset0: true, example: "ptas:5"}
}

// unset reports whether a parameter has its zero value.
func (p *parameter) unset(c *Config) bool {
	switch {
	case p.number != nil:
		return *p.number(c) == 0
	case p.word != nil:
		return *p.word(c) == ""
	}
	return !*p.flag(c)
}

// check returns an error for a value out of bounds.
func (p *parameter) check(c *Config) error {
	switch {
	case p.number != nil:
		n := *p.number(c)
		if n < p.least && !(n == 0 && p.unset0) {
			return fmt.Errorf("%s is %d; it must be %d or more", p.name, n, p.least)
		}
		if p.most > 0 && n > p.most {
			return fmt.Errorf("%s is %d; it must be at most %d", p.name, n, p.most)
		}
	case p.word != nil && !p.unset(c):
		w := p.base(*p.word(c))
		if (w != Morton || !p.turned) && known(p.title(), w, listed(p.words)) != nil {
			return p.unknown(w)
		}
	}
	return nil
}

// unknown returns the error for a word that is not one of the parameter's.
func (p *parameter) unknown(word string) error {
	words := listed(p.words)
	if p.idle == nil || word != p.idle.Name {
		return unknown(p.title(), word, words)
	}
	return fmt.Errorf("%s %q %s; there are %s", p.title(), word, p.idle.Doc, joinNames(words))
}

// listed returns the words without aliases, which have no description.
func listed(words []Info) []Info {
	return slices.DeleteFunc(slices.Clone(words), func(w Info) bool { return w.Doc == "" })
}

// base returns a word without the part after a slash.
func (p *parameter) base(word string) string {
	if p.turned {
		word, _, _ = strings.Cut(word, "/")
	}
	return word
}

// title returns the name as used in a sentence.
func (p *parameter) title() string { return strings.ReplaceAll(p.name, "_", " ") }

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
			case w == "" || w == p.words[0].Name:
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
func Parse(short string) (Config, error) {
	head, rest, given := strings.Cut(short, ":")
	slash := strings.LastIndexByte(head, '/')
	name, ordered := head[slash+1:], slash >= 0
	c := Config{Name: name}
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
				unknown("order", p.base(head[:slash]), listed(p.words)))
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

func (p *parameter) bounds() string {
	if p.most > 0 {
		return fmt.Sprintf("from %d to %d", p.least, p.most)
	}
	return fmt.Sprintf("from %d", p.least)
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
	return slices.ContainsFunc(p.words, func(w Info) bool { return w.Name == p.base(argument) })
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
