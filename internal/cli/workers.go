package cli

import (
	"errors"
	"runtime"
	"strconv"

	"github.com/spf13/pflag"
)

// workers is the value of the flag --workers, at least 1.
type workers int

// String returns the number.
func (w *workers) String() string { return strconv.Itoa(int(*w)) }

// Type returns the kind of the value, as the help has it.
func (w *workers) Type() string { return "int" }

// Set reads the number.
func (w *workers) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return errors.New("give 1 or more")
	}
	*w = workers(n)
	return nil
}

// defineWorkers adds the flag --workers, by default the number of cores.
func defineWorkers(flags *pflag.FlagSet, n *int, usage string) {
	*n = runtime.NumCPU()
	flags.Var((*workers)(n), "workers", usage)
}
