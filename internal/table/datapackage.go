package table

import (
	"encoding/json"
	"io"
	"slices"
)

// PackageFile is the name of the file that describes the tables of a folder.
const PackageFile = "datapackage.json"

// Profiles of the Data Package standard, version 2.
const (
	packageProfile = "https://datapackage.org/profiles/2.0/datapackage.json"
	tableProfile   = "https://datapackage.org/profiles/2.0/tableschema.json"
)

// dataPackage is a Data Package, and resource one of its tables. The properties
// schema_version, parquet and unit are not of the standard, which allows others.
type dataPackage struct {
	Profile       string     `json:"$schema"`
	Name          string     `json:"name"`
	Title         string     `json:"title,omitempty"`
	SchemaVersion int        `json:"schema_version"`
	Resources     []resource `json:"resources"`
}

type resource struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Path        string `json:"path"`
	Parquet     string `json:"parquet,omitempty"` // the file with the same table as Parquet
	Format      string `json:"format"`
	MediaType   string `json:"mediatype"`
	Encoding    string `json:"encoding,omitempty"`
	Description string `json:"description"`
	Schema      schema `json:"schema"`
}

// schema is a Table Schema, and field one of its columns.
type schema struct {
	Profile string    `json:"$schema"`
	Fields  []field   `json:"fields"`
	Missing []string  `json:"missingValues"`
	Key     []string  `json:"primaryKey,omitempty"`
	Foreign []foreign `json:"foreignKeys,omitempty"`
}

// foreign is a foreign key: columns that name a row of another table.
type foreign struct {
	Fields    []string `json:"fields"`
	Reference struct {
		Resource string   `json:"resource"`
		Fields   []string `json:"fields"`
	} `json:"reference"`
}

type field struct {
	Name        string       `json:"name"`
	Type        Type         `json:"type"`
	Unit        string       `json:"unit,omitempty"`
	Description string       `json:"description,omitempty"`
	Constraints *constraints `json:"constraints,omitempty"`
}

type constraints struct {
	Required bool `json:"required"`
}

// schema returns the Table Schema of the table.
func (t *Table) schema() schema {
	s := schema{Profile: tableProfile, Missing: []string{""}, Key: t.Key}
	if t.Of != "" {
		f := foreign{Fields: t.OfKey}
		f.Reference.Resource, f.Reference.Fields = t.Of, t.OfKey
		s.Foreign = []foreign{f}
	}
	for _, c := range t.Columns {
		if c.Nullable && slices.Contains(t.Key, c.Name) {
			s.Key = nil // the standard wants a value in every column of a key
		}
		f := field{Name: c.Name, Type: c.Type, Unit: c.Unit, Description: c.Meaning}
		if !c.Nullable {
			f.Constraints = &constraints{Required: true}
		}
		s.Fields = append(s.Fields, f)
	}
	return s
}

// Described is a table in a Data Package.
type Described struct {
	Table
	// Parquet says that there is also a Parquet file of the table, and NoCSV that there is no other.
	Parquet, NoCSV bool
}

// WritePackage writes a Data Package: the tables of a study as CSV files, with the type,
// the unit and the meaning of every column.
func WritePackage(w io.Writer, study, title string, tables []Described) error {
	p := dataPackage{Profile: packageProfile, Name: study, Title: title,
		SchemaVersion: SchemaVersion}
	for i := range tables {
		t := &tables[i]
		r := resource{Name: t.Name, Type: "table", Path: t.Name + ".csv", Format: "csv",
			MediaType: "text/csv", Encoding: "utf-8", Description: "One row for each " + t.Row + ".",
			Schema: t.schema()}
		if t.Parquet {
			r.Parquet = t.Name + ".parquet"
		}
		if t.NoCSV {
			r.Path, r.Format, r.Encoding = r.Parquet, "parquet", ""
			r.MediaType = "application/vnd.apache.parquet"
		}
		p.Resources = append(p.Resources, r)
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	return out.Encode(p)
}
