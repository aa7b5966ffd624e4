// Command contend simulates processor allocation and network contention: jobs
// on a machine whose interconnection network is simulated flit by flit.
package main

import "contend"

func main() { contend.Main(contend.Builtin()) }
