package input

// Field is a field of a Plan as a user knows it: the key it was decoded from. A package
// below this one that refuses a value names the field; only constants of
// packages of the spec name keys.
type Field string

// Bad makes an Error about the field.
func (f Field) Bad(right, problem string, args ...any) *Error {
	return Bad(string(f), right, problem, args...)
}

// Refuse turns an error of another package into an Error about the field.
func (f Field) Refuse(err error) *Error { return f.Bad("", "%v", err) }
