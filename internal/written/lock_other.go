//go:build !unix || solaris || aix

package written

import "os"

// nonBlocking is nothing: pipes have no names in folders.
const nonBlocking = 0

// locking says that there are no locks.
const locking = false

// Lock reports true: there is no lock that ends with its process.
func Lock(*os.File) bool { return true }

// locks reports false.
func locks(*os.File) bool { return false }

// await does nothing.
func await(*os.File) {}
