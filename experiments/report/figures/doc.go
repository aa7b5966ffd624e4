// Package figures draws the results of a study: the figures that the study lists, figures of what
// runs recorded over time and place, and matrices of communication.
package figures
