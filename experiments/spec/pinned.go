package spec

// changeLog clears the digest if the study names another log.
func (w *WorkloadSpec) changeLog(name string) {
	if w.Trace != "" && LogName(name) != LogName(w.Trace) {
		w.TraceSHA256 = ""
	}
}
