package service_test

import (
	"encoding/json"
	"fmt"
	"log"

	"contend/experiments/config"
	"contend/experiments/service"
	"contend/experiments/sim"
)

// Two jobs share a row of a mesh.
func ExampleNetwork() {
	base := config.DefaultSpec()
	base.Machine.Dims = []int{4, 1}
	service, err := service.NewNetwork(&sim.Simulator{}, base, config.BuiltinNames(), "example", nil)
	if err != nil {
		log.Fatal(err)
	}
	var a struct {
		Now   int
		Ended []struct {
			Job      string
			Slowdown float64
		}
		Error string
	}
	for i, line := range []string{
		`{"start":"a","nodes":[0,2],"pattern":"ring","iterations":5}`,
		`{"start":"b","nodes":[1,3],"pattern":"ring"}`,
		`{"advance":"next","slowdown":true}`,
		`{"end":"c"}`,
	} {
		answer, _ := service.Answer(nil, []byte(line), i+1)
		if err := json.Unmarshal(answer, &a); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("cycle %d: %+v\n", a.Now, a.Ended)
	fmt.Println(a.Error)
	// Output:
	// cycle 130: [{Job:a Slowdown:1.5294117647058822}]
	// the job "c" does not run: give one that has started and not ended
}
