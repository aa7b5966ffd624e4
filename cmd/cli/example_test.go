package cli_test

import (
	"fmt"
	"os"

	"contend/cmd/cli"
	"contend/experiments/metrics"
)

func ExampleRun() {
	status := cli.Run([]string{"pattern", "ring", "--processes", "8"}, os.Stdout, os.Stdout,
		metrics.Builtin())
	fmt.Println("exit status", status)
	// Output:
	// pattern  processes  messages  bytes  bytes a message  partners  iterations
	// ring     8          8         512    64.0             1         -
	// exit status 0
}
