// The numbers of a job or a channel.

// numbers returns a table of one row of a recorded table.
function numbers(data, row, units, clock, skip) {
  const body = make("tbody");
  for (const name of Object.keys(data)) {
    const value = data[name][row];
    if (skip.includes(name) || value === null || value === undefined) continue;
    const unit = units[name] === "clock" ? clock : units[name] || "";
    body.append(make("tr", {}, make("th", { scope: "row" }, name.replaceAll("_", " ")),
      make("td", { class: "number" }, text(value)), make("td", {}, unit)));
  }
  return make("table", {}, body);
}

// showJob describes a job, with a map of its own.
function showJob(parent, player, machine, run, job) {
  const map = emptyMap(machine, `Nodes of job ${job.number}`);
  map.svg.querySelectorAll("text").forEach(function (t) { t.remove(); });
  map.layers.jobs.append(shape("path", { class: "job", fill: `var(--job${job.colour})`,
    d: squares(machine, job.spans, 0.15) }));
  parent.replaceChildren(
    make("h4", {}, `Job ${job.number}`),
    make("p", { class: "note" }, `Nodes ${text(run.data.nodes[job.index]).replaceAll(",", ", ")}`),
    make("div", { class: "mini" }, map.svg),
    numbers(run.data, job.index, player.units, run.point.clock, ["job", "nodes"]));
}

// showLink describes a channel at a time.
function showLink(parent, player, machine, run, link, t) {
  const number = machine.links.number[link];
  const parts = [make("h4", {}, linkName(machine, link))];
  if (run.load) {
    const load = loadAt(run, t).get(number) || 0;
    parts.push(make("p", {}, `Load now: ${text(load)}%, a mean over a bin of time`));
  }
  if (run.links && run.links.rows.has(number)) {
    parts.push(make("p", { class: "note" }, "Over the whole run:"),
      numbers(run.links.data, run.links.rows.get(number), player.units, run.point.clock, ["link"]));
  } else if (!run.load) {
    parts.push(make("p", {}, "The loads of channels were not recorded, or are not in the page."));
  }
  parent.replaceChildren(...parts);
}

// showNode describes a free node.
function showNode(parent, player, machine, run, node) {
  const parts = [make("h4", {}, `Node ${node}`), make("p", {}, "It is free at this time.")];
  for (const [name, list] of [["from", machine.injection], ["to", machine.ejection]]) {
    const row = run.links && list ? run.links.rows.get(list[node]) : undefined;
    if (row === undefined) continue;
    parts.push(make("p", { class: "note" }, `The channel ${name} the node, over the whole run:`),
      numbers(run.links.data, row, player.units, run.point.clock, []));
  }
  parent.replaceChildren(...parts);
}

// showRunning lists the jobs that run; chosen is called with the one that is clicked.
function showRunning(parent, state, clock, chosen) {
  const most = 15, body = make("tbody");
  for (const job of state.running.slice(0, most)) {
    const button = make("button", { type: "button", "aria-label": `Job ${job.number}` },
      text(job.number));
    button.addEventListener("click", function () { chosen(job); });
    const colour = shape("svg", { viewBox: "0 0 1 1", "aria-hidden": "true" },
      shape("path", { class: "job", fill: `var(--job${job.colour})`, d: "M0 0h1v1h-1z" }));
    const cells = [job.nodes, job.start, job.end].map(function (value) {
      return make("td", { class: "number" }, text(value));
    });
    body.append(make("tr", {}, make("td", {}, colour, " ", button), ...cells));
  }
  const names = ["job", "nodes", `start (${clock})`, `end (${clock})`];
  const head = make("tr", {}, ...names.map(function (name) {
    return make("th", { scope: "col" }, name);
  }));
  const parts = [make("p", { class: "note" }, "Click a job or a channel to see its numbers."),
    make("table", {}, make("caption", {}, "Jobs that run now"), make("thead", {}, head), body)];
  const more = state.running.length - most;
  if (more > 0) parts.push(make("p", { class: "note" }, `and ${more} more`));
  parent.replaceChildren(...parts);
}
