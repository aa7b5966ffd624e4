package call

import (
	"math"
	"reflect"
	"testing"
)

// colour is a numbered type.
type colour uint8

func (colour) Names() []string { return []string{"red", "green"} }

type inner struct {
	Colour colour
	Shares []int `min:"0" max:"9"`
}

type configuration struct {
	Depth int `default:"2" min:"1" max:"7"`
	inner
	Pace   float64 `min:"0" max:"1.5"`
	Engine string  `choices:"auto,cycle"`
	Flag   bool
}

// Fields have the defaults of their tags, and Outside finds the first one that is out of bounds.
func TestFields(t *testing.T) {
	fields := FieldsOf(reflect.TypeFor[configuration]())
	standard := Defaults[configuration](fields)
	if standard.Depth != 2 || standard.Engine != "auto" || standard.Colour != 0 {
		t.Errorf("the defaults are %+v", standard)
	}
	for _, c := range []struct {
		name   string
		value  any
		change func(*configuration)
	}{
		{"", nil, func(*configuration) {}},
		{"", nil, func(c *configuration) { c.Depth, c.Colour, c.Shares = 7, 1, []int{0, 9} }},
		{"Depth", 0, func(c *configuration) { c.Depth = 0 }},
		{"Depth", 8, func(c *configuration) { c.Depth, c.Pace = 8, 9 }},
		{"Colour", colour(2), func(c *configuration) { c.Colour = 2 }},
		{"Shares", 10, func(c *configuration) { c.Shares = []int{3, 10} }},
		{"Pace", math.Inf(1), func(c *configuration) { c.Pace = math.Inf(1) }},
		{"Engine", "worm", func(c *configuration) { c.Engine = "worm" }},
	} {
		got := standard
		c.change(&got)
		f, value := Outside(fields, &got)
		if f == nil && c.name != "" || f != nil && (f.Name != c.name || value != c.value) {
			t.Errorf("%+v: %v of %+v, want %v of %s", got, value, f, c.value, c.name)
		}
	}
}
