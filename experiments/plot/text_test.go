package plot

import (
	"bytes"
	"compress/zlib"
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"contend/internal/must"
)

// labelsOf lists the lines of text on the page of a figure.
func labelsOf(t *testing.T, fig Figure) (all []string) {
	t.Helper()
	l := must.Have(fig.arrange())
	for _, label := range recorded(l).labels {
		all = append(all, label.text)
	}
	return all
}

// described returns a figure with text outside of ASCII, turned text and text that file
// formats have to escape.
func described() Figure {
	fig := latencySample()
	fig.title = "16 × 16, µ = λ ≤ 1 & (a) \\ {b} 100% #1_2"
	fig.Series[0].Name = "Uniform <drawn>"
	fig.Series[1].Name = "AVATAR Ünï"
	fig.Subject, fig.Description = "Latency & load", "Curves of <six> patterns"
	return fig
}

func TestSVGKeepsText(t *testing.T) {
	var texts []string
	var title, desc string
	type text struct {
		Length float64 `xml:"textLength,attr"`
		Size   float64 `xml:"font-size,attr"`
		Words  string  `xml:",chardata"`
	}
	d := xml.NewDecoder(bytes.NewReader(drawnAs(t, described(), "svg")))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := token.(xml.StartElement)
		switch {
		case !ok:
		case e.Name.Local == "title":
			d.DecodeElement(&title, &e)
		case e.Name.Local == "desc":
			d.DecodeElement(&desc, &e)
		case e.Name.Local == "text":
			var got text
			must.Do(d.DecodeElement(&got, &e))
			texts = append(texts, got.Words)
			want, _ := strconv.ParseFloat(hundredths(sans(labelSize).Width(got.Words)), 64)
			if got.Size == float64(labelSize) && got.Length != want {
				t.Errorf("%q: textLength %g, want %g", got.Words, got.Length, want)
			}
		}
	}
	if title != "Latency & load" || desc != "Curves of <six> patterns" {
		t.Errorf("title %q, desc %q", title, desc)
	}
	if want := labelsOf(t, described()); !slices.Equal(texts, want) {
		t.Errorf("texts %q, want %q", texts, want)
	}
}

// The text of PDF can be found without other tools: in the content, as UTF-16 for a subset
// of a font that is in the file.
func TestPDFKeepsText(t *testing.T) {
	pdf := drawnAs(t, described(), "pdf")
	var content bytes.Buffer
	for _, m := range regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`).FindAllSubmatch(pdf, -1) {
		if r, err := zlib.NewReader(bytes.NewReader(m[1])); err == nil {
			io.Copy(&content, r)
		}
	}
	for _, label := range labelsOf(t, described()) {
		var code []byte
		for _, u := range utf16.Encode([]rune(label)) {
			code = append(code, byte(u>>8), byte(u))
		}
		escaped := strings.NewReplacer("\\", "\\\\", "(", "\\(", ")", "\\)",
			"\r", "\\r").Replace(string(code))
		if !bytes.Contains(content.Bytes(), []byte("("+escaped+") Tj")) {
			t.Errorf("no text %q", label)
		}
	}
	for _, want := range []string{`/FontFile2 `, `/ToUnicode `,
		`/BaseFont /[A-Z]{6}\+LiberationSans\n`} {
		if ok, _ := regexp.Match(want, pdf); !ok {
			t.Errorf("no %s in the file", want)
		}
	}
	if most := 60_000; len(pdf) > most {
		t.Errorf("%d bytes, more than %d: the whole font is in the file", len(pdf), most)
	}
}
