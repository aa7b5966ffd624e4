// Package openloop simulates bare networks, without jobs.
//
// RunNet measures curves of latency over offered load under open-loop traffic (contend net).
// WriteNet, WriteNetCSV and NetTable present them.
package openloop
