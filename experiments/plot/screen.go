package plot

import (
	"fmt"
	"math"

	"contend/experiments/config"

	"contend/router"
	"contend/router/topology"
)

// Screen is a map of a machine as the player draws it. The distance of neighbouring routers is
// 1, x runs to the right and y down.
type Screen struct {
	Name  string  `json:"name"`
	Nodes int     `json:"nodes"`
	Size  float64 `json:"size"` // side of a node's square
	// Width and Height are those of the whole map.
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	// X and Y are the centres of the nodes.
	X []float64 `json:"x"`
	Y []float64 `json:"y"`
	// Dots are the centres of routers that are drawn by themselves, x and y in turn.
	Dots []float64 `json:"dots,omitempty"`
	// Frames are headings of parts of the map.
	Frames []frame `json:"frames,omitempty"`
	// Routers are the names of the routers, nil where numbers do.
	Routers []string `json:"routers,omitempty"`
	// Links are the channels between routers.
	Links links `json:"links"`
	// Injection and Ejection have the first channel from and to each node.
	Injection []int `json:"injection,omitempty"`
	Ejection  []int `json:"ejection,omitempty"`
}

// frame is a heading at a place of the map.
type frame struct {
	Text string  `json:"text"`
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
}

// links are channels between routers, a value of each field for each channel.
type links struct {
	Number []int `json:"number"` // as in links.csv
	From   []int `json:"from"`   // router it leaves
	To     []int `json:"to"`     // router it enters
	// Line has the ends of the line that stands for the channel: x1, y1, x2, y2.
	Line []float64 `json:"line"`
}

// Limits of what a map shows.
const (
	mostNodes = 65536
	mostLinks = 40000
)

// placer says where the parts of a machine are on its map.
type placer interface {
	// place fills in the nodes, the headings and the size of the map.
	place(m *Screen)
	// line returns the line of the channel from a router to another one.
	line(m *Screen, from, to router.End) [4]float64
}

// NewScreen returns the map of a run's machine.
func NewScreen(plan *config.Plan) *Screen {
	t := plan.Machine
	m := &Screen{Name: MachineName(plan), Nodes: t.Nodes(), X: []float64{}, Y: []float64{},
		Links: links{[]int{}, []int{}, []int{}, []float64{}}}
	if m.Nodes > mostNodes {
		m.Width, m.Height = 40, 2
		m.Frames = []frame{{fmt.Sprintf("no map: the machine has more than %d nodes", mostNodes), 1, 1}}
		return m
	}
	channels := plan.Job.Run == config.RunMessages
	p := placerOf(t, channels)
	m.X, m.Y = make([]float64, m.Nodes), make([]float64, m.Nodes)
	p.place(m)
	if channels {
		m.addLinks(plan, p)
	}
	m.round()
	return m
}

// MachineName returns the name of a run's machine for a reader.
func MachineName(plan *config.Plan) string {
	return fmt.Sprintf("%s %s, %d nodes", plan.Topology, plan.Size, plan.Machine.Nodes())
}

// placerOf returns the way to draw a topology, with or without its channels.
func placerOf(t topology.Topology, channels bool) placer {
	if tree, ok := topology.FatTreeOf(t); ok {
		return newTreePlaces(tree)
	}
	if t, ok := t.(topology.Grid); ok {
		side := wideSide
		if channels {
			side = nodeSide
		}
		return newGridPlaces(t, side)
	}
	return &stripPlaces{topology: t}
}

// addLinks adds the channels of the run's network.
func (m *Screen) addLinks(plan *config.Plan, p placer) {
	t, c := plan.Machine, &plan.Network
	w := router.NewNodeWiring(t, max(1, c.VirtualChannels), max(1, c.NodeVirtualChannels),
		max(1, c.InjectionPorts))
	if w.Links() > mostLinks {
		return
	}
	for n := range topology.Node(m.Nodes) {
		m.Injection = append(m.Injection, int(w.LinkOf(w.Injection(n))))
		m.Ejection = append(m.Ejection, int(w.LinkOf(w.Ejection(n))))
	}
	if named, ok := config.Unwrap(t).(topology.Labelled); ok {
		for r := range topology.Router(t.Routers()) {
			m.Routers = append(m.Routers, named.Label(r))
		}
	}
	for l := range router.Link(w.Links()) {
		if w.Kind(l) != router.Network {
			continue
		}
		from, to := w.Ends(l)
		line := p.line(m, from, to)
		m.Links.Number = append(m.Links.Number, int(l))
		m.Links.From = append(m.Links.From, int(from.Router))
		m.Links.To = append(m.Links.To, int(to.Router))
		m.Links.Line = append(m.Links.Line, line[:]...)
	}
}

// round rounds all places to what a screen can show.
func (m *Screen) round() {
	for _, list := range [][]float64{m.X, m.Y, m.Dots, m.Links.Line} {
		for i, x := range list {
			list[i] = round(x)
		}
	}
	m.Size, m.Width, m.Height = round(m.Size), round(m.Width), round(m.Height)
	for i := range m.Frames {
		m.Frames[i].X, m.Frames[i].Y = round(m.Frames[i].X), round(m.Frames[i].Y)
	}
}

func round(x float64) float64 { return math.Round(x*1000) / 1000 }
