package scheduler

import "fmt"

// FieldError is an error in a field of a configuration, or with an argument of
// a function. A program that reads configurations from a file knows the field under
// another name and puts that name before Problem.
type FieldError struct {
	// Field is the field with its type, such as SyntheticConfig.Side.Min, or the
	// argument with its function, such as Shake.spread.
	Field string
	// Problem says what is wrong and what would be right. It continues a sentence that
	// begins with the name of the field.
	Problem string
}

func (e *FieldError) Error() string { return e.Field + " " + e.Problem }

// badField makes a FieldError.
func badField(field, problem string, args ...any) error {
	return &FieldError{field, fmt.Sprintf(problem, args...)}
}
