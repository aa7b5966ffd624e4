// Jobs over time: time to the right, nodes upwards in order of number.

function Gantt(parent, chosen) {
  const height = 310, bottom = axisHeight, top = 6;
  let run = null, machine = null, part = null, svg = null, scale = null, cursor = null, mark = null;
  const tip = new Tip(parent);

  function y(node) { return top + (height - top - bottom) * (1 - node / machine.nodes); }

  function boxes(job) {
    const x = scale.x(Math.max(job.start, part.from));
    const width = Math.max(0.5, scale.x(Math.min(job.end, part.until)) - x);
    return job.spans.map(function (s) {
      const high = y(s[1] + 1).toFixed(1), low = y(s[0]).toFixed(1);
      return `M${x.toFixed(1)} ${high}h${width.toFixed(1)}V${low}h${(-width).toFixed(1)}z`;
    }).join("");
  }

  // open draws a part of a run.
  this.open = function (newMachine, newRun, newPart) {
    machine = newMachine; run = newRun; part = newPart;
    const width = Math.max(240, parent.clientWidth || 800);
    scale = timeScale(part, width);
    const paths = [];
    let shown = 0;
    for (const job of run.jobs) {
      if (job.end < part.from || job.start > part.until) continue;
      paths[job.colour] = (paths[job.colour] || "") + boxes(job);
      shown++;
    }
    const fresh = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img",
      "aria-label": `${shown} jobs over time, on ${machine.nodes} nodes` });
    const gap = height / machine.nodes > 4 ? 0.6 : 0; // thin rows have no room for one
    paths.forEach(function (d, i) {
      if (!d) return;
      fresh.append(shape("path", { class: "job", fill: `var(--job${i})`, d: d,
        style: `stroke-width:${gap}` }));
    });
    fresh.append(nodeAxis(), timeAxis(part, width, height - bottom, scale, run.point.clock));
    mark = shape("path", { class: "job one" });
    cursor = shape("path", { class: "cursor", "stroke-width": 1.5 });
    fresh.append(mark, cursor);
    if (svg) svg.replaceWith(fresh); else parent.prepend(fresh);
    svg = fresh;
    svg.addEventListener("click", function (event) {
      const at = under(event);
      chosen(at.time, at.job);
    });
    svg.addEventListener("pointermove", function (event) {
      const at = under(event);
      let words = text(Number(at.time.toPrecision(6)));
      if (at.job) {
        words = `job ${at.job.number}, ${at.job.nodes} nodes, ` +
          `${text(at.job.start)} to ${text(at.job.end)}`;
      }
      tip.show(event, words + " " + run.point.clock);
    });
    svg.addEventListener("pointerleave", tip.hide);
  };

  function nodeAxis() {
    const group = shape("g", { "font-size": 11 });
    group.append(shape("path", { class: "axis", d: `M${leftMargin} ${top}V${height - bottom}` }));
    for (const n of ticks(0, machine.nodes, 5)) {
      group.append(shape("path", { class: "axis", d: `M${leftMargin - 4} ${y(n).toFixed(1)}h4` }));
      group.append(shape("text", { x: leftMargin - 7, y: (y(n) + 4).toFixed(1),
        "text-anchor": "end" }, tickText(n)));
    }
    group.append(shape("text", { x: 11, y: (height - bottom) / 2, "text-anchor": "middle",
      transform: `rotate(-90 11 ${(height - bottom) / 2})` }, "node"));
    return group;
  }

  function under(event) {
    const p = placeOf(svg, event), t = scale.time(p.x);
    const node = Math.floor((1 - (p.y - top) / (height - top - bottom)) * machine.nodes);
    const inside = p.x >= leftMargin && node >= 0 && node < machine.nodes;
    return { time: t, job: inside ? jobOn(run, node, t) : undefined };
  }

  // draw marks a time, and a job by paling the others.
  this.draw = function (t, job) {
    const x = scale.x(t).toFixed(1), visible = t >= part.from && t <= part.until;
    cursor.setAttribute("d", visible ? `M${x} ${top}V${height - bottom}` : "");
    const shown = job && job.end >= part.from && job.start <= part.until;
    svg.classList.toggle("dim", Boolean(shown));
    mark.setAttribute("d", shown ? boxes(job) : "");
    if (shown) mark.setAttribute("fill", `var(--job${job.colour})`);
  };
}
