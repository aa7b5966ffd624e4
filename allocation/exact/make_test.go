package exact

import (
	"fmt"
	"strings"
	"testing"

	"contend/allocation"
	"contend/allocation/center"
	"contend/router/topology"
)

// makeExact makes an allocator of this package, or one to compare it with, of its short form.
func makeExact(t testing.TB, short string, machine topology.Topology) (a allocation.Allocator) {
	t.Helper()
	name, rest, _ := strings.Cut(short, ":")
	number, err, site := 0, error(nil), allocation.Site{Machine: machine}
	if rest != "" {
		if _, err = fmt.Sscan(rest, &number); err != nil {
			t.Fatal(err)
		}
	}
	switch name {
	case "mc1x1":
		a, err = center.New(name, machine, "")
	case "optimal":
		a, err = NewOptimal(site, number)
	case "ptas":
		a, err = NewPTAS(machine, number)
	default:
		a, err = center.NewMedian(name, site, "")
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}
