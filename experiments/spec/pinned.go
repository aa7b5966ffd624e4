package spec

// changeLog forgets the digest where another log is named.
func (w *WorkloadSpec) changeLog(name string) {
	if w.Trace != "" && LogName(name) != LogName(w.Trace) {
		w.TraceSHA256 = ""
	}
}
