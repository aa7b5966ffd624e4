package floorplan

import (
	"contend/netsim/topology"
)

// layers are the layers of a grid in rows, the first at the top left. A layer takes wide by high
// with the room for its heading; gap is the room beside it.
type layers struct {
	count, columns, rows int
	wide, high, gap      float64
	width, height        float64 // of all of them
}

func newLayers(count, columns int, wide, high, gap float64) *layers {
	rows := (count + columns - 1) / columns
	return &layers{count, columns, rows, wide, high, gap,
		float64(columns)*(wide+gap) - gap, float64(rows) * high}
}

// corner returns the lower left corner of a layer, with y upwards.
func (l *layers) corner(layer int) (x, y float64) {
	return float64(layer%l.columns) * (l.wide + l.gap),
		l.height - float64(layer/l.columns+1)*l.high
}

// at returns the lower left corner of a router's cell, neighbours 1 apart.
func (l *layers) at(g topology.Grid, r topology.Router) (x, y float64) {
	x, y = l.corner(layerNumber(g, r))
	return x + float64(g.Coordinate(r, 0)), y + float64(g.Coordinate(r, 1))
}
