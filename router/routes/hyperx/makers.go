// Package hyperx has the routings of HyperX networks.
package hyperx

import "contend/router"

// Makers are the routings.
func Makers() []router.Maker { return []router.Maker{order, adaptive, valiant, ugal, dal} }
