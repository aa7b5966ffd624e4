// Own-topology is contend with a topology of its own, a ring of rings, and the routing
// for it.
package main

import (
	"contend"
	"contend/router"
	"contend/router/topology"

	"own-topology/ringofrings"
)

func main() {
	r := contend.Builtin()
	r.Topologies = append(r.Topologies, contend.Topology{
		Name: "ring-of-rings", Doc: "rings of routers, the first router of each in a ring too",
		Parameters: []contend.Parameter{
			{Name: "rings", Type: contend.Integer, Default: "4", Min: "3"},
			{Name: "size", Type: contend.Integer, Default: "5", Min: "3", Unit: "routers",
				Doc: "routers of a ring"},
		},
		Routings: []string{ringofrings.RoutingName},
		New: func(v contend.Values) (topology.Topology, error) {
			t, err := ringofrings.New(v.Int("rings"), v.Int("size"))
			if err != nil {
				return nil, err
			}
			return t, nil
		},
	})
	ring := ringofrings.Routing()
	r.Routings = append(r.Routings, contend.Routing{
		Name: ring.Name, Doc: ring.Doc,
		Suits: ring.Suits, VirtualChannels: ring.VirtualChannels,
		New: func(_ contend.Values, w *router.Wiring, _ topology.Topology,
			seed uint64) (router.Routing, error) {
			return ring.New(w, seed)
		},
	})
	contend.Main(r)
}
