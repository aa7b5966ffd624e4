// Package machine builds the machine that the section [machine] of a study describes: topologies
// from keys, their sizes as text, graphs, and the distances on topologies that count none.
package machine
