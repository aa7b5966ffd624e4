package main

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// confirm runs the tests that caught faults on the unchanged code. A test that fails
// there catches nothing.
func (t *tests) confirm(trials []trial, timeout time.Duration) error {
	for i := range t.packages {
		s := stage{p: &t.packages[i]}
		for k := range trials {
			r := &trials[k]
			if r.in == s.p.ImportPath && !slices.Contains(s.names, r.by) &&
				slices.Contains(s.p.names, r.by) {
				s.names = append(s.names, r.by)
			}
		}
		if s.names == nil {
			continue
		}
		if by, err := t.test(s, "", timeout); err != nil {
			return err
		} else if by != "" {
			return fmt.Errorf("%s of %s fails without any fault", by, s.p.ImportPath)
		}
	}
	return nil
}

// areaCount counts the faults of a package by their outcome.
type areaCount struct {
	area                  string
	faults, caught, named int
}

// report prints the outcome of the faults. It reports whether enough of them were
// caught and the table is true.
func report(out io.Writer, trials []trial, all bool) bool {
	total, good := areaCount{area: "all"}, true
	var counts []areaCount
	var took time.Duration
	for i := range trials {
		r := &trials[i]
		area := r.fault.area()
		took += r.took
		k := slices.IndexFunc(counts, func(c areaCount) bool { return c.area == area })
		if k < 0 {
			k, counts = len(counts), append(counts, areaCount{area: area})
		}
		counts[k].add(r)
		total.add(r)
	}
	fmt.Fprintln(out)
	for _, c := range append(counts, total) {
		fmt.Fprintf(out, "%-12s %3d of %3d caught, %3d by tests the table names\n",
			c.area, c.caught, c.faults, c.named)
	}
	fmt.Fprintf(out, "%.0f s of trials\n", took.Seconds())
	for i := range trials {
		r := &trials[i]
		if text := r.untrue(); text != "" {
			fmt.Fprintln(out, text)
			good = false
		} else if r.by == "" {
			fmt.Fprintf(out, "%s survives: %s\n", r.fault.name, r.fault.survives)
		}
	}
	if all && total.caught < wanted {
		fmt.Fprintf(out, "%d of %d faults are caught: at least %d have to be\n",
			total.caught, total.faults, wanted)
		good = false
	}
	return good
}

func (c *areaCount) add(r *trial) {
	c.faults++
	if r.by != "" {
		c.caught++
	}
	if r.named {
		c.named++
	}
}

// untrue returns how the table is wrong about a fault, or "" if it is right.
func (r *trial) untrue() string {
	switch f := r.fault; {
	case r.by == "" && f.survives == "":
		return fmt.Sprintf("%s survives, and the table gives no reason: %s", f.name, f.breaks)
	case r.by != "" && f.survives != "":
		return fmt.Sprintf("%s is caught by %s, and the table says that it survives", f.name, r.by)
	}
	return ""
}
