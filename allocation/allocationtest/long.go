//go:build long

package allocationtest

// Long says that tests take their time.
const Long = true
