package report

import (
	"fmt"
	"math"

	"contend/experiments/figure"
	"contend/netsim/topology"
)

// treeChannels draws two rows of cells for each pair of levels: channels down and up.
func treeChannels(t *topology.FatTree, channels []Channel) figure.Scene {
	level := func(r topology.Router) int {
		l, _, _ := t.Place(r)
		return l
	}
	pairs := t.Levels() - 1
	strips := make([][]Channel, 2*pairs) // up and down of the lowest pair first
	for _, c := range channels {
		if a, b := level(c.From), level(c.To); a < b {
			strips[2*a] = append(strips[2*a], c)
		} else {
			strips[2*b+1] = append(strips[2*b+1], c)
		}
	}
	const width, high, pitch = 12.0, 0.9, 1.5
	s := figure.Scene{X: figure.Axis{Min: new(0.0), Max: new(width)},
		Y: figure.Axis{Min: new(0.0), Max: new(pitch * float64(len(strips)))}, Equal: true}
	for i, strip := range strips {
		y := pitch * float64(i)
		if i%2 == 1 {
			strip = byLowerRouter(t, strip)
		} else {
			strip = sortedBy(strip, func(c Channel) int { return int(c.From)*t.Ports() + int(c.Port) })
		}
		cell := width / float64(max(1, len(strip)))
		for n, c := range strip {
			s.Tiles = append(s.Tiles, figure.Tile{X0: cell * float64(n), X1: cell * float64(n+1), Y0: y,
				Y1: y + high, Fill: figure.Valued, Value: c.Value, Seamless: true})
		}
		name := fmt.Sprintf("up from level %d to %d", i/2, i/2+1)
		if i%2 == 1 {
			name = fmt.Sprintf("down from level %d to %d", i/2+1, i/2)
		}
		s.Strokes = append(s.Strokes, rectangle(0, y, width, y+high))
		s.Texts = append(s.Texts, figure.Text{X: width / 2, Y: y + (high+pitch)/2, Words: name,
			Width: width, Height: pitch - high})
	}
	return s
}

// byLowerRouter returns the channels down in the order of those up: by the lower router, then
// by its port.
func byLowerRouter(t *topology.FatTree, down []Channel) []Channel {
	ports := topology.Port(t.Ports())
	place := func(c Channel) int {
		for p := range ports {
			if r, q, ok := t.Peer(c.To, p); ok && r == c.From && q == c.Port {
				return int(c.To)*int(ports) + int(p)
			}
		}
		return math.MaxInt
	}
	return sortedBy(down, place)
}
