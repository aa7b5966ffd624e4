package cosim

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"contend/allocation/order"
	"contend/experiments/spec"
	"contend/experiments/spec/input"
)

// OrderTable returns a table of the orders of the nodes of a plan's machine, compared by the
// objective of the optimized order.
func OrderTable(plan *spec.Plan) (string, error) {
	costs, err := order.Costs(plan.Machine)
	if err != nil {
		return "", &input.Error{Problem: err.Error()}
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "order\tobjective\tper node\tof row-major\t")
	for _, c := range costs {
		share := "-"
		if costs[0].Cost > 0 { // row-major is the first, on any machine
			share = fmt.Sprintf("%.1f%%", 100*c.Cost/costs[0].Cost)
		}
		each := c.Cost / float64(plan.Machine.Nodes())
		fmt.Fprintf(w, "%s\t%.1f\t%.3f\t%s\t\n", c.Name, c.Cost, each, share)
	}
	w.Flush()
	fmt.Fprintf(&b, "The objective is the sum over pairs of nodes of their distance in hops "+
		"times a weight that halves with every\n"+
		"four ranks between them and is 0 beyond 24; less is better (leung2002 sec. 2.2). "+
		"Machine: %s %s, %d nodes.\n",
		plan.Topology, plan.Size, plan.Machine.Nodes())
	return b.String(), nil
}
