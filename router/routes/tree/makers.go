// Package tree has the routings of trees and fat trees.
package tree

import "contend/router"

// Makers are the routings.
func Makers() []router.Maker { return append(upDowns[:len(upDowns):len(upDowns)], upByCredits) }
