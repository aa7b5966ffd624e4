package plot

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// wrap breaks text into lines no wider than width. It uses the minimum number of lines
// and makes them about equally wide.
func wrap(sty draw.TextStyle, text string, width vg.Length) string {
	best := fill(sty, text, width)
	lines := strings.Count(best, "\n")
	if lines == strings.Count(text, "\n") {
		return best
	}
	for narrow := 0.95 * width; narrow > width/4 && narrow >= widestWord(sty, text); narrow *= 0.95 {
		filled := fill(sty, text, narrow)
		if strings.Count(filled, "\n") > lines {
			break
		}
		best = filled
	}
	return best
}

// fill breaks text into lines no wider than width. It breaks at spaces and after
// hyphens and slashes, and within a word only if nothing else helps.
func fill(sty draw.TextStyle, text string, width vg.Length) string {
	var lines []string
	for _, paragraph := range strings.Split(text, "\n") {
		line := ""
		for _, word := range words(paragraph) {
			if line == "" || sty.Width(strings.TrimRight(line+word, " ")) <= width {
				line += word
			} else {
				lines = append(lines, strings.TrimRight(line, " "))
				line = word
			}
			for sty.Width(strings.TrimRight(line, " ")) > width && utf8.RuneCountInString(line) > 1 {
				head := fitting(sty, line, width)
				lines = append(lines, head)
				line = line[len(head):]
			}
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.Join(lines, "\n")
}

// words splits text behind each place at which a line may end.
func words(text string) (out []string) {
	start := 0
	for i, r := range text {
		if r == ' ' || (r == '-' || r == '/') && i > start {
			out = append(out, text[start:i+1])
			start = i + 1
		}
	}
	return append(out, text[start:])
}

// fitting returns the longest prefix of text that is no wider than width, but at least
// one character.
func fitting(sty draw.TextStyle, text string, width vg.Length) string {
	end := 0
	for i, r := range text {
		next := i + utf8.RuneLen(r)
		if i > 0 && sty.Width(text[:next]) > width {
			break
		}
		end = next
	}
	return text[:end]
}

// widestWord returns the width below which wrap has to break words.
func widestWord(sty draw.TextStyle, text string) (widest vg.Length) {
	for _, paragraph := range strings.Split(text, "\n") {
		for _, w := range words(paragraph) {
			widest = max(widest, sty.Width(strings.TrimRight(w, " ")))
		}
	}
	return widest
}

// nameCategories labels the x axis with the names at 0, 1, 2, ..., slot apart. It tries
// a single line, then several lines, then slanted and then upright labels. left is the
// room to the left of the middle of the first name.
func nameCategories(axis *plot.Axis, names []string, slot, left vg.Length) error {
	sty := &axis.Tick.Label
	sty.Rotation, sty.XAlign, sty.YAlign = 0, draw.XCenter, draw.YTop
	var word, whole vg.Length
	for _, n := range names {
		word, whole = max(word, widestWord(*sty, n)), max(whole, sty.Width(n))
	}
	slantable := true
	for i, n := range names {
		slantable = slantable && sty.Width(n+"x")*math.Sqrt2/2 <= left+vg.Length(i)*slot
	}
	room := slot - clearance
	height := sty.Height("x")
	switch {
	case whole <= room, word <= room:
	case slot*math.Sqrt2/2 >= height && slantable:
		sty.Rotation = math.Pi / 4
	case slot >= height:
		sty.Rotation = math.Pi / 2
	default:
		return fmt.Errorf("figure: no room for the names of %d categories at this width", len(names))
	}
	ticks := make([]plot.Tick, len(names))
	for i, n := range names {
		if sty.Rotation == 0 {
			n = wrap(*sty, n, room)
		} else {
			// the space keeps gonum's rotated labels off the tick
			n = strings.ReplaceAll(n, "\n", " ") + " "
		}
		n = cmp.Or(n, " ") // gonum turns an empty label into a minor tick
		ticks[i] = plot.Tick{Value: float64(i), Label: n}
	}
	if sty.Rotation != 0 {
		sty.XAlign, sty.YAlign = draw.XRight, -0.4
	}
	axis.Tick.Marker = plot.ConstantTicks(ticks)
	return nil
}

// thinned returns ticks with the names at 0, 1, 2, ..., or with every second, fourth, fifth,
// tenth and so on if more do not fit.
func thinned(names []string, ok fits) []plot.Tick {
	for every := 1; ; every = nextOf1245(every) {
		var ticks []plot.Tick
		for i := 0; i < len(names); i += every {
			if names[i] != "" {
				ticks = append(ticks, plot.Tick{Value: float64(i), Label: names[i]})
			}
		}
		if len(ticks) < 2 || ok(ticks) {
			return ticks
		}
	}
}

// nextOf1245 returns the number after n in 1, 2, 4, 5, 10, 20, 40, 50, ...
func nextOf1245(n int) int {
	for unit := 1; ; unit *= 10 {
		for _, m := range []int{1, 2, 4, 5} {
			if m*unit > n {
				return m * unit
			}
		}
	}
}

// sideBySide returns the test whether labels fit along a horizontal axis of the given length.
func sideBySide(sty draw.TextStyle, s scale, length vg.Length) fits {
	return apart(s, length, func(label string) vg.Length { return sty.Width(label) + clearance })
}

// onTopOfEachOther returns the test whether labels fit along a vertical axis of the given
// length.
func onTopOfEachOther(sty draw.TextStyle, s scale, length vg.Length) fits {
	return apart(s, length, func(label string) vg.Length { return sty.Height(label) + clearance/2 })
}

// apart returns the test whether labels of the given sizes, centred at their ticks, do not
// touch.
func apart(s scale, length vg.Length, size func(string) vg.Length) fits {
	return func(ticks []plot.Tick) bool {
		end := vg.Length(math.Inf(-1))
		for _, t := range ticks {
			if t.IsMinor() {
				continue
			}
			at := length * vg.Length(s.tickPart(t.Value))
			half := size(t.Label) / 2
			if at-half < end {
				return false
			}
			end = at + half
		}
		return true
	}
}
