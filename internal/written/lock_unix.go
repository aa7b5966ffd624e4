//go:build unix && !solaris && !aix

package written

import (
	"errors"
	"os"
	"syscall"
)

// nonBlocking is the flag with which opening a pipe without a reader returns an error.
const nonBlocking = syscall.O_NONBLOCK

// locking reports whether the system has locks that end with their process.
const locking = true

// Lock locks a file until it is closed. It reports false if another process holds the lock. On a
// file system without locks it reports true.
func Lock(file *os.File) bool {
	return !errors.Is(flock(file, syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

// locks reports whether the file system of file supports locks. On success the file is locked.
func locks(file *os.File) bool { return flock(file, syscall.LOCK_EX|syscall.LOCK_NB) == nil }

// await locks a file until it is closed. It waits until other processes release the lock. On a file
// system without locks it returns at once.
func await(file *os.File) { flock(file, syscall.LOCK_EX) }

// flock makes the system call flock and repeats it after signals.
func flock(file *os.File, how int) error {
	for {
		err := syscall.Flock(int(file.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
