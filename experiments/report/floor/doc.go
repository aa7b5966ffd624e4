// Package floor draws machines: where their nodes, routers and channels are on a page. It turns a
// topology into the plain tiles, lines and texts of package plot, which knows no machines.
//
// A [Plan] has a place for each node, a [ChannelMap] shows a value of each channel between routers,
// and a [MachineMap] has both for the page of a report.
//
// For example, the plan of a mesh of 4 x 3 routers with a node each is 4 wide and 3 high. Node 5 is
// in column 1 and row 1, and its cell is the square from (1, 1) to (2, 2), with y upwards. A
// channel from node 5 to node 6 is a bar between the two, below the line that joins them: traffic
// keeps to the right.
package floor
