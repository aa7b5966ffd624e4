// docs/validation has a page for each study that compares every number
// that a paper printed with the measured one. From these pages it writes docs/VALIDATION.md, which
// has a line for each, and the sentences about accuracy in README.md. So a page can be rewritten
// without the results of the others.

package main
