package routes

import "contend/router"

// graphMakers are the routings.
func graphMakers() []router.Maker { return []router.Maker{upDown, lash, shortest, ecmp} }
