package routes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/routes"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// ways collects the sequences of channels that packets of a routing may take.
type ways struct {
	w    *router.Wiring
	x    router.Routing
	name func(c router.Channel) (kind, class string)
	seen map[string][]string // by the kinds of links in turn
}

// from follows a packet that came by a channel.
func (k *ways) from(in router.Channel, h router.Header, kinds, classes string) {
	r := k.w.Enters(in)
	headers := []router.Header{h}
	if b, ok := k.x.(router.Branching); ok {
		headers = b.Branches(nil, r, in, h)
	}
	for _, h := range headers {
		for _, c := range k.x.Possible(nil, r, in, &h) {
			if k.w.Enters(c) >= 0 {
				kind, class := k.name(c)
				k.from(c, h, kinds+kind, classes+class)
			} else if !slices.Contains(k.seen[kinds], classes) {
				k.seen[kinds] = append(k.seen[kinds], classes)
			}
		}
	}
}

// Packets on a dragonfly take all classes of virtual channels that ascend and leave enough for the
// rest of a path, and no others. Par has a lowest class of local channels more.
func TestDetoursOnDragonfliesAscend(t *testing.T) {
	detours := map[string]string{"gg": "01", "lgg": "001", "glg": "011", "ggl": "012", "lglg": "0011",
		"lggl": "0012", "glgl": "0112", "lglgl": "00112"}
	minimal := map[string]string{"": "", "l": "0 1 2", "g": "0 1", "lg": "00 01 11",
		"gl": "01 02 12", "lgl": "001 002 012 112"}
	valiant := map[string]string{"": "", "l": "0 1 2"}
	par := map[string]string{"": "", "l": "0 1 2 3", "g": "0 1", "lg": "00 01", "gl": "02 03 13",
		"lgl": "002 003 013", "gg": "01", "lgg": "001 101", "glg": "021", "ggl": "013",
		"lglg": "0021 1021", "lggl": "0013 1013", "glgl": "0213", "lglgl": "00213 10213",
		"llgg": "0101", "llglg": "01021", "llggl": "01013", "llglgl": "010213"}
	for kinds, taken := range detours {
		minimal[kinds], valiant[kinds] = taken, taken
	}
	m := topologytest.Machine(t, "dragonfly:a4h2p1").(*topology.Dragonfly)
	for _, maker := range routes.Builtin() {
		want, ok := map[string]map[string]string{"valiant": valiant, "ugal-l": minimal,
			"ugal-g": minimal, "par": par}[maker.Name]
		if !ok || !maker.Suits(m) {
			continue
		}
		virtual := maker.VirtualChannels(m)
		w := router.NewWiring(m, virtual, 1)
		x := must.Have(maker.New(w, 1))
		k := ways{w, x, func(c router.Channel) (kind, class string) {
			l := w.LinkOf(c)
			from, to := w.Ends(l)
			if m.Group(from.Router) == m.Group(to.Router) {
				return "l", fmt.Sprint(c - w.First(l))
			}
			if int(c-w.First(l)) < virtual/2 {
				return "g", "0"
			}
			return "g", "1"
		}, map[string][]string{}}
		for from := range topology.Node(m.GroupRouters()) {
			for to := range topology.Node(m.Nodes()) {
				k.from(w.Injection(from), router.Header{Source: from, Destination: to}, "", "")
			}
		}
		for kinds := range want {
			slices.Sort(k.seen[kinds])
			if got := strings.Join(k.seen[kinds], " "); got != want[kinds] {
				t.Errorf("%s: paths %s take the classes %s, want %s", maker.Name, kinds, got, want[kinds])
			}
		}
		if len(k.seen) != len(want) {
			t.Errorf("%s: paths of %d kinds, want %d", maker.Name, len(k.seen), len(want))
		}
	}
}
