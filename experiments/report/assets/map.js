// The map of a machine: who has which node, and how busy the channels are.

const loadWidths = [0.05, 0.07, 0.09, 0.115, 0.14, 0.17];

// loadLevel is the class of a load: 0 for none, 1 to 5 for fifths of the largest one.
function loadLevel(load, most) {
  if (!(load > 0) || !(most > 0)) return 0;
  return Math.min(5, Math.max(1, Math.ceil(5 * load / most - 1e-9)));
}

// squares returns the path of the squares of nodes.
function squares(machine, list, grow) {
  const side = machine.size + 2 * grow, half = side / 2;
  let d = "";
  for (const [first, last] of list) {
    for (let n = first; n <= last && n < machine.x.length; n++) {
      const x = (machine.x[n] - half).toFixed(3), y = (machine.y[n] - half).toFixed(3);
      d += `M${x} ${y}h${side}v${side}h${-side}z`;
    }
  }
  return d;
}

function linkPath(machine, k) {
  const [x1, y1, x2, y2] = machine.links.line.slice(4 * k, 4 * k + 4);
  return `M${x1} ${y1}L${x2} ${y2}`;
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
  for (const f of machine.frames || []) {
    svg.append(shape("text", { x: f.x, y: f.y, "font-size": size, class: "soft" }, f.text));
  }
  const links = (machine.links.number || []).length > 0;
  const layers = { links: shape("g"), chosenLink: shape("path", { class: "link chosen-link" }),
    free: shape("path", { class: "free", d: squares(machine, [[0, machine.nodes - 1]], 0) }),
    jobs: shape("g"),
    selected: shape("path", { class: "selected", "stroke-width": 0.12 * machine.size }) };
  let dots = "";
  for (let i = 0; i < (machine.dots || []).length; i += 2) {
    const x = machine.dots[i] - 0.16, y = machine.dots[i + 1];
    dots += `M${x} ${y}a.16 .16 0 1 0 .32 0a.16 .16 0 1 0 -.32 0z`;
  }
  svg.append(layers.links, layers.chosenLink, shape("path", { class: "router", d: dots }),
    layers.free, layers.jobs, layers.selected);
  layers.hasLinks = links;
  return { svg: svg, layers: layers };
}

// MachineMap draws a machine into an element. chosen is called with what is clicked.
function MachineMap(parent, chosen) {
  let machine = null, run = null, layers = null, svg = null, drawnLoad = null, time = 0;
  const tip = new Tip(parent);

  this.open = function (newMachine, newRun) {
    machine = newMachine; run = newRun; drawnLoad = null;
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
      paths.set(job.colour, (paths.get(job.colour) || "") + squares(machine, job.spans, 0));
    }
    layers.jobs.replaceChildren(...Array.from(paths, function ([colour, d]) {
      return shape("path", { class: "job", fill: `var(--job${colour})`, d: d });
    }));
    const job = selection.job;
    const visible = job && state.running.includes(job);
    const outline = visible ? squares(machine, job.spans, 0.06 * machine.size) : "";
    layers.selected.setAttribute("d", outline);
    if (layers.hasLinks) drawLinks(loadAt(run, t), selection.link);
  };

  function drawLinks(load, link) {
    layers.chosenLink.setAttribute("d", link === null ? "" : linkPath(machine, link));
    layers.chosenLink.setAttribute("stroke-width", 0.3);
    if (load === drawnLoad && layers.links.firstChild) return;
    drawnLoad = load;
    const paths = loadWidths.map(function () { return ""; });
    machine.links.number.forEach(function (number, k) {
      const level = load ? loadLevel(load.get(number) || 0, mostLoad(run)) : 0;
      paths[level] += linkPath(machine, k);
    });
    layers.links.replaceChildren(...paths.map(function (d, level) {
      return shape("path", { class: "link load" + level, "stroke-width": loadWidths[level], d: d });
    }));
  }

  // hit returns the channel or the node at a pointer.
  function hit(event) {
    const p = placeOf(svg, event), half = machine.size / 2;
    const reach = Math.max(0.12, 9 / svg.getScreenCTM().a);
    let node = -1, link = -1, near = Infinity;
    for (let n = 0; n < machine.x.length; n++) {
      const off = Math.max(Math.abs(p.x - machine.x[n]), Math.abs(p.y - machine.y[n]));
      if (off < near) { near = off; node = n; }
    }
    if (near <= half) return { node: node, link: null };
    let nearest = reach;
    for (let k = 0; k < machine.links.line.length / 4; k++) {
      const off = distance(p, machine.links.line, 4 * k);
      if (off < nearest) { nearest = off; link = k; }
    }
    if (link >= 0) return { node: null, link: link };
    return { node: near <= half + reach ? node : null, link: null };
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

// distance returns that of a point from the line whose ends begin at an index.
function distance(p, line, i) {
  const x = line[i], y = line[i + 1], dx = line[i + 2] - x, dy = line[i + 3] - y;
  const share = ((p.x - x) * dx + (p.y - y) * dy) / (dx * dx + dy * dy || 1);
  const along = Math.min(1, Math.max(0, share));
  return Math.hypot(p.x - x - along * dx, p.y - y - along * dy);
}

// drawLegend explains the colours of channels.
function drawLegend(parent, run, hasLinks) {
  parent.replaceChildren();
  parent.append(make("span", {},
    "Squares are nodes: grey ones are free, others have the colour of their job."));
  const most = mostLoad(run);
  if (!hasLinks || !(most > 0)) return;
  parent.append(make("span", {}, run.load ? "Lines are channels, by their load now:" :
    "Lines are channels, by their load over the whole run:"));
  for (let level = 0; level < loadWidths.length; level++) {
    const line = shape("svg", { viewBox: "0 0 2 1", "aria-hidden": "true" }, shape("path", {
      class: "link load" + level, "stroke-width": 3 * loadWidths[level], d: "M0 .5H2" }));
    const words = level === 0 ? "0" : `to ${Number((most * level / 5).toPrecision(3))}%`;
    parent.append(make("span", {}, line, " " + words));
  }
}
