package allocation

import (
	"testing"
)

// The rule of NearSquare compared with its definition, for all sizes on all machines up
// to 9x9.
func TestNearSquare(t *testing.T) {
	for width := 1; width <= 9; width++ {
		for height := 1; height <= 9; height++ {
			for size := 1; size <= width*height; size++ {
				wantW, wantH := plainNearSquare(size, width, height)
				w, h, ok := NearSquare(size, width, height)
				if !ok || w != wantW || h != wantH {
					t.Errorf("%d on %dx%d: %dx%d %v, want %dx%d", size, width, height, w, h, ok, wantW, wantH)
				}
			}
			if w, h, ok := NearSquare(width*height+1, width, height); ok {
				t.Errorf("%d on %dx%d: %dx%d", width*height+1, width, height, w, h)
			}
		}
	}
}

// plainNearSquare tries every width.
func plainNearSquare(size, machineWidth, machineHeight int) (width, height int) {
	for w := machineWidth; w >= 1; w-- {
		h := (size + w - 1) / w
		if h <= machineHeight && (width == 0 || max(w-h, h-w) < max(width-height, height-width)) {
			width, height = w, h
		}
	}
	return width, height
}
