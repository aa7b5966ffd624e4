package spec

import (
	"contend/experiments/spec/input"
)

// changeLog clears the digest if the study names another log.
func (w *WorkloadSpec) changeLog(name string) {
	if w.Trace != "" && input.LogName(name) != input.LogName(w.Trace) {
		w.TraceSHA256 = ""
	}
}
