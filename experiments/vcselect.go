package experiments

import "contend/router"

// vcSelects are the values of network.vc_select.
var vcSelects = map[string]router.VCSelect{
	"most-credits": router.SelectMostCredits,
	"round-robin":  router.SelectRoundRobin,
	"first":        router.SelectFirst,
	"random":       router.SelectRandom,
}
