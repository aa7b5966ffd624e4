package topology

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Kind is a family of topologies under one name. It owns its text: what the size of
// a machine looks like, and what routes on it.
type Kind interface {
	// Name is what the kind is called, such as mesh.
	Name() string
	// Parse makes the topology of the given size, such as 16x16.
	Parse(size string) (Topology, error)
	// Example is a size that Parse reads, and what it says, in words.
	Example() (size, words string)
	// Routings are the names of the routings that the kind can take, the default
	// first.
	Routings() []string
}

// Kinds returns the kinds of this package: mesh, torus, hypercube, tree, fat-tree, dragonfly
// and hyperx.
func Kinds() []Kind {
	return []Kind{mesh{}, torus{}, hypercube{}, tree{}, fatTree{}, dragonfly{}, hyperX{}}
}

// KindNamed returns the kind of that name among a list.
func KindNamed(list []Kind, name string) (Kind, bool) {
	i := slices.IndexFunc(list, func(k Kind) bool { return k.Name() == name })
	if i < 0 {
		return nil, false
	}
	return list[i], true
}

type (
	mesh      struct{}
	torus     struct{}
	hypercube struct{}
	tree      struct{}
)

func (mesh) Name() string      { return "mesh" }
func (torus) Name() string     { return "torus" }
func (hypercube) Name() string { return "hypercube" }
func (tree) Name() string      { return "tree" }

func (mesh) Routings() []string { return meshRoutings() }
func (torus) Routings() []string {
	return []string{"dateline", "balanced-dateline",
		"dimension-order", "valiant", "romm", "minimal-adaptive", "min-adapt"}
}
func (hypercube) Routings() []string { return meshRoutings() }
func (tree) Routings() []string {
	return []string{"d-mod-k", "s-mod-k", "random", "adaptive", "adaptive-credits"}
}

// meshRoutings are the routings of grids that do not wrap.
func meshRoutings() []string {
	return []string{"dimension-order", "west-first", "north-last", "negative-first", "odd-even",
		"o1turn", "valiant", "romm", "minimal-adaptive", "min-adapt"}
}

func (mesh) Example() (size, words string)  { return "16x16", "the routers along each dimension" }
func (torus) Example() (size, words string) { return "16x16", "the routers along each dimension" }
func (hypercube) Example() (size, words string) {
	return "6", "the number of dimensions"
}
func (tree) Example() (size, words string) { return "4x4", "arity and levels" }

func (k mesh) Parse(size string) (Topology, error) {
	dims, err := numbers(k, size)
	if err != nil {
		return nil, err
	}
	return made(NewCube(CubeConfig{Dims: dims}))
}

func (k torus) Parse(size string) (Topology, error) {
	dims, err := numbers(k, size)
	if err != nil {
		return nil, err
	}
	return made(NewCube(CubeConfig{Dims: dims, Wrap: slices.Repeat([]bool{true}, len(dims))}))
}

func (k hypercube) Parse(size string) (Topology, error) {
	dims, err := numbers(k, size)
	if err != nil {
		return nil, err
	}
	if len(dims) != 1 {
		return nil, badSize(k, size)
	}
	return made(Hypercube(dims[0]))
}

// Parse reads arity by levels, and after a colon the ports up of a slimmed tree.
func (k tree) Parse(size string) (Topology, error) {
	whole, up, slim := strings.Cut(size, ":")
	shape, err := numbers(k, whole)
	if err != nil || len(shape) != 2 {
		return nil, badSize(k, size)
	}
	c := TreeConfig{Arity: shape[0], Levels: shape[1]}
	if slim {
		if c.UpPorts, err = numbers(k, up); err != nil {
			return nil, badSize(k, size)
		}
	}
	return made(NewTree(c))
}

// made drops the type of a constructor's result, and the result with an error.
func made[T Topology](t T, err error) (Topology, error) {
	if err != nil {
		return nil, err
	}
	return t, nil
}

// numbers reads numbers from 1 with an x between.
func numbers(k Kind, size string) (list []int, err error) {
	for part := range strings.SplitSeq(size, "x") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return nil, badSize(k, size)
		}
		list = append(list, n)
	}
	return list, nil
}

func badSize(k Kind, size string) error {
	example, words := k.Example()
	return fmt.Errorf("%q is not the size of a %s: give %s, such as %s:%s",
		size, k.Name(), words, k.Name(), example)
}
