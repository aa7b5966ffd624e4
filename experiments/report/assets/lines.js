// Curves over time: nodes in use, jobs that wait, load of channels, pieces of the free nodes.

// curvesOf lists the curves of a run. With series.csv they are means over its bins, else they
// are counted from the jobs.
function curvesOf(run, machine) {
  const s = run.series;
  if (!s) {
    const counted = counts(run);
    const used = counted.nodes.map(function (n) { return 100 * n / machine.nodes; });
    return [
      { name: "nodes in use (%)", top: 100, time: counted.time, curves: [used] },
      { name: "jobs that wait", time: counted.time, curves: [counted.waiting] },
    ];
  }
  function plot(name, columns, top) {
    const curves = columns.map(function (c) { return s[c]; }).filter(function (c) {
      return c && c.some(function (v) { return v !== null; });
    });
    return { name: name, top: top, time: s.time, curves: curves };
  }
  return [
    plot("nodes in use (%)", ["utilization_percent"], 100),
    plot("jobs that wait", ["queue_jobs"]),
    plot("channel load (%); dashed: the busiest", ["link_utilization_percent",
      "link_utilization_max_percent"]),
    plot("pieces of the free nodes", ["free_components"]),
  ].filter(function (p) { return p.curves.length > 0; });
}

// counts returns the nodes in use and the jobs that wait from each change on.
function counts(run) {
  const changes = [];
  for (const job of run.jobs) {
    changes.push([job.submit, 0, 1], [job.start, job.nodes, -1], [job.end, -job.nodes, 0]);
  }
  changes.sort(function (a, b) { return a[0] - b[0]; });
  const result = { time: [], nodes: [], waiting: [] };
  let nodes = 0, waiting = 0;
  changes.forEach(function ([t, n, w], i) {
    nodes += n; waiting += w;
    if (i + 1 < changes.length && changes[i + 1][0] === t) return;
    result.time.push(t); result.nodes.push(nodes); result.waiting.push(waiting);
  });
  return result;
}

// Lines draws the curves into an element.
function Lines(parent, chosen) {
  const high = 62, title = 18, bottom = axisHeight;
  let svg = null, scale = null, part = null, cursor = null, height = 0;

  this.open = function (machine, run, newPart) {
    part = newPart;
    const width = Math.max(240, parent.clientWidth || 800), plots = curvesOf(run, machine);
    scale = timeScale(part, width);
    height = plots.length * (high + title) + bottom;
    const fresh = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img",
      "aria-label": plots.map(function (p) { return p.name; }).join("; ") + ", over time" });
    plots.forEach(function (p, i) {
      fresh.append(plotOf(p, run, i * (high + title) + title, width));
    });
    fresh.append(timeAxis(part, width, height - bottom, scale, run.point.clock));
    cursor = shape("path", { class: "cursor", "stroke-width": 1.5 });
    fresh.append(cursor);
    if (svg) svg.replaceWith(fresh); else parent.prepend(fresh);
    svg = fresh;
    svg.addEventListener("click", function (event) { chosen(scale.time(placeOf(svg, event).x)); });
  };

  function plotOf(plot, run, top, width) {
    const largest = plot.curves.map(function (c) { return ends(c)[1] || 0; });
    const most = plot.top || Math.max(...largest) || 1;
    const group = shape("g", { "font-size": 11 });
    group.append(shape("text", { x: leftMargin, y: top - 5, class: "soft" }, plot.name));
    for (const y of [top, top + high]) {
      group.append(shape("path", { class: "gridline",
        d: `M${leftMargin} ${y}H${width - rightMargin}` }));
    }
    group.append(shape("text", { x: leftMargin - 5, y: top + 9, "text-anchor": "end" },
      String(Number(most.toPrecision(3)))));
    group.append(shape("text", { x: leftMargin - 5, y: top + high, "text-anchor": "end" }, "0"));
    plot.curves.forEach(function (values, i) {
      group.append(shape("path", { class: i ? "curve second" : "curve", "stroke-width": 1.3,
        d: steps(plot.time, values, run.last, top, most) }));
    });
    return group;
  }

  // steps returns the path of values that hold from their time on until the next.
  function steps(time, values, last, top, most) {
    let d = "";
    for (let i = 0; i < time.length; i++) {
      const until = i + 1 < time.length ? time[i + 1] : last;
      if (values[i] === null || until < part.from || time[i] > part.until) continue;
      const y = (top + high * (1 - values[i] / most)).toFixed(1);
      const x = scale.x(Math.max(time[i], part.from)).toFixed(1);
      d += (d ? "L" : "M") + `${x} ${y}H${scale.x(Math.min(until, part.until)).toFixed(1)}`;
    }
    return d;
  }

  this.draw = function (t) {
    const visible = t >= part.from && t <= part.until;
    cursor.setAttribute("d", visible ? `M${scale.x(t).toFixed(1)} 4V${height - bottom}` : "");
  };
}
