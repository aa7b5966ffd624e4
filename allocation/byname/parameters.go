package byname

import (
	"fmt"
	"slices"
	"strings"

	"contend/allocation"
	"contend/allocation/center"
	"contend/allocation/exact"
	"contend/allocation/manager"
	"contend/allocation/order"
	"contend/allocation/submesh"
)

// parameter is a value of a Config as the short form and the messages show it: a
// number, a word of a list, or a flag, whichever field is not nil.
type parameter struct {
	name   string
	number func(c *Config) *int
	word   func(c *Config) *string
	flag   func(c *Config) *bool

	least    int               // least value of a number
	most     int               // greatest value of a number; 0 if there is no bound
	standard int               // value of a number that the short form omits
	always   bool              // the short form shows the number even if it is standard
	words    []allocation.Info // the first is the default, and "" means the default
	turned   bool              // a word may continue after a slash: a turned order
	before   bool              // the word precedes the name in the short form
	example  string            // example of a short form with numbers
}

// number returns a number that the short form always shows, and word one of some words.
func number(name string, standard int, example string, field func(c *Config) *int) parameter {
	return parameter{name: name, number: field, standard: standard, always: true, example: example}
}

func word(name string, words []allocation.Info, field func(c *Config) *string) parameter {
	return parameter{name: name, word: field, words: words}
}

func page() parameter {
	return number("page", 0, "paging:2 or paging:2,snake", func(c *Config) *int { return &c.Page })
}

func pageOrder() parameter {
	return word("order", order.Orders(), func(c *Config) *string { return &c.Order })
}

// nodeOrder is the order of a packer. order.New knows how to turn it.
func nodeOrder() parameter {
	p := pageOrder()
	p.words, p.turned, p.before = append(order.NodeOrders(), allocation.Info{Name: order.Morton}),
		true, true
	return p
}

func span() parameter {
	return word("span", order.Spans(), func(c *Config) *string { return &c.Span })
}

func percent() parameter {
	p := number("qct", 0, "quasi-contiguous:20", func(c *Config) *int { return &c.Percent })
	p.most = 100
	return p
}

func version() parameter {
	return word("version", manager.Versions(), func(c *Config) *string { return &c.Version })
}

// blocks are the parameters of slurm-block.
func blocks() []parameter {
	const example = "slurm-block:16,4"
	return []parameter{
		number("block_nodes", 0, example, func(c *Config) *int { return &c.BlockNodes }),
		number("segment", 0, example, func(c *Config) *int { return &c.Segment }),
	}
}

func rotate() parameter {
	return parameter{name: "rotate", flag: func(c *Config) *bool { return &c.Rotate }}
}

func lastShell() parameter {
	return word("last_shell", center.LastShells(), func(c *Config) *string { return &c.LastShell })
}

func score() parameter {
	return word("score", submesh.Scores(), func(c *Config) *string { return &c.Score })
}

func start() parameter {
	return word("start", submesh.Starts(), func(c *Config) *string { return &c.Start })
}

// medianShell is lastShell for allocators whose shells have equal L1 distance.
func medianShell() parameter {
	p := lastShell()
	p.words = center.MedianShells()
	return p
}

// ties are the parameters of mc1x1-tie. By default its weights are those that [Johnson et al.
// 2010, sec. III] found to improve all logs.
func ties() []parameter {
	const example = "mc1x1-tie:2,13,20,6"
	return []parameter{
		number("scan_radius", 2, example, func(c *Config) *int { return &c.ScanRadius }),
		number("available", 13, example, func(c *Config) *int { return &c.Available }),
		number("wall", 20, example, func(c *Config) *int { return &c.Wall }),
		number("border", 6, example, func(c *Config) *int { return &c.Border }),
		lastShell(),
		word("corners", center.Corners(), func(c *Config) *string { return &c.Corners }),
	}
}

func limit() parameter {
	return parameter{name: "limit", number: func(c *Config) *int { return &c.Limit }, least: 1,
		standard: exact.DefaultLimit, example: "optimal:1000"}
}

func strips() parameter {
	return parameter{name: "m", number: func(c *Config) *int { return &c.Strips }, least: 2,
		standard: exact.DefaultStrips, example: "ptas:5"}
}

// standing reports whether a parameter is at its default, or has the zero value that stands for it.
func (p *parameter) standing(c *Config) bool {
	switch {
	case p.number != nil:
		return *p.number(c) == 0 || *p.number(c) == p.standard
	case p.word != nil:
		return *p.word(c) == "" || *p.word(c) == p.words[0].Name
	}
	return !*p.flag(c)
}

// check returns an error for a value out of bounds.
func (p *parameter) check(c *Config) error {
	switch {
	case p.number != nil:
		n := *p.number(c)
		if n < p.least && n != 0 {
			return fmt.Errorf("%s is %d; it must be %d or more", p.name, n, p.least)
		}
		if p.most > 0 && n > p.most {
			return fmt.Errorf("%s is %d; it must be at most %d", p.name, n, p.most)
		}
	case p.word != nil && !p.standing(c):
		w := p.base(*p.word(c))
		if (w != order.Morton || !p.turned) && allocation.Known(p.title(), w, listed(p.words)) != nil {
			return p.unknown(w)
		}
	}
	return nil
}

// unknown returns the error for a word that is not one of the parameter's.
func (p *parameter) unknown(word string) error {
	return allocation.Unknown(p.title(), word, listed(p.words))
}

// listed returns the words without aliases, which have no description.
func listed(words []allocation.Info) []allocation.Info {
	return slices.DeleteFunc(slices.Clone(words), func(w allocation.Info) bool { return w.Doc == "" })
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

// values says which values there are.
func (p *parameter) values() string {
	switch {
	case p.word != nil:
		return allocation.JoinNames(listed(p.words))
	case p.flag != nil:
		return "true or false"
	case p.most > 0:
		return fmt.Sprintf("from %d to %d", p.least, p.most)
	}
	return fmt.Sprintf("from %d", p.least)
}
