// Package openloop simulates bare networks, without jobs.
//
// RunNet measures curves of latency over offered load under open-loop traffic
// (contend net), and WriteNet, WriteNetCSV and NetTable present them. RunBench
// measures the speed of the engines (contend bench) in wall-clock time, which no
// result of a study contains.
package openloop
