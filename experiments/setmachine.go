package experiments

import (
	"fmt"
	"strings"

	"contend/experiments/spec"
)

// SetMachine sets the keys of [machine] that a short form stands for: see
// machineKeys.
func (st *Study) SetMachine(short string, names spec.Names) error {
	keys, problem := spec.MachineKeys(short)
	if problem != nil {
		return problem
	}
	for _, key := range spec.SortedKeys(keys) {
		if err := st.Set(key, strings.ReplaceAll(fmt.Sprint(keys[key]), " ", ", "),
			names); err != nil {
			err := err.(*spec.InputError)
			err.Where = "--machine " + short
			return err
		}
	}
	return nil
}
