// Package tune searches the parameters with which an allocator breaks ties, as
// contend tune does [Johnson, Bunde and Leung 2010].
//
// A Tuner expands a study by vectors of parameters, runs them, and searches near
// the best ones. Tuning has all trials, their table and their clusters. The
// package uses package experiments to run and store; it does not know how the
// allocator breaks ties.
package tune
