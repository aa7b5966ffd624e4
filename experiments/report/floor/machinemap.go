package floor

import (
	"fmt"
	"math"

	"contend/experiments/config"
	"contend/experiments/plot"
	"contend/router"
	"contend/router/topology"
)

// MachineMap is the drawing of a machine on a page: the nodes of its Plan, and its channels
// as a ChannelMap draws them, in a plane between the nodes and else beside or below them. Places
// are in units of the floor, with y downwards.
type MachineMap struct {
	Name  string `json:"name"`
	Nodes int    `json:"nodes"`
	// Width and Height are those of the whole map.
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	// Cells has x, y, width and height of each node in turn; none if there are too many nodes.
	Cells []float64 `json:"cells"`
	// Outlines are the rectangles of routers, as Cells.
	Outlines []float64 `json:"outlines,omitempty"`
	// About says how to read the map.
	About string `json:"about,omitempty"`
	// Headings name parts of the map.
	Headings []heading `json:"headings,omitempty"`
	// Routers are the names of the routers, nil where numbers do.
	Routers []string `json:"routers,omitempty"`
	// Links are the channels between routers.
	Links links `json:"links"`
	// Injection and Ejection have the first channel from and to each node.
	Injection []int `json:"injection,omitempty"`
	Ejection  []int `json:"ejection,omitempty"`
	// Floor is the floor plan that the map shows.
	Floor *Plan `json:"-"`
}

// heading is a text with its middle.
type heading struct {
	Text string  `json:"text"`
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
}

// links are channels between routers, a value of each of the first three fields for each channel.
type links struct {
	Number []int `json:"number"` // as in links.csv
	From   []int `json:"from"`   // router it leaves
	To     []int `json:"to"`     // router it enters
	// Tiles are rectangles of channels: index of the channel, x, y, width and height in turn.
	Tiles []float64 `json:"tiles"`
	// Lines are lines of channels: index of the channel, then x and y of each point.
	Lines [][]float64 `json:"lines,omitempty"`
}

// Limits of what a map shows.
const (
	maxMapNodes = 65536
	maxMapLinks = 40000
)

// partGap is the distance between the nodes and the channels of a map that draws them apart.
const partGap = 1.0

// NewMachineMap returns the map of a run's machine, with its channels if the run sends messages.
func NewMachineMap(plan *config.Plan) *MachineMap {
	f := NewPlan(plan.Machine)
	m := &MachineMap{Name: MachineName(plan), Nodes: plan.Machine.Nodes(), Width: f.Width,
		Height: f.Height, Cells: []float64{}, Floor: f, About: sentence(f.Below),
		Links: links{[]int{}, []int{}, []int{}, []float64{}, nil}}
	if m.Nodes > maxMapNodes {
		m.Width, m.Height = 40, 2
		m.Headings = []heading{{fmt.Sprintf("no map: the machine has more than %d nodes", maxMapNodes),
			20, 1}}
		return m
	}
	var channels []Channel
	if plan.Job.Run == config.RunMessages {
		channels = m.addLinks(plan)
	}
	if len(channels) == 0 {
		m.addFloor(nil)
	} else if g, ok := gridOf(plan.Machine); ok && layersOf(g.Dims()).count == 1 {
		m.addFloor(g)
		m.About = gridText(g)
		m.addChannels(gridChannels(g, channels), view{scale: 1, height: f.Height}, false)
	} else {
		m.addFloor(nil)
		s, how := channelScene(topology.Unwrap(plan.Machine), channels)
		m.About += how
		m.addApart(s)
	}
	return m
}

// sentence returns a label with a full stop and a space, nothing for none.
func sentence(label string) string {
	if label == "" {
		return ""
	}
	return label + ". "
}

// MachineName returns the name of a run's machine for a reader.
func MachineName(plan *config.Plan) string {
	return fmt.Sprintf("%s %s, %d nodes", plan.Topology, plan.Size, plan.Machine.Nodes())
}

// view is the transform from places of a scene, with y upwards, to places of the map.
type view struct {
	x, y   float64 // upper left corner of the scene on the map
	scale  float64
	height float64 // of the scene, in its own units
}

// at returns the place on the map.
func (v view) at(x, y float64) (float64, float64) {
	return round(v.x + x*v.scale), round(v.y + (v.height-y)*v.scale)
}

// box returns x, y, width and height of a rectangle on the map.
func (v view) box(x0, y0, x1, y1 float64) []float64 {
	x, y := v.at(x0, y1)
	return []float64{x, y, round((x1 - x0) * v.scale), round((y1 - y0) * v.scale)}
}

// round rounds a place to what a page can show.
func round(x float64) float64 { return math.Round(x*1000) / 1000 }

// addFloor draws the nodes. Those of a grid are shrunk to the squares of its routers, which
// leaves room for channels between them.
func (m *MachineMap) addFloor(g topology.Grid) {
	f := m.Floor
	v := view{scale: 1, height: f.Height}
	for n, c := range f.Cells {
		box := v.box(c.X, c.Y, c.X+c.W, c.Y+c.H)
		if g != nil {
			r, _ := g.Attach(topology.Node(n))
			first, _ := g.NodesAt(r)
			box = v.shrunk(box, f.Cells[first].X+0.5, c.Y+0.5)
		}
		m.Cells = append(m.Cells, box...)
	}
	for _, o := range f.Outlines {
		box := v.box(o.X0, o.Y0, o.X1, o.Y1)
		if g != nil {
			box = v.shrunk(box, o.X0+0.5, o.Y0+0.5)
		}
		m.Outlines = append(m.Outlines, box...)
	}
	m.addTexts(f.Headings, v)
}

// shrunk moves a box towards a place of the scene, by the share of its cell that a router takes.
func (v view) shrunk(box []float64, x, y float64) []float64 {
	const share = 2 * routerHalf
	x, y = v.at(x, y)
	return []float64{round(x + share*(box[0]-x)), round(y + share*(box[1]-y)), round(share * box[2]),
		round(share * box[3])}
}

// addTexts adds texts of a scene as headings.
func (m *MachineMap) addTexts(texts []plot.Text, v view) {
	for _, t := range texts {
		x, y := v.at(t.X, t.Y)
		m.Headings = append(m.Headings, heading{t.Words, x, y})
	}
}

// addLinks lists the channels of the run's network, none if there are too many. The value of each
// is its index, from 1.
func (m *MachineMap) addLinks(plan *config.Plan) (channels []Channel) {
	t, c := plan.Machine, &plan.Network
	w := router.NewNodeWiring(t, max(1, c.VirtualChannels), max(1, c.NodeVirtualChannels),
		max(1, c.InjectionPorts))
	if w.Links() > maxMapLinks {
		return nil
	}
	for n := range topology.Node(m.Nodes) {
		m.Injection = append(m.Injection, int(w.LinkOf(w.Injection(n))))
		m.Ejection = append(m.Ejection, int(w.LinkOf(w.Ejection(n))))
	}
	if named, ok := topology.Unwrap(t).(topology.Labelled); ok {
		for r := range topology.Router(t.Routers()) {
			m.Routers = append(m.Routers, named.Label(r))
		}
	}
	for l := range router.Link(w.Links()) {
		if w.Kind(l) != router.Network {
			continue
		}
		from, to := w.Ends(l)
		m.Links.Number = append(m.Links.Number, int(l))
		m.Links.From = append(m.Links.From, int(from.Router))
		m.Links.To = append(m.Links.To, int(to.Router))
		channels = append(channels, Channel{From: from.Router, To: to.Router, Port: from.Port,
			Value: float64(len(m.Links.Number))})
	}
	return channels
}

// channelScene returns the channels as a ChannelMap draws them; a row for each port and a column
// for each router of a machine that has no other drawing.
func channelScene(t topology.Topology, channels []Channel) (plot.Scene, string) {
	s, how, ok := ChannelMap{Channels: channels}.layOut(t)
	if ok {
		return s, how
	}
	high := 1.0
	for _, c := range channels {
		x, y := float64(c.From), float64(c.Port)
		high = max(high, y+1)
		s.Tiles = append(s.Tiles, plot.Tile{X0: x, X1: x + 1, Y0: y, Y1: y + 1, Fill: plot.Valued,
			Value: c.Value})
	}
	s.X.Max, s.Y.Max = new(float64(t.Routers())), new(high)
	return s, matrixText
}

// addApart draws the channels below the nodes, or beside them where these are high.
func (m *MachineMap) addApart(s plot.Scene) {
	wide, high := *s.X.Max, *s.Y.Max
	v := view{scale: m.Width / wide, height: high, y: m.Height + partGap}
	if m.Height > 0.6*m.Width {
		v = view{scale: m.Height / high, height: high, x: m.Width + partGap}
	}
	m.addChannels(s, v, true)
	m.Width, m.Height = max(m.Width, v.x+wide*v.scale), max(m.Height, v.y+high*v.scale)
}

// addChannels draws the channels of a scene, and its routers and texts where it stands apart.
func (m *MachineMap) addChannels(s plot.Scene, v view, apart bool) {
	for _, tile := range s.Tiles {
		box := v.box(tile.X0, tile.Y0, tile.X1, tile.Y1)
		if tile.Fill == plot.Valued {
			m.Links.Tiles = append(append(m.Links.Tiles, tile.Value-1), box...)
		} else if apart {
			m.Outlines = append(m.Outlines, box...)
		}
	}
	for _, k := range s.Strokes {
		if !k.Valued {
			continue
		}
		line := []float64{k.Value - 1}
		for i := range k.X {
			x, y := v.at(k.X[i], k.Y[i])
			line = append(line, x, y)
		}
		m.Links.Lines = append(m.Links.Lines, line)
	}
	if apart {
		m.addTexts(s.Texts, v)
	}
}
