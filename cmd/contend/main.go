// Command contend simulates processor allocation and network contention: jobs
// on a machine whose interconnection network is simulated flit by flit.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }
