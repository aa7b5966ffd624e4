//go:build !unix || solaris || aix

package written

import "os"

// nonBlocking is 0: pipes have no names in folders on these systems.
const nonBlocking = 0

// locking reports whether the system has locks that end with their process.
const locking = false

// Lock reports true without a lock.
func Lock(*os.File) bool { return true }

// locks reports false.
func locks(*os.File) bool { return false }

// await does nothing.
func await(*os.File) {}
