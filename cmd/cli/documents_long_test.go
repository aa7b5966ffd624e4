//go:build long

package cli

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestLongDocumentsRun does what the documents say. Python finds the module contend.
// Words behind the language of a block tell what becomes of it, in the order of the
// document and in a folder of its own with a small log, mylog.swf:
//
//	file=NAME   it is written to a file
//	run         sh or python3 runs it, and must end with status 0
//	needs=M     the first python3 that has the module M runs it: that of the path or
//	            /usr/bin/python3; where neither has it the block is skipped
//	draws=F:G   it writes the file F, which is G of docs/figures
//	output      standard output of the block before; a line ... stands for any lines
func TestLongDocumentsRun(t *testing.T) {
	ran := 0
	for _, path := range documents(t) {
		blocks := blocksOf(t, path)
		if !slices.ContainsFunc(blocks, func(b block) bool { return b.has("run") }) {
			continue
		}
		ran++
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			runBlocks(t, path, blocks)
		})
	}
	if ran < 4 {
		t.Errorf("%d documents have commands to run", ran)
	}
}
