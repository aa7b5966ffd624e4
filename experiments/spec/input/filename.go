package input

import "strings"

// mostNameBytes is the length up to which names of files may have endings on all file systems.
const mostNameBytes = 200

// CheckFileName refuses a name, at a path of the study, that cannot be that of a file in the
// output folder.
func CheckFileName(name, at string) *Error {
	if strings.Trim(name, ". ") == "" || strings.ContainsAny(name, `/\`) {
		return Bad(at, "give a name that a file can have, without folders", "%s is %q", at, name)
	}
	if len(name) > mostNameBytes {
		return Bad(at, "give a shorter file name", "%s has %d bytes", at, len(name))
	}
	return CheckPrintable(name, at)
}

// InFileName returns a text as part of the name of a file, such as a pattern with its parameters.
func InFileName(text string) string {
	return strings.NewReplacer(":", "-", "/", "-", `\`, "-").Replace(text)
}
