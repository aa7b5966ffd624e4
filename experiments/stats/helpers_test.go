package stats

import (
	"github.com/google/go-cmp/cmp/cmpopts"
)

var tiny = cmpopts.EquateApprox(0, 1e-6)
