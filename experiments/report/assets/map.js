// The map of a machine: who has which node, and how busy the channels are.

const lineWidths = [0.4, 0.7, 1, 1.3, 1.6, 2]; // of lines by load, in hundredths of the map

// loadLevel is the class of a load: 0 for none, 1 to 5 for fifths of the largest one.
function loadLevel(load, most) {
  if (!(load > 0) || !(most > 0)) return 0;
  return Math.min(5, Math.max(1, Math.ceil(5 * load / most - 1e-9)));
}

// box returns the path of a rectangle: x, y, width and height from an index of a list.
function box(list, i, grow) {
  const wide = list[i + 2] + 2 * grow, high = list[i + 3] + 2 * grow;
  return `M${(list[i] - grow).toFixed(3)} ${(list[i + 1] - grow).toFixed(3)}h${wide}v${high}h${-wide}z`;
}

// squares returns the path of the rectangles of nodes, larger by a share of their width.
function squares(machine, list, share) {
  const cells = machine.cells;
  let d = "";
  for (const [first, last] of list) {
    for (let n = first; n <= last && 4 * n < cells.length; n++) {
      d += box(cells, 4 * n, share * cells[4 * n + 2]);
    }
  }
  return d;
}

// shapes returns the paths of each channel: that of its rectangles, and that of its lines.
function shapes(machine) {
  const all = machine.links.number.map(function () { return { tiles: "", lines: "" }; });
  const tiles = machine.links.tiles;
  for (let i = 0; i < tiles.length; i += 5) all[tiles[i]].tiles += box(tiles, i + 1, 0);
  for (const line of machine.links.lines || []) {
    for (let i = 1; i < line.length; i += 2) {
      all[line[0]].lines += `${i === 1 ? "M" : "L"}${line[i]} ${line[i + 1]}`;
    }
  }
  return all;
}

// linkName names the k-th channel of the map.
function linkName(machine, k) {
  function router(r) { return machine.routers ? `${r} ${machine.routers[r]}` : String(r); }
  return `channel ${machine.links.number[k]}: router ${router(machine.links.from[k])} to ` +
    router(machine.links.to[k]);
}

// emptyMap returns a drawing of the machine without jobs, and the groups that are drawn over.
function emptyMap(machine, label) {
  const edge = 0.15;
  const svg = shape("svg", { viewBox: `${-edge} ${-edge} ${machine.width + 2 * edge} ` +
    `${machine.height + 2 * edge}`, role: "img", "aria-label": label });
  const size = Math.min(0.7, Math.max(0.45, machine.width / 40));
  for (const f of machine.headings || []) {
    svg.append(shape("text", { x: f.x, y: f.y, "font-size": size, class: "soft",
      "text-anchor": "middle", "dominant-baseline": "middle" }, f.text));
  }
  const width = machine.cells.length ? machine.cells[2] : 1;
  const layers = { links: shape("g"), chosenLink: shape("path", { class: "chosen-link",
    "stroke-width": Math.max(0.06, machine.width / 300) }),
    free: shape("path", { class: "free", d: squares(machine, [[0, machine.nodes - 1]], -gap) }),
    jobs: shape("g"), selected: shape("path", { class: "selected", "stroke-width": 0.12 * width }) };
  const outlines = machine.outlines || [];
  let routers = "";
  for (let i = 0; i < outlines.length; i += 4) routers += box(outlines, i, 0);
  svg.append(shape("path", { class: "router", d: routers }), layers.links, layers.chosenLink,
    layers.free, layers.jobs, layers.selected);
  layers.hasLinks = machine.links.number.length > 0;
  return { svg: svg, layers: layers };
}

const gap = 0.06; // around a node, as a share of its width

// MachineMap draws a machine into an element. chosen is called with what is clicked.
function MachineMap(parent, chosen) {
  let machine = null, run = null, layers = null, svg = null, drawnLoad = null, time = 0;
  let channels = [];
  const tip = new Tip(parent);

  this.open = function (newMachine, newRun) {
    machine = newMachine; run = newRun; drawnLoad = null; channels = shapes(machine);
    const map = emptyMap(machine, "Map of the machine: " + machine.name);
    if (svg) svg.remove();
    svg = map.svg; layers = map.layers;
    parent.prepend(svg);
    svg.addEventListener("click", function (event) { chosen(hit(event), time); });
    svg.addEventListener("pointermove", hover);
    svg.addEventListener("pointerleave", tip.hide);
  };

  // draw shows the machine at a time.
  this.draw = function (t, state, selection) {
    time = t;
    const paths = new Map();
    for (const job of state.running) {
      paths.set(job.colour, (paths.get(job.colour) || "") + squares(machine, job.spans, -gap));
    }
    layers.jobs.replaceChildren(...Array.from(paths, function ([colour, d]) {
      return shape("path", { class: "job", fill: `var(--job${colour})`, d: d });
    }));
    const job = selection.job;
    const visible = job && state.running.includes(job);
    const outline = visible ? squares(machine, job.spans, 0.06) : "";
    layers.selected.setAttribute("d", outline);
    if (layers.hasLinks) drawLinks(loadAt(run, t), selection.link);
  };

  function drawLinks(load, link) {
    const chosen = link === null ? { tiles: "", lines: "" } : channels[link];
    layers.chosenLink.setAttribute("d", chosen.tiles + chosen.lines);
    if (load === drawnLoad && layers.links.firstChild) return;
    drawnLoad = load;
    const levels = lineWidths.map(function () { return { tiles: "", lines: "" }; });
    machine.links.number.forEach(function (number, k) {
      const level = load ? loadLevel(load.get(number) || 0, mostLoad(run)) : 0;
      levels[level].tiles += channels[k].tiles;
      levels[level].lines += channels[k].lines;
    });
    layers.links.replaceChildren(...levels.flatMap(function (paths, level) {
      return [shape("path", { class: "tile load" + level, d: paths.tiles }),
        shape("path", { class: "link load" + level, d: paths.lines,
          "stroke-width": lineWidths[level] * machine.width / 500 })];
    }));
  }

  // hit returns the channel or the node at a pointer.
  function hit(event) {
    const p = placeOf(svg, event), reach = 9 / svg.getScreenCTM().a;
    const { cells, links } = machine;
    for (let n = 0; 4 * n < cells.length; n++) {
      if (away(p, cells, 4 * n) <= 0) return { node: n, link: null };
    }
    let link = null, near = reach;
    for (let i = 0; i < links.tiles.length; i += 5) {
      const off = away(p, links.tiles, i + 1);
      if (off < near) { near = Math.max(0, off); link = links.tiles[i]; }
    }
    for (const line of near > 0 ? links.lines || [] : []) {
      for (let i = 1; i + 3 < line.length; i += 2) {
        const off = distance(p, line, i);
        if (off < near) { near = off; link = line[0]; }
      }
    }
    return { node: null, link: link };
  }

  function hover(event) {
    const what = hit(event);
    if (what.link !== null) {
      const load = loadAt(run, time), at = load && load.get(machine.links.number[what.link]);
      tip.show(event, linkName(machine, what.link) + (load ? `, ${text(at || 0)}%` : ""));
    } else if (what.node !== null) {
      const job = jobOn(run, what.node, time);
      tip.show(event, `node ${what.node}, ` + (job ? `job ${job.number}` : "free"));
    } else {
      tip.hide();
    }
  }
}

// away returns how far a point is from a rectangle of a list, 0 or less within it.
function away(p, list, i) {
  return Math.max(list[i] - p.x, p.x - list[i] - list[i + 2], list[i + 1] - p.y,
    p.y - list[i + 1] - list[i + 3]);
}

// distance returns that of a point from the line whose ends begin at an index.
function distance(p, line, i) {
  const x = line[i], y = line[i + 1], dx = line[i + 2] - x, dy = line[i + 3] - y;
  const share = ((p.x - x) * dx + (p.y - y) * dy) / (dx * dx + dy * dy || 1);
  const along = Math.min(1, Math.max(0, share));
  return Math.hypot(p.x - x - along * dx, p.y - y - along * dy);
}

// drawLegend explains the colours of channels.
function drawLegend(parent, run, machine) {
  parent.replaceChildren();
  parent.append(make("span", {}, "Nodes are grey where they are free, and else have the colour of " +
    "their job. " + (machine.about || "")));
  const most = mostLoad(run);
  if (machine.links.number.length === 0 || !(most > 0)) return;
  parent.append(make("span", {}, run.load ? "Channels by their load now:" :
    "Channels by their load over the whole run:"));
  for (let level = 0; level < lineWidths.length; level++) {
    const line = shape("svg", { viewBox: "0 0 2 1", "aria-hidden": "true" },
      shape("path", { class: "tile load" + level, d: "M0 .25h2v.5h-2z" }));
    const words = level === 0 ? "0" : `to ${Number((most * level / 5).toPrecision(3))}%`;
    parent.append(make("span", {}, line, " " + words));
  }
}
