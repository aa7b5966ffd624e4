package openloop

import (
	"fmt"
	"strings"

	"contend/experiments/decimal"
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
