// Package booksim reads configurations of BookSim 2: what each setting means in the keys of this
// program, what has no meaning here, and what differs by how much.
package booksim
