package submesh

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contend/allocation"
	"contend/allocation/order"
	"contend/router/topology"
)

// form is an allocator of this package with its parameters.
type form struct {
	name, order, score, start string
	page                      int
	rotate                    bool
}

// parseForm reads the short form of an allocator of this package.
func parseForm(short string) (f form) {
	name, rest, _ := strings.Cut(short, ":")
	f.name = name
	for _, word := range strings.Split(rest, ",") {
		page, err := strconv.Atoi(word)
		switch {
		case err == nil:
			f.page = page
		case word == "rotate":
			f.rotate = true
		case word == ScoreBoundary:
			f.score = word
		case word == StartFree:
			f.start = word
		default:
			f.order = word
		}
	}
	return f
}

// makeForm makes an allocator of its short form.
func makeForm(t testing.TB, short string, machine topology.Topology) (a allocation.Allocator) {
	t.Helper()
	var err error
	switch f := parseForm(short); f.name {
	case "paging":
		a, err = NewPaging(machine, f.page, f.order)
	case "buddy2d":
		a, err = NewBuddy2D(machine)
	case "mbs":
		a, err = NewMBS(machine)
	case "gabl":
		a, err = NewGABL(machine)
	case "anca":
		a, err = NewANCA(machine)
	case "subcube":
		a, err = NewSubcube(machine)
	default:
		a, err = New(f.name, machine, f.rotate, f.score, f.start)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// submeshForms lists the allocators that work on a width x height mesh.
func submeshForms(width, height int) []string {
	forms := []string{"mbs", "gabl", "anca", "first-fit", "best-fit", "frame-sliding",
		"first-fit:rotate", "best-fit:rotate", "frame-sliding:rotate", "best-fit:boundary",
		"frame-sliding:free"}
	for page := 0; width%(1<<page) == 0 && height%(1<<page) == 0; page++ {
		for _, order := range order.Orders() {
			forms = append(forms, fmt.Sprintf("paging:%d,%s", page, order.Name))
		}
	}
	if width == height && width&(width-1) == 0 {
		forms = append(forms, "buddy2d")
	}
	return slices.Clip(forms)
}
