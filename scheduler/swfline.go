package scheduler

import (
	"math"
	"strconv"

	"contend/internal/input"
)

// parseLine sets the fields of a line from a text that is not blank, and checks them.
func (l *SWF) parseLine(s *SWFLine, text []byte) *input.Error {
	fields := 0
	for i := 0; i < len(text); {
		if isBlank(text[i]) {
			i++
			continue
		}
		end := i + 1
		for end < len(text) && !isBlank(text[end]) {
			end++
		}
		if fields < swfFields || fields == l.format.NodesField-1 {
			v, ok := parseNumber(text[i:end])
			if !ok {
				return l.badSWFField(s.Line, fields,
					"is %.40q: it should be a number, or -1 where unknown", text[i:end])
			}
			if fields < swfFields {
				s.Fields[fields] = v
			} else if s.nodes = int32(v); float64(s.nodes) != v {
				return l.badSWFField(s.Line, fields,
					"is %v: it should be a whole number of nodes, at most %d", v, maxProcessors)
			}
		}
		fields++
		i = end
	}
	if err := l.checkCount(fields, s.Line); err != nil {
		return err
	}
	return l.checkLine(s)
}

// checkCount refuses a line with fewer fields than the format has, or with more than the standard
// if the format names none of them. The latter error has the key SWFFormat.NodesField.
func (l *SWF) checkCount(fields, line int) (err *input.Error) {
	named, text := l.format.NodesField, countText(fields, "field", "fields")
	switch {
	case named > 0 && fields < named:
		err = l.bad(line, "%s: field %d should have the number of nodes", text, named)
	case named == 0 && fields != swfFields:
		if err = l.bad(line, "%s: a line of an SWF log has 18", text); fields > swfFields {
			err.Key = "SWFFormat.NodesField"
		}
	}
	return err
}

// checkLine refuses values that no job can have.
func (l *SWF) checkLine(s *SWFLine) *input.Error {
	f := &s.Fields
	if id := f[swfJob]; id != math.Trunc(id) || math.Abs(id) > maxWhole {
		return l.badSWFField(s.Line, swfJob, "is %v: it should be a whole number", id)
	}
	if f[swfSubmit] < 0 && f[swfSubmit] != -1 {
		return l.badSWFField(s.Line, swfSubmit, "is %v: it should be the seconds since the start of the "+
			"log, 0 or more, or -1 where unknown", f[swfSubmit])
	}
	for _, i := range [...]int{swfSubmit, swfWait, swfRun, swfEstimate} {
		if math.Abs(f[i]) > maxSeconds {
			return l.badSWFField(s.Line, i, "is %v: it should be a time in seconds, at most %v", f[i],
				maxSeconds)
		}
	}
	for _, i := range [...]int{swfAllocated, swfRequested} {
		if f[i] != math.Trunc(f[i]) || math.Abs(f[i]) > maxProcessors {
			return l.badSWFField(s.Line, i, "is %v: it should be a whole number of processors, at most %d",
				f[i], maxProcessors)
		}
	}
	return nil
}

// isBlank reports whether a byte separates fields.
func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' }

// parseNumber parses a decimal number. Numbers of up to fifteen digits, as nearly all
// are, need one exact division; other numbers go to strconv. Infinities, NaN and
// hexadecimal numbers are refused.
func parseNumber(b []byte) (float64, bool) {
	digits := b
	negative := b[0] == '-'
	if negative {
		digits = b[1:]
	}
	mantissa, places, point := 0.0, 1.0, false
	for _, c := range digits {
		switch {
		case '0' <= c && c <= '9':
			mantissa = mantissa*10 + float64(c-'0')
			if point {
				places *= 10
			}
		case c == '.' && !point:
			point = true
		default:
			return parseLong(b)
		}
	}
	if len(digits) == 0 || len(digits) > 15 || digits[len(digits)-1] == '.' || digits[0] == '.' {
		return parseLong(b)
	}
	if negative {
		mantissa = -mantissa
	}
	return mantissa / places, true // both whole and below 2^53: correctly rounded
}

// parseLong parses a decimal number of any length.
func parseLong(b []byte) (float64, bool) {
	for _, c := range b {
		if (c < '0' || c > '9') && c != '+' && c != '-' && c != '.' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(b), 64)
	return v, err == nil
}
