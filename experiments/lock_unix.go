//go:build unix && !solaris && !aix

package experiments

import (
	"errors"
	"os"
	"syscall"
)

// inUse takes the lock of a file, or reports that another process holds it. Where
// the file system knows no locks, nobody is refused.
func inUse(file *os.File) bool {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return errors.Is(err, syscall.EWOULDBLOCK)
}
