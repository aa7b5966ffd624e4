package openloop

import (
	"fmt"
	"strings"

	"contend/experiments/spec"
	"contend/internal/decimal"
)

// silentNotes says at which loads of which curves no packet was created.
func silentNotes(curves []curve) (notes []string) {
	for _, k := range curves {
		if len(k.silent) == 0 {
			continue
		}
		var loads []string
		for _, load := range k.silent {
			loads = append(loads, decimal.Significant(load, 4))
		}
		what := fmt.Sprintf("%s on %s %s", k.Traffic, k.Plan.Topology, k.Plan.Size)
		if k.Replication > 0 {
			what += fmt.Sprintf(", replication %d,", k.Replication)
		}
		notes = append(notes, fmt.Sprintf("%s has no row for the load %s: no packet was created in "+
			"the measurement window", what, strings.Join(loads, ", ")))
	}
	return notes
}

// CheckSelf refuses workload.self_messages where no node sends to itself under any traffic.
func (c *NetConfig) CheckSelf() error {
	if !c.Spec.Workload.SelfMessages {
		return nil
	}
	patterns, err := netPatterns(c.Traffic)
	if err != nil {
		return err
	}
	for _, p := range patterns {
		if k, _ := p.Kind(); k.Self {
			return nil
		}
	}
	return spec.BadInput("workload.self_messages", "leave it out", "workload.self_messages has no "+
		"effect: no node sends to itself under %s", strings.Join(c.Traffic, ", "))
}
