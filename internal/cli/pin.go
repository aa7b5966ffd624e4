package cli

import (
	"fmt"

	"contend/experiments"
)

// pin ties a study to its logs, and says which were taken and which machines
// they asked for.
func (a *app) pin(st *experiments.Study, traces []string) error {
	if err := st.PinMatrices(); err != nil {
		return err
	}
	if err := st.PinTrace(traces, a.names); err != nil {
		return err
	}
	for _, s := range st.Inputs {
		fmt.Fprintln(a.stderr, "contend:", s)
	}
	return nil
}
