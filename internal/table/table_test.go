package table

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/parquet-go/parquet-go"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		of   Column
		text string
		want Value // empty means an error
	}{
		{Integer.Column("c", "", ""), "-12", Int(-12)},
		{Integer.Column("c", "", ""), "1.5", Value{}},
		{Integer.Column("c", "", ""), "", Value{}},
		{Number.Column("c", "", ""), "0.25", Exact(0.25)},
		{Number.Column("c", "", ""), "a", Value{}},
		{Boolean.Column("c", "", ""), "true", Bool(true)},
		{Boolean.Column("c", "", ""), "maybe", Value{}},
		{String.Column("c", "", ""), "", Text("")},
		{String.Column("c", "", "").OrEmpty(), "x", Text("x")},
	} {
		got, err := c.of.Parse(c.text)
		if got != c.want || (err != nil) != (c.want == Value{}) {
			t.Errorf("%s %q: %v, %v, want %v", c.of.Type, c.text, got, err, c.want)
		}
	}
	for _, typ := range []Type{Integer, Number, Boolean, String} {
		c := typ.Column("c", "", "").OrEmpty()
		if v, err := c.Parse(""); v != (Value{}) || err != nil {
			t.Errorf("an empty cell of the type %s is %v, %v", typ, v, err)
		}
	}
}

// A large table has several row groups, all rows in order, and the same bytes each time.
func TestManyRows(t *testing.T) {
	of := Table{Name: "many", Columns: []Column{Integer.Column("n", "", ""),
		String.Column("even", "", "").OrEmpty()}}
	write := func() []byte {
		var b bytes.Buffer
		out, err := NewParquetWriter(&b, &of, map[string]string{"a": "1", "b": "2", "c": "3"})
		if err != nil {
			t.Fatal(err)
		}
		for n := range int64(rowGroup + 10) {
			even := Text(fmt.Sprint("even-", n%10))
			if n%2 == 1 {
				even = Value{}
			}
			if err := out.Write(Int(n), even); err != nil {
				t.Fatal(err)
			}
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	text := write()
	if !bytes.Equal(text, write()) {
		t.Error("the same rows give other bytes")
	}
	file, err := parquet.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	if len(file.RowGroups()) != 2 {
		t.Errorf("%d row groups", len(file.RowGroups()))
	}
	in := parquet.NewReader(file)
	defer in.Close()
	row := make([]parquet.Row, 1)
	for n := range int64(rowGroup + 10) {
		if k, err := in.ReadRows(row); k != 1 {
			t.Fatalf("row %d: %v", n, err)
		}
		if row[0][0].Int64() != n || row[0][1].IsNull() != (n%2 == 1) {
			t.Fatalf("row %d is %v", n, row[0])
		}
	}
}

// The digests are those of Go's code without assembly. The library finds runs in four equal texts
// and four other ones with AVX2 if they stand in a dictionary, and else none.
func TestParquetIsTheSameOnEveryProcessor(t *testing.T) {
	of := Table{Name: "t", Columns: []Column{String.Column("text", "", ""),
		String.Column("some", "", "").OrEmpty(), Integer.Column("n", "", ""),
		Number.Column("x", "", "").OrEmpty(), Boolean.Column("b", "", "")}}
	var b bytes.Buffer
	out, err := NewParquetWriter(&b, &of, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range int64(3000) {
		row := []Value{Text(fmt.Sprint("text-", n/4%3)), {}, Int(n * n), Exact(float64(n) / 7),
			Bool(n/4%2 == 0)}
		if n/8%2 == 0 {
			row[1], row[3] = Text(fmt.Sprint(n/5)), Value{}
		}
		if err := out.Write(row...); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	const want = "da3c91ea74cef01491a47251cc35fc2fc748c98f68bb9482364673db6d9bb6f5"
	if got := fmt.Sprintf("%x", sha256.Sum256(b.Bytes())); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}
