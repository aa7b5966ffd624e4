package table_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/parquet-go/parquet-go"

	"contend/internal/table"
)

// trains is a small table.
var trains = table.Table{Name: "trains", Row: "train", Key: []string{"number"},
	Columns: []table.Column{
		table.Integer.Column("number", "", "number of the train"),
		table.Number.Column("delay", "s", "by how much it is late").OrEmpty(),
	}}

func ExampleWritePackage() {
	err := table.WritePackage(os.Stdout, "line-1", "", []table.Described{{Table: trains}})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// {
	//  "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
	//  "name": "line-1",
	//  "schema_version": 1,
	//  "resources": [
	//   {
	//    "name": "trains",
	//    "type": "table",
	//    "path": "trains.csv",
	//    "format": "csv",
	//    "mediatype": "text/csv",
	//    "encoding": "utf-8",
	//    "description": "One row for each train.",
	//    "schema": {
	//     "$schema": "https://datapackage.org/profiles/2.0/tableschema.json",
	//     "fields": [
	//      {
	//       "name": "number",
	//       "type": "integer",
	//       "description": "number of the train",
	//       "constraints": {
	//        "required": true
	//       }
	//      },
	//      {
	//       "name": "delay",
	//       "type": "number",
	//       "unit": "s",
	//       "description": "by how much it is late"
	//      }
	//     ],
	//     "missingValues": [
	//      ""
	//     ],
	//     "primaryKey": [
	//      "number"
	//     ]
	//    }
	//   }
	//  ]
	// }
}

func ExampleParquetWriter() {
	var b bytes.Buffer
	out, err := table.NewParquetWriter(&b, &trains, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	late, number := table.InUnit(12.5, "s"), table.Int(101)
	for _, row := range [][]table.Value{{number, late}, {number, {}}, {{}, late}, {late, late}} {
		if err := out.Write(row...); err != nil {
			fmt.Println(err)
		}
	}
	if err := out.Close(); err != nil {
		fmt.Println(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	fmt.Println(file.NumRows(), "rows", err)
	fmt.Println(file.Schema())
	// Output:
	// table: no value in the column number, which must have one
	// table: a value of type number in the column number of type integer
	// 2 rows <nil>
	// message trains {
	// 	required int64 number (INT(64,true));
	// 	optional double delay;
	// }
}
