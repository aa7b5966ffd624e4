// Package floorplan says where nodes, routers and channels of a machine are drawn, and which
// colours areas beside each other get.
package floorplan
