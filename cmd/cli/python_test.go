package cli

import (
	"os/exec"
	"testing"
)

// readsInside asks the module contend for the tables of packages that name files elsewhere. pandas
// is another one, which only says that it was called.
const readsInside = `
import json, os, pathlib, sys, types
frame = types.SimpleNamespace(attrs={})
sys.modules["pandas"] = types.SimpleNamespace(read_csv=lambda path, **_: frame,
                                              read_parquet=lambda path: frame)
import contend
folder = pathlib.Path("results")
(folder / "inner").mkdir(parents=True)
for name in folder / "a.csv", folder / "inner" / "b.csv", pathlib.Path("outside.csv"):
    name.write_text("x\n1\n")
os.symlink("../outside.csv", folder / "link.csv")
os.symlink("a.csv", folder / "within.csv")
os.symlink("..", folder / "up")
os.symlink(folder, "alias")
outside = str(pathlib.Path("outside.csv").resolve())
for path, good in [("a.csv", True), ("inner/b.csv", True), ("within.csv", True),
                   ("../outside.csv", False), ("inner/../../outside.csv", False),
                   ("inner/../a.csv", False), (outside, False), ("link.csv", False),
                   ("up/outside.csv", False), ("", False), (".", False), (7, False), (None, False)]:
    package = {"schema_version": 1, "resources": [
        {"name": "runs", "path": path, "format": "csv", "schema": {"fields": []}}]}
    (folder / "datapackage.json").write_text(json.dumps(package))
    for of in "results", "alias", folder.resolve():
        results = contend.Results(of)
        try:
            read = results.table("runs") is frame
        except ValueError as error:
            read = False
            assert "datapackage.json names" in str(error), error
        assert read == good, (path, read)
`

func TestModuleReadsInsideItsFolder(t *testing.T) {
	program := python("json")
	if program == "" {
		t.Skip("there is no python3")
	}
	command := exec.Command(program, "-c", readsInside)
	command.Dir, command.Env = t.TempDir(), withModule()
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
