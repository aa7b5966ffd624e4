// Package limits says what figures can show on a printed page: widths, shapes, numbers of series,
// and characters. Package plot refuses a figure beyond a limit when it draws; a study is checked
// against the same limits before its first run, without the code that draws.
//
// For example, a study with width_mm = 500 is refused, since 500 > [MaxWidthMM], and so is one
// that prints 天 in place of the value of an axis, since [CheckText] finds no glyph for it.
package limits

import (
	"fmt"
	"sync"
	"unicode/utf8"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/sfnt"
)

// Bounds of the width of a page, and the widths of a column and of a page of a paper of two
// columns, in millimetres.
const (
	MinWidthMM = 20
	MaxWidthMM = 400

	OneColumnMM = 84.0
	TwoColumnMM = 174.0
)

// Bounds of the ratio of height to width of the data.
const (
	MinAspect = 0.05
	MaxAspect = 20
)

// MaxSeries is the number of series of a figure that can be told apart, also in grey and by
// colour-blind readers. No two of them share a colour, a dash, a glyph or a hatch.
const MaxSeries = 9

// sans returns the font of all texts, Liberation Sans.
var sans = sync.OnceValue(func() *sfnt.Font {
	font, err := sfnt.Parse(liberationsansregular.TTF)
	if err != nil {
		panic("limits: " + err.Error())
	}
	return font
})

// CheckText refuses a text with characters for which the font has no glyph.
func CheckText(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("figure: text %q: not UTF-8", text)
	}
	var buf sfnt.Buffer
	for _, r := range text {
		if i, err := sans().GlyphIndex(&buf, r); r != '\n' && (err != nil || i == 0) {
			return fmt.Errorf("figure: text %q: the font has no glyph for %q", text, r)
		}
	}
	return nil
}
