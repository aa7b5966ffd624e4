package spec

import (
	"contend/experiments/spec/input"
	"contend/experiments/spec/machine"
)

// What nearly every package above asks of the rooms of this one has its name here too.
type (
	// InputError says what is wrong with an input of the user, see package input.
	InputError = input.Error
	// MissingError says which log a study needs, see package input.
	MissingError = input.MissingError
	// Field is a field of a Plan as a user knows it, see package input.
	Field = input.Field
	// Auto is a number, or "auto".
	Auto = input.Auto
	// MachineSpec is the section [machine], see package machine.
	MachineSpec = machine.Spec
	// Machine is the topology that the section describes, see package machine.
	Machine = machine.Machine
)

// Automatic is the value of "auto".
const Automatic = input.Automatic

// BadInput makes an InputError about a key.
func BadInput(key, right, problem string, args ...any) *InputError {
	return input.Bad(key, right, problem, args...)
}

// SortedKeys returns the keys of a map in order.
func SortedKeys[V any](m map[string]V) []string { return input.SortedKeys(m) }

// Functions of packages input and machine.
var (
	OneOf         = input.OneOf
	Join          = input.Join
	InUnit        = input.InUnit
	Exists        = input.Exists
	Unreadable    = input.Unreadable
	WriteFileWith = input.WriteFileWith
	Plural        = input.Plural
	FindTrace     = input.FindTrace
	LogName       = input.LogName
	BaseName      = input.BaseName
	Printable     = input.Printable
	Unwrap        = machine.Unwrap
)
