package stats

import (
	"github.com/google/go-cmp/cmp/cmpopts"
)

// tiny lets numbers differ by rounding.
var tiny = cmpopts.EquateApprox(0, 1e-6)
