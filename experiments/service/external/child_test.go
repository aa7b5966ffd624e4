package external

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"contend/allocation"
	"contend/internal/lifetime"
	"contend/internal/must"
	"contend/router/topology/topologytest"
)

// TestMain makes the test binary the programs that the tests ask: with the first argument child it
// answers as the second one says.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "child" {
		os.Exit(answerAs(os.Args[2]))
	}
	os.Exit(m.Run())
}

// asked has the keys of lines that the programs of the tests read.
type asked struct {
	Free   json.RawMessage
	Size   int
	Now    int64
	Events []struct{ Submit, End, Start, Refused, Timer *int64 }
}

// answerAs answers lines as a way of answering says. It returns the exit status.
func answerAs(way string) int {
	in := bufio.NewReader(os.Stdin)
	for n := 0; ; n++ {
		line, err := in.ReadString('\n')
		if err != nil && way == "endless" {
			time.Sleep(time.Hour)
		}
		if err != nil {
			return 0
		}
		var r asked
		if n > 0 {
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				return 9
			}
		}
		if script, is := strings.CutPrefix(way, "says:"); is { // one answer a line, the last for ever
			answers := strings.Split(script, ";")
			answer := answers[min(n, len(answers)-1)]
			fmt.Println(strings.ReplaceAll(answer, "NEXT", strconv.FormatInt(r.Now+1, 10)))
			continue
		}
		if way == "slow to start" && n == 0 {
			time.Sleep(time.Second)
		}
		switch {
		case way == "exit" && n == 2, way == "exit at once":
			fmt.Fprintln(os.Stderr, "Traceback: no such thing")
			return 3
		case way == "late" && n == 2, way == "late at once":
			time.Sleep(time.Hour)
		case way == "deaf" && n == 2:
			os.Stdin.Close()
			os.Stdout.Close()
			time.Sleep(time.Hour)
		case way == "twice" && n == 1:
			fmt.Println(`{"nodes":[0,1]}` + "\n" + `{"nodes":[2,3]}`)
		case way == "long":
			fmt.Println(strings.Repeat("[", 3<<20))
		case n == 0:
			fmt.Println("{}")
		default:
			fmt.Println(firstFree(&r))
		}
	}
}

// firstFree gives the first nodes that are free.
func firstFree(r *asked) string {
	var free []int
	if err := json.Unmarshal(r.Free, &free); err != nil || len(free) < r.Size {
		return `{"refused":"too few"}`
	}
	text, _ := json.Marshal(free[:r.Size])
	return `{"nodes":` + string(text) + `}`
}

// childCommand returns the command of a program of the tests.
func childCommand(t testing.TB, options, way string) string {
	t.Helper()
	program := must.Have(os.Executable())
	return strings.TrimSpace(options + " " + Command{Words: []string{program, "child", way},
		Deadline: defaultSeconds * time.Second, Start: startSeconds * time.Second}.String())
}

// siteOf returns a mesh of 4x4 with the life of a run that ends with the test.
func siteOf(t testing.TB) (allocation.Site, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	life := lifetime.New(ctx)
	t.Cleanup(func() { life.End(); cancel() })
	return allocation.Site{Machine: topologytest.Mesh(t, 4, 4), Kind: "mesh", Run: life}, cancel
}
