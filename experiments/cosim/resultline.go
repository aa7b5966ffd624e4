package cosim

import (
	"strconv"
	"sync"
)

// metricPlaces says where in the table of metrics a name stands.
var metricPlaces = sync.OnceValue(func() map[string]int {
	places := map[string]int{}
	for i, info := range metricInfos {
		places[info.Name] = i
	}
	return places
})

// ParseResult reads the metrics as MarshalJSON writes them: one object without
// white space, in the order of the table. It reports false for anything else,
// which encoding/json has to judge. A folder of 100,000 runs opens five times as
// fast for it.
func ParseResult(text []byte) (Result, bool) {
	var r Result
	if len(text) < 2 || text[0] != '{' || text[len(text)-1] != '}' {
		return r, false
	}
	text = text[1 : len(text)-1]
	r.Metrics = make([]Metric, 0, metricsIn(text))
	for last := -1; len(text) > 0; {
		name, rest, ok := cutName(text)
		if !ok {
			return r, false
		}
		end := 0
		for end < len(rest) && rest[end] != ',' {
			end++
		}
		place, known := metricPlaces()[string(name)]
		value, fine := parseNumber(rest[:end])
		if !known || place <= last || !fine {
			return r, false
		}
		last = place
		r.Metrics = append(r.Metrics, Metric{metricInfos[place].Name, value})
		if end == len(rest) {
			return r, true
		}
		if text = rest[end+1:]; len(text) == 0 { // a comma with nothing behind it
			return r, false
		}
	}
	return r, false // MarshalJSON of no metrics is rare: left to encoding/json
}

func metricsIn(text []byte) int {
	n := 1
	for _, c := range text {
		if c == ',' {
			n++
		}
	}
	return n
}

// cutName cuts `"name":` off; names have no escapes.
func cutName(text []byte) (name, rest []byte, ok bool) {
	if text[0] != '"' {
		return nil, nil, false
	}
	for i := 1; i+1 < len(text); i++ {
		switch text[i] {
		case '\\':
			return nil, nil, false
		case '"':
			return text[1:i], text[i+2:], text[i+1] == ':'
		}
	}
	return nil, nil, false
}

// parseNumber reads a number of JSON; it refuses what only strconv would take.
func parseNumber(text []byte) (float64, bool) {
	digits := func(i int) int {
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			i++
		}
		return i
	}
	first := 0
	if len(text) > 0 && text[0] == '-' {
		first = 1
	}
	i := digits(first)
	if i == first || i > first+1 && text[first] == '0' {
		return 0, false
	}
	if i < len(text) && text[i] == '.' {
		end := digits(i + 1)
		if end == i+1 {
			return 0, false
		}
		i = end
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		if i++; i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		i = digits(i) // none is an error of strconv too
	}
	if i < len(text) {
		return 0, false
	}
	x, err := strconv.ParseFloat(string(text), 64)
	return x, err == nil
}
