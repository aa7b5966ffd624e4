package order

import (
	"fmt"
	"strings"

	"contend/allocation"
	"contend/internal/call"
)

// Allocators lists the entries of packers.
func Allocators() (list []allocation.Entry) {
	for _, p := range Packers() {
		doc := p.Doc + ": " + p.Name + ":hilbert, " + p.Name + ":linear"
		list = append(list, allocation.Entry{Name: p.Name, Display: p.Display, Doc: doc,
			CountDecides: true,
			Parameters: []call.Parameter{
				{Name: "order", Type: call.Word, Default: RowMajor, Bare: true, Read: readOrder,
					Choices: allocation.NamesOf(NodeOrders()),
					Doc: "the order of the processors; a curve may be turned: hilbert/yx exchanges x and " +
						"y, hilbert/x-y begins at the far end of y"},
				{Name: "span", Type: call.Word, Default: string(Ring), Bare: true,
					Choices: []string{string(Ring), string(Linear)}, Source: "leung2002 sec. 2.3",
					Doc: "if no free interval is long enough: the order is closed to a ring, or a line"}},
			New: func(v call.Values, s allocation.Site) (allocation.Allocator, error) {
				if s.Order == nil {
					s.Order = New
				}
				line, err := s.Order(v.Word("order"), s.Machine)
				if err != nil {
					return nil, fmt.Errorf("allocator %s: %w", p.Name, err)
				}
				return NewPacker(p.Name, line, Span(v.Word("span"))), nil
			}})
	}
	return list
}

// readOrder accepts NodeOrders, Morton, and turned orders, which only a machine can check.
func readOrder(text string) (string, error) {
	base, _, _ := strings.Cut(text, "/")
	if base == Morton {
		return text, nil
	}
	return text, allocation.Known("order", base, NodeOrders())
}
