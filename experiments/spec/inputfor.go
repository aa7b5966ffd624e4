package spec

// By names the flag an error is about, if it is about one.
func (e *InputError) By(where string) *InputError {
	if where != "" {
		e.Where = where
	}
	return e
}
