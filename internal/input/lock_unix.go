//go:build unix && !solaris && !aix

package input

import (
	"errors"
	"os"
	"syscall"
)

// InUse takes the lock of a file until it is closed, or reports that another process holds it.
// Where the file system knows no locks, no file is in use.
func InUse(file *os.File) bool {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return errors.Is(err, syscall.EWOULDBLOCK)
}
