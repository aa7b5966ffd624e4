package figure

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
)

// WriteCSV writes the numbers behind the figure in long form, one line for each value, under the header
// series,x,y,y_low,y_high,published. x is the category where there are categories. A cell is empty where there is no
// number. Of a heat map, a series is a row and y the value of a cell.
func WriteCSV(w io.Writer, fig Figure) error {
	fig, err := fig.checked()
	if err != nil {
		return err
	}
	out := csv.NewWriter(w)
	lines := [][]string{{"series", "x", "y", "y_low", "y_high", "published"}}
	for _, s := range fig.Series {
		for i, y := range s.Y {
			x := strconv.Itoa(i)
			switch {
			case len(fig.Categories) > 0 && (fig.Kind == Bars || fig.Kind == HeatMap):
				x = fig.Categories[i]
			case s.X != nil:
				x = field(s.X[i])
			}
			line := []string{s.Name, x, field(y), "", "", ""}
			if s.Low != nil {
				line[3], line[4] = field(s.Low[i]), field(s.High[i])
			}
			if s.Published != nil {
				line[5] = field(s.Published[i])
			}
			lines = append(lines, line)
		}
	}
	return out.WriteAll(lines)
}

// field writes a number so that it reads back the same.
func field(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
