package service_test

import (
	"fmt"
	"log"
	"strings"

	"contend/experiments/config"
	"contend/experiments/service"
	"contend/experiments/sim"
)

// Two jobs share a row of a mesh. An allocator chooses the nodes of the first.
func Example() {
	base := config.DefaultSpec()
	base.Machine.Dims = []int{4, 1}
	service, err := service.New(&sim.Simulator{}, service.Config{Base: base, Allocator: base.Allocator,
		Names: config.Builtin()})
	if err != nil {
		log.Fatal(err)
	}
	for i, line := range []string{
		`{"allocate":"a","size":2}`,
		`{"start":"a","pattern":"ring","iterations":5}`,
		`{"start":"b","nodes":[3,2],"pattern":"ring"}`,
		`{"advance":"next"}`,
		`{"end":"c"}`,
	} {
		answer, good := service.Answer([]byte(line), i+1)
		begin, _, _ := strings.Cut(string(answer), `],"measures"`)
		begin, _, _ = strings.Cut(begin, `,"start"`)
		fmt.Println(good, begin)
	}
	// Output:
	// true {"nodes":[0,1
	// true {"now":0,"job":"a"}
	// true {"now":0,"job":"b"}
	// true {"now":70,"ended":[{"job":"a"
	// false {"line":5,"error":"the job \"c\" does not run: give one that has started and not ended"}
}
