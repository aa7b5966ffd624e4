package spec

// decisionName is the value of scheduler.decision as the spec keeps it: the
// short form the allocator itself would print, so that an allocator has one
// name and its runs one hash.
func decisionName(text string, names Names) (string, *InputError) {
	if text == "" {
		return "", nil
	}
	a, err := ParseAllocator(text, names)
	if _, own := names.Registry().find("allocators", text); own && err == nil {
		return a.Name, nil
	}
	if err == nil {
		err = a.Check()
	}
	if err != nil {
		err.Key = "scheduler.decision"
		return "", err
	}
	return a.String(), nil
}
