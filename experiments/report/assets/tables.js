// Tables that a click on a heading sorts.

// sortKey is the number at the beginning of a cell, else its text. Cells without text go last.
function sortKey(row, column) {
  const cell = row.cells[column].textContent.trim();
  const number = parseFloat(cell.replace(/^</, ""));
  return { text: cell, number: number, none: cell === "" };
}

function compareCells(a, b, down) {
  if (a.none || b.none) return a.none - b.none;
  let order = 0;
  if (isNaN(a.number) || isNaN(b.number)) order = a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
  else order = a.number - b.number;
  return down ? -order : order;
}

function sortTable(table, column, heading) {
  const down = heading.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = Array.from(body.rows, function (row) {
    return { row: row, key: sortKey(row, column) };
  });
  rows.sort(function (a, b) { return compareCells(a.key, b.key, down); });
  body.append(...rows.map(function (r) { return r.row; }));
}

for (const table of document.querySelectorAll("table.sortable")) {
  Array.from(table.tHead.rows[0].cells).forEach(function (heading, column) {
    const button = make("button", { type: "button" }, heading.textContent);
    heading.replaceChildren(button);
    button.addEventListener("click", function () { sortTable(table, column, heading); });
  });
}
