package experiments

import (
	"slices"
	"strconv"
	"strings"
)

// Name documents one entry of a name table: an allocator, a pattern, ...
type Name struct {
	Name, Doc, Source string
}

// Names are the name tables, by what they name: allocators, orders, patterns,
// topologies, routings, schedulers. A caller passes them in, so that this
// package's reading of specs does not depend on who implements the names.
type Names map[string][]Name

// List returns the names of one table. A missing table is a caller's bug.
func (n Names) List(table string) []string {
	entries, ok := n[table]
	if !ok {
		panic("experiments: there is no table of " + table)
	}
	list := make([]string, len(entries))
	for i, e := range entries {
		list[i] = e.Name
	}
	return list
}

// presets lists what each value of network.preset sets.
var presets = map[string][]struct {
	path  string
	value int64
}{
	// "Flits take 1 network clock cycle to move between routing switches, and
	// two cycles to be routed" (lo1994 App. A), single-flit buffers.
	"procsimity": {
		{"network.routing_cycles", 4}, {"network.flit_cycles", 3}, {"network.link_cycles", 1}, {"network.buffer_flits", 1},
		{"network.credit_cycles", 1}, {"network.packet_flits", 8}, {"network.virtual_channels", 1},
	},
}

func (s *settings) applyPreset(name string) *InputError {
	for _, p := range presets[name] {
		if err := s.assign(p.path, p.value, nil); err != nil {
			return err
		}
	}
	return nil
}

// parseAllocator reads the short form of an allocator: a name, then after a
// colon its page size, its order, or "rotate", separated by commas; an order
// may also stand before the name with a slash (hilbert/best-fit-1d).
func parseAllocator(text string, names Names) (AllocatorSpec, *InputError) {
	s := defaults()
	head, rest, _ := strings.Cut(text, ":")
	if order, name, ok := strings.Cut(head, "/"); ok {
		if err := s.assign("allocator.order", order, names); err != nil {
			return s.spec.Allocator, err
		}
		head = name
	}
	if err := s.assign("allocator.name", head, names); err != nil {
		return s.spec.Allocator, badInput("allocator", err.Right, "allocator is %q", text)
	}
	for arg := range strings.SplitSeq(rest, ",") {
		path, value := "allocator.order", any(arg)
		if n, err := strconv.ParseInt(arg, 10, 64); err == nil {
			path, value = "allocator.page", n
		} else if arg == "rotate" {
			path, value = "allocator.rotate", true
		}
		if rest == "" {
			break
		}
		if err := s.assign(path, value, names); err != nil {
			return s.spec.Allocator, err
		}
	}
	return s.spec.Allocator, s.spec.Allocator.check()
}

// check refuses parameters the allocator does not have: two specs that differ
// in them only would be the same run under two hashes.
func (a AllocatorSpec) check() *InputError {
	base := DefaultSpec().Allocator
	switch {
	case a.Page != base.Page && a.Name != "paging":
		return badInput("allocator.page", "only paging has pages", "allocator.page is %d with the allocator %s", a.Page, a.Name)
	case a.Rotate && !slices.Contains([]string{"first-fit", "best-fit", "frame-sliding"}, a.Name):
		return badInput("allocator.rotate", "only first-fit, best-fit and frame-sliding can", "allocator.rotate is true with the allocator %s", a.Name)
	case a.Order != base.Order && a.Name != "paging":
		return badInput("allocator.order", "only paging takes an order", "allocator.order is %q with the allocator %s", a.Order, a.Name)
	}
	return nil
}

// String returns the short form.
func (a AllocatorSpec) String() string {
	base := DefaultSpec().Allocator
	var args []string
	if a.Name == "paging" {
		args = append(args, strconv.Itoa(a.Page))
	}
	if a.Order != base.Order {
		args = append(args, a.Order)
	}
	if a.Rotate {
		args = append(args, "rotate")
	}
	if args == nil {
		return a.Name
	}
	return a.Name + ":" + strings.Join(args, ",")
}
