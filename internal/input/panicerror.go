package input

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
)

// A PanicError is a panic, of this program or of what was added to its registry.
type PanicError struct {
	// Value is what panic was called with.
	Value any
	// At is the function that panicked, with its file and line: the innermost one of the
	// program's own module, where that is not contend, or else the innermost.
	At string
	// Stack is the stack of the goroutine.
	Stack string
}

// Error is one line.
func (e *PanicError) Error() string {
	return singleLine(fmt.Sprintf("panic in %s: %v", e.At, e.Value))
}

// NewPanicError returns the error for a value of recover. The deferred function has to call it,
// which still has the stack of the panic.
func NewPanicError(value any) *PanicError {
	return &PanicError{Value: value, At: panickedAt(), Stack: string(debug.Stack())}
}

// panickedAt returns the function, file and line that panicked. A deferred function calls it.
func panickedAt() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	first, outside, panicked := "", "", false
	for {
		f, more := frames.Next()
		name := f.Function
		text := fmt.Sprintf("%s (%s:%d)", name, filepath.Base(f.File), f.Line)
		switch {
		case name == "runtime.gopanic":
			first, outside, panicked = "", "", true // of nested panics the outermost
		case !panicked || strings.HasPrefix(name, "runtime."):
		case outside == "" && isOutside(name):
			outside = text
		case outside != "" && strings.HasPrefix(name, module+"/"):
			return outside // called from here, unlike the function main
		}
		if first == "" && panicked && !strings.HasPrefix(name, "runtime.") {
			first = text
		}
		if !more {
			return first
		}
	}
}

// module is the path of contend's module.
var module = strings.TrimSuffix(reflect.TypeFor[PanicError]().PkgPath(), "/internal/input")

// isOutside reports whether a function belongs to a program of another module that imports contend.
func isOutside(function string) bool {
	info, ok := debug.ReadBuildInfo()
	return ok && info.Main.Path != module && (strings.HasPrefix(function, "main.") ||
		strings.HasPrefix(function, info.Main.Path+"/") ||
		strings.HasPrefix(function, info.Main.Path+"."))
}
