package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/metrics"
	"contend/internal/input"
	"contend/netsim"
	"contend/router"
	"contend/router/topology"
)

// nodeShare is a node with its share of the waits for other jobs.
type nodeShare struct {
	node  int
	share float64
}

// sayPlaces lists the nodes on whose paths heads waited for other jobs. The waits at a channel are
// divided equally among the pairs of the job's nodes whose packets take it on an empty machine, and
// between the two nodes. That says where the job waits, not where it would wait on other nodes.
func (w *waitReport) sayPlaces() error {
	foreign := w.foreignCycles()
	if foreign == 0 {
		return nil
	}
	nodes, err := metrics.ParseNodes(w.jobs.Text(w.row, "nodes"))
	if err != nil {
		return w.jobs.Damaged(w.row, err.Error())
	}
	plan, err := w.plan()
	if err != nil {
		return err
	}
	net, err := netsim.New(plan.Network)
	if err != nil {
		return err
	}
	list := w.nodeShares(net, nodes)
	sum, shown := 0.0, []string(nil)
	for _, n := range list[:min(len(list), maxNamed)] {
		if sum >= foreign/2 || n.share < foreign/float64(len(nodes)) {
			break
		}
		sum += n.share
		shown = append(shown, strconv.Itoa(n.node))
	}
	if shown == nil {
		w.say("\nThese waits are spread evenly over the paths of its nodes.\n")
		return nil
	}
	w.say("\nOn the paths of %s (%s) are %s of the waits for other jobs.\n",
		input.Plural(len(shown), "node"), strings.Join(shown, ", "), percent(sum, foreign))
	return nil
}

// nodeShares divides the waits for other jobs among nodes, the largest share first.
func (w *waitReport) nodeShares(net *netsim.Network, nodes []int) []nodeShare {
	nodes = nodes[:min(len(nodes), maxPathNodes)]
	users := map[router.Link][][2]int{}
	for i, a := range nodes {
		for k, b := range nodes {
			if i == k {
				continue
			}
			for _, l := range net.UncontendedLinks(router.Header{Source: topology.Node(a),
				Destination: topology.Node(b)}) {
				users[l] = append(users[l], [2]int{i, k})
			}
		}
	}
	list := make([]nodeShare, len(nodes))
	for i, n := range nodes {
		list[i].node = n
	}
	for _, x := range w.waits {
		link, err := strconv.Atoi(x.channel.Link)
		if err != nil || !x.foreign() {
			continue
		}
		pairs := users[router.Link(link)]
		for _, p := range pairs {
			half := x.cycles / float64(len(pairs)) / 2
			list[p[0]].share += half
			list[p[1]].share += half
		}
	}
	slices.SortStableFunc(list, func(a, b nodeShare) int { return cmp.Compare(b.share, a.share) })
	return list
}
