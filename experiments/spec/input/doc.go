// Package input reads what users write (TOML, names, files, logs) and says in one line what is
// wrong with it and what would be right.
package input
