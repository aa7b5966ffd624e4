// Own-routing is contend with a routing of its own: minimal-adaptive with escape
// channels.
package main

import (
	"contend"
	"contend/router"
	"contend/router/topology"

	"own-routing/adaptive"
)

func main() {
	r := contend.Builtin()
	r.Routings = append(r.Routings, contend.Routing{
		Name: adaptive.Name, Doc: "any shortest way, with dimension order to escape to",
		Source: "Duato 1993",
		Parameters: []contend.Parameter{{
			Name: "first", Type: contend.Word, Default: "most-credits",
			Choices: []string{"most-credits", "least-dimension"},
			Doc:     "the link that a packet tries first",
		}},
		Suits:           adaptive.Suits,
		VirtualChannels: func(topology.Topology) int { return 2 },
		New: func(v contend.Values, w *router.Wiring, _ topology.Topology,
			_ uint64) (router.Routing, error) {
			by := adaptive.MostCredits
			if v.Word("first") == "least-dimension" {
				by = adaptive.LeastDimension
			}
			return adaptive.New(w, by)
		},
	})
	contend.Main(r)
}
