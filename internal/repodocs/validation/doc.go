// Package validation writes docs/VALIDATION.md, which compares every number that a paper printed
// with the measured one, and the sentences about accuracy in README.md.
package validation
