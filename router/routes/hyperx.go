package routes

import "contend/router"

// hyperxMakers are the routings.
func hyperxMakers() []router.Maker { return []router.Maker{order, adaptive, hyperxValiant, ugal, dal} }
