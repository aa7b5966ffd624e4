package input

// Field is the key that a field of config.Plan is decoded from, by which users know the field.
type Field string

// Bad makes an Error about the field.
func (f Field) Bad(right, problem string, args ...any) *Error {
	return Bad(string(f), right, problem, args...)
}

// Refuse returns the error of another package as an Error about the field.
func (f Field) Refuse(err error) *Error { return f.Bad("", "%v", err) }
