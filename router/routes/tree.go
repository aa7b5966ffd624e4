package routes

import "contend/router"

// treeMakers are the routings.
func treeMakers() []router.Maker { return append(upDowns[:len(upDowns):len(upDowns)], upByCredits) }
