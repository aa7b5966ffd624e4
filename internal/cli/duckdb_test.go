package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// askDuckDB holds the Parquet files of a folder against its CSV files, as DuckDB reads
// them. Numbers in CSV have three decimals or nine digits.
const askDuckDB = `
const duckdb = require("@duckdb/node-api");
const near = (a, b) => a === b || Math.abs(a - b) <= 1e-3 + 1e-8 * Math.abs(b);
async function main() {
  const db = await (await duckdb.DuckDBInstance.create()).connect();
  const ask = async (query) => {
    const answer = await db.runAndReadAll(query);
    return [answer.columnNames(), answer.getRowsJson()];
  };
  for (const name of ["runs", "wide", "jobs"]) {
    const [names, lines] = await ask("select * from read_csv('out/" + name + ".csv')");
    const [columns, rows] = await ask("select * from 'out/" + name + ".parquet'");
    if (String(names) !== String(columns)) throw name + ": " + names + " and " + columns;
    if (rows.length < 16 || rows.length !== lines.length) throw name + ": " + rows.length + " rows";
    rows.forEach((row, n) => row.forEach((cell, i) => {
      if (String(cell) !== String(lines[n][i]) && !near(Number(cell), Number(lines[n][i])))
        throw name + ": row " + n + ", " + names[i] + ": " + cell + " and " + lines[n][i];
    }));
  }
  const [, [[unit]]] = await ask("select f->>'unit' from (select unnest(from_json(" +
    "decode(value)->'fields', '[\"json\"]')) as f from parquet_kv_metadata('out/wide.parquet')" +
    " where decode(key) = 'contend.schema') where f->>'name' = 'wait_time'");
  if (unit !== "cycles") throw "the unit of wait_time is " + unit;
}
main().catch((e) => { console.error(e); process.exit(1); });
`

// smallStudy has messages, axes of three types and two replications.
const smallStudy = `
name = "small"
[machine]
dims = [4, 4]
[workload]
jobs = 20
side.max = 3
[allocator]
name = "first-fit"
[runs]
replications = 2
[[axes]]
key = "allocator.rotate"
values = [false, true]
[[axes]]
key = "network.buffer_flits"
values = [1, 4]
[[axes]]
key = "job.pattern"
values = ["ring", "all-to-all"]
`

// DuckDB reads what the CSV files hold from the Parquet files. The test needs node with
// the package @duckdb/node-api, which NODE_PATH may point to.
func TestDuckDBReadsParquet(t *testing.T) {
	if err := exec.Command("node", "-e", `require("@duckdb/node-api")`).Run(); err != nil {
		t.Skipf("there is no node with the package @duckdb/node-api: %v", err)
	}
	dir := t.TempDir()
	study := filepath.Join(dir, "small.toml")
	if err := os.WriteFile(study, []byte(smallStudy), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"contend", "run", "small.toml", "-o", "out", "--jobs-csv", "--no-progress"},
		{"node", "-e", askDuckDB},
	} {
		command := exec.Command(args[0], args[1:]...)
		command.Dir = dir
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", args[0], err, out)
		}
	}
}
