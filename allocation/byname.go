package allocation

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"contend/netsim/topology"
)

// Config names an allocator and its parameters. It is comparable, and two
// that mean the same are equal where they come from Parse.
type Config struct {
	// Name is one of Names.
	Name string
	// Page is the size of a page of paging: its side is 2^Page.
	Page int
	// Order is the order of pages of paging, one of Orders; empty for
	// row-major.
	Order string
	// Rotate lets first-fit, best-fit and frame-sliding exchange the sides of
	// a submesh that does not fit as asked for.
	Rotate bool
}

// Info is a name and a line about it.
type Info struct{ Name, Doc string }

// Names lists the allocators.
func Names() []Info {
	return []Info{
		{"random", "processors drawn uniformly from the free ones (Lo et al. 1994, sec. 3.1)"},
		{"paging", "the first free square pages of side 2^page in an order: paging:2, paging:2,snake (Lo et al. 1994, sec. 3.2)"},
		{"buddy2d", "the smallest free block of side 2^i that holds the job, on a square 2^n machine (Li and Cheng 1991)"},
		{"mbs", "multiple buddy strategy: blocks of side 2^i by the base-4 digits of the size (Lo et al. 1994, sec. 3.3)"},
		{"first-fit", "the first free submesh of the job's shape, or of the most nearly square shape that fits the machine where the job has only a size; first-fit:rotate turns it (Zhu 1992)"},
		{"best-fit", "the free submesh, of a shape as under first-fit, with most sides that touch something busy or the border; best-fit:rotate turns it (Zhu 1992)"},
		{"frame-sliding", "the first free submesh, of a shape as under first-fit, at strides of its sides; frame-sliding:rotate turns it (Chuang and Tzeng 1991)"},
	}
}

// New makes the allocator a configuration describes for a machine. Only random
// draws from the stream, which may be nil for the others.
func New(c Config, machine topology.Topology, stream *rand.Rand) (Allocator, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	switch c.Name {
	case "random":
		return newRandom(machine, stream), nil
	case "paging":
		return made(newPaging(machine, c.Page, c.Order))
	case "buddy2d":
		return made(newBuddy2D(machine))
	case "mbs":
		return made(newMBS(machine))
	case "first-fit", "best-fit", "frame-sliding":
		return made(newSubmesh(c.Name, machine, c.Rotate))
	}
	panic("allocation: allocator " + c.Name + " is listed, but cannot be made")
}

// made keeps a nil pointer from becoming an Allocator that is not nil.
func made[A Allocator](a A, err error) (Allocator, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}

// takes says which parameters an allocator has.
func takes(name string) (page, rotate bool) {
	switch name {
	case "paging":
		return true, false
	case "first-fit", "best-fit", "frame-sliding":
		return false, true
	}
	return false, false
}

// check returns an error unless the name is known and has all parameters
// given.
func (c Config) check() error {
	if err := known("allocator", c.Name, Names()); err != nil {
		return err
	}
	page, rotate := takes(c.Name)
	switch {
	case c.Page != 0 && !page:
		return fmt.Errorf("allocator %s has no page; only paging does", c.Name)
	case c.Order != "" && !page:
		return fmt.Errorf("allocator %s has no order; only paging does", c.Name)
	case c.Rotate && !rotate:
		return fmt.Errorf("allocator %s does not rotate; first-fit, best-fit and frame-sliding do", c.Name)
	case c.Page < 0:
		return fmt.Errorf("allocator paging: page is %d; it must be 0 or more", c.Page)
	case c.Order != "":
		return known("order", c.Order, Orders())
	}
	return nil
}

// String returns the short form, which Parse reads: the name, a colon and the
// parameters, without those at their defaults except the page.
func (c Config) String() string {
	short := c.Name
	if page, _ := takes(c.Name); page {
		short += ":" + strconv.Itoa(c.Page)
		if c.Order != "" && c.Order != RowMajor {
			short += "," + c.Order
		}
	}
	if c.Rotate {
		short += ":rotate"
	}
	return short
}

// Parse reads a short form such as random, paging:2, paging:2,snake, or
// first-fit:rotate. It leaves an order out that is the default.
func Parse(short string) (Config, error) {
	name, rest, parameters := strings.Cut(short, ":")
	c := Config{Name: name}
	if err := known("allocator", name, Names()); err != nil || !parameters {
		return c, err
	}
	page, rotate := takes(name)
	switch {
	case page:
		number, order, ordered := strings.Cut(rest, ",")
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 {
			return c, fmt.Errorf("allocator %q: page %q is not a whole number from 0: write paging:2 or paging:2,snake", short, number)
		}
		c.Page = n
		if ordered {
			if err := known("order", order, Orders()); err != nil {
				return c, fmt.Errorf("allocator %q: %w", short, err)
			}
			if order != RowMajor {
				c.Order = order
			}
		}
	case rotate:
		if rest != "rotate" {
			return c, fmt.Errorf("allocator %q: unknown parameter %q: %s takes rotate only", short, rest, name)
		}
		c.Rotate = true
	default:
		return c, fmt.Errorf("allocator %q: %s takes no parameters", short, name)
	}
	return c, nil
}
