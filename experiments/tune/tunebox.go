package tune

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"contend/experiments/spec"
	"contend/experiments/spec/input"
)

// Vector is (SR, AF, WF, BF), the parameters of tie-breaking [Johnson, Bunde and
// Leung 2010, sec. II]: the scan radius, and the factors of the available, wall
// and border scores, each from 0 to maxComponent.
type Vector [4]int

// vectorKeys has the names of the components in a box and in files.
var vectorKeys = [4]struct{ short, long, unit, meaning string }{
	{"sr", "scan_radius", "shells", "SR of `mc1x1-tie`"},
	{"af", "available", "", "AF, weight of free processors nearby"},
	{"wf", "wall", "", "WF, weight of walls"},
	{"bf", "border", "", "BF, weight of other jobs"},
}

// Plain returns the simplest vector that breaks ties in the same way. Its factors
// have no common divisor, since "(w, x, y, z) behaves the same as (w, cx, cy,
// cz)" [sec. II d], and components without effect are 0. The border score is
// always 0 at the scan radius 0; alone, it acts equally at all other radii. The
// zero vector breaks no ties: it is MC1x1 itself.
func (v Vector) Plain() Vector {
	if v[0] == 0 {
		v[3] = 0
	}
	d := divisor(divisor(v[1], v[2]), v[3])
	switch {
	case d == 0:
		return Vector{}
	case v[1] == 0 && v[2] == 0:
		return Vector{1, 0, 0, 1}
	}
	return Vector{v[0], v[1] / d, v[2] / d, v[3] / d}
}

// divisor returns the greatest common divisor; that of a and 0 is a.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// String returns the vector as the paper writes it.
func (v Vector) String() string { return fmt.Sprintf("(%d, %d, %d, %d)", v[0], v[1], v[2], v[3]) }

// shares returns the factors divided by their sum, 0 if all are 0.
func (v Vector) shares() (s [3]float64) {
	if sum := v[1] + v[2] + v[3]; sum > 0 {
		for i := range s {
			s[i] = float64(v[i+1]) / float64(sum)
		}
	}
	return s
}

// allocator returns the allocator with these parameters, MC1x1 for the zero
// vector. Its other parameters are those of like.
func (v Vector) allocator(like spec.AllocatorSpec) spec.AllocatorSpec {
	a := spec.DefaultSpec().Allocator
	a.Name, a.LastShell = "mc1x1", like.LastShell
	if v != (Vector{}) {
		a.Name, a.ScanRadius, a.Available, a.Wall, a.Border = "mc1x1-tie", v[0], v[1], v[2], v[3]
	}
	return a
}

// compareVectors compares two vectors component by component.
func compareVectors(a, b Vector) int {
	for i := range a {
		if c := cmp.Compare(a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}

// Box is a range of vectors.
type Box struct {
	Low, High Vector // ends of the range, both included; Low is not above High
}

// DefaultBox returns the range of a search that gives none.
func DefaultBox() Box { return Box{Vector{1, 0, 0, 0}, Vector{5, 5, 5, 5}} }

// maxVectors is the largest number of points of a box. More would take weeks.
const maxVectors = 1_000_000

// maxComponent is the largest value of a parameter.
const maxComponent = 1_000_000

// ParseBox reads a box such as sr=0:5,af=0:10,wf=3 of ranges and single numbers.
// Parameters that the text leaves out have their range in like.
func ParseBox(text string, like Box) (Box, error) {
	box, seen := like, [4]bool{}
	bad := func(problem string, args ...any) error {
		return &input.Error{Where: "--box " + text, Problem: fmt.Sprintf(problem, args...),
			Right: fmt.Sprintf("give ranges of sr, af, wf and bf from 0 to %d, such as "+
				"sr=0:5,af=0:10", maxComponent)}
	}
	for part := range strings.SplitSeq(text, ",") {
		name, span, _ := strings.Cut(strings.TrimSpace(part), "=")
		at := -1
		for i, k := range vectorKeys {
			if name == k.short || name == k.long {
				at = i
			}
		}
		if at < 0 {
			return box, bad("%q is not a parameter", name)
		}
		if seen[at] {
			return box, bad("%s is given twice", name)
		}
		low, high, isRange := strings.Cut(span, ":")
		if !isRange {
			high = low
		}
		a, err := strconv.Atoi(low)
		b, err2 := strconv.Atoi(high)
		if err != nil || err2 != nil || a < 0 || b < a || b > maxComponent {
			return box, bad("%q is not a range", span)
		}
		seen[at], box.Low[at], box.High[at] = true, a, b
	}
	points := 1.0
	for i := range box.Low {
		points *= float64(box.High[i] - box.Low[i] + 1)
	}
	if points > maxVectors {
		return box, bad("it has %.0f points, more than %d", points, maxVectors)
	}
	if len(box.Vectors()) == 0 {
		return box, bad("no vector of it breaks ties")
	}
	return box, nil
}

// Vectors lists the different plain vectors of a box in order, without those that
// break no ties.
func (b Box) Vectors() []Vector {
	var list []Vector
	seen := map[Vector]bool{{}: true}
	for sr := b.Low[0]; sr <= b.High[0]; sr++ {
		for af := b.Low[1]; af <= b.High[1]; af++ {
			for wf := b.Low[2]; wf <= b.High[2]; wf++ {
				for bf := b.Low[3]; bf <= b.High[3]; bf++ {
					if v := (Vector{sr, af, wf, bf}).Plain(); !seen[v] {
						seen[v] = true
						list = append(list, v)
					}
				}
			}
		}
	}
	return list
}
